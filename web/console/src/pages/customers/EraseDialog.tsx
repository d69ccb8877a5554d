import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
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
      <div class="dialog-end">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="danger" busy={busy} disabled={!count} onClick={erase}>
          {texts.erase.replace(/\s?…/, '')}
        </Button>
      </div>
    </Dialog>
  )
}
