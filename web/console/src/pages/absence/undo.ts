import { api } from '../../api.ts'
import { instant } from '../../time.ts'
import { showToast } from '../../ui/toasts.tsx'
import { sendMove } from '../appointment/MoveDialog.tsx'
import { stateBefore, undoCancel } from '../appointment/undo-cancel.ts'
import type { Settled } from './Results.tsx'
import { texts } from './words.ts'

/** Everything as it was. Only offered if no email was sent. */
export async function undoAbsence(
  resourceUuid: string,
  blockUuid: string | null,
  settled: Settled[],
  onDone: () => void,
) {
  if (blockUuid) await api.remove(`/resources/${resourceUuid}/blocks/${blockUuid}`)
  const became = (result: string) => settled.filter(one => one.result.result === result)
  for (const { line } of became('moved')) {
    const { uuid, start, end, resource } = line.appointment
    const back = { start: instant(start), end: instant(end), resourceUuid: resource.uuid }
    await sendMove(uuid, back, { ignoreConflicts: true, sendMails: false, message: '' })
  }
  const cancelled = became('cancelled').map(one => stateBefore(one.line.appointment))
  if (cancelled.length > 0) await undoCancel(cancelled, onDone)()
  else showToast(texts.undone)
  onDone()
}
