import { api } from '../../api.ts'
import { requestsChanged } from '../../live-changes.ts'
import type { Schemas } from '../../records.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { undoCancel } from '../appointment/undo-cancel.ts'
import { texts } from './words.ts'

export type Waiting = Schemas['WaitingRequest']

export function useAnswer(request: Waiting, onDone: () => void | Promise<void>) {
  const { uuid, name, appointmentUuid } = request
  const { busy, run } = useSubmit()
  async function send(answer: 'accept' | 'decline', notification = { sendMails: true, message: '' }) {
    const done = await run(() =>
      api.post(`/participations/${uuid}/decide`, {
        answer,
        sendMails: notification.sendMails,
        message: notification.message || null,
      }),
    )
    const former = {
      uuid: appointmentUuid,
      name: name ?? '',
      people: [{ uuid, state: 'REQUESTED' as const }],
    }
    const isSilent = answer === 'decline' && !notification.sendMails
    const undo = undoCancel([former], () => void onDone())
    if (done)
      showToast(
        answer === 'accept' ? texts.accepted(name ?? '') : texts.declined(name ?? ''),
        isSilent ? { undo } : {},
      )
    // If someone else answered first, show the current state.
    requestsChanged()
    await onDone()
  }
  return { busy, send }
}
