import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Props = { uuid: string; name: string; onClose: () => void; onDone: () => void }

/** Lists what will be erased. */
export function EraseDialog({ uuid, name, onClose, onDone }: Props) {
  const preview = useLoad(`erasure-${uuid}`, signal => api.get(`/customers/${uuid}/erasure`, { signal }))
  const { busy, run } = useSubmit()
  const erase = async () => {
    const done = await run(async () => {
      await api.remove(`/customers/${uuid}`)
      return true
    })
    if (!done) return
    showToast(texts.erased)
    onDone()
  }
  const count = preview.data
  return (
    <Dialog title={texts.eraseTitle} onClose={onClose}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>{texts.eraseText}</p>
      <p>{count ? texts.eraseCount(count.participations, count.future, count.mails) : common.loading}</p>
      <DialogButtons
        onClose={onClose}
        action={texts.erase.replace(/\s?…/, '')}
        kind="danger"
        busy={busy}
        disabled={!count}
        onClick={erase}
      />
    </Dialog>
  )
}
