import { useRef } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import type { Customer } from './records.ts'
import { texts } from './words.ts'

type Props = { customer: Customer; onClose: () => void }

/** The customer's upcoming appointments in their language, as they are printed or sent. */
export function ListDialog({ customer, onClose }: Props) {
  const list = useRef<HTMLIFrameElement>(null)
  const { busy, run } = useSubmit()
  const send = async () => {
    const sent = await run(() => api.post(`/customers/${customer.uuid}/appointments/email`, {}))
    if (!sent) return
    showToast(texts.listSent(customer.email!))
    onClose()
  }
  return (
    <Dialog title={texts.printOrSend} onClose={onClose}>
      <div class="stack">
        <iframe
          ref={list}
          class="frame"
          title={texts.upcoming}
          sandbox="allow-same-origin allow-modals"
          src={`/console/customer-list/${customer.uuid}`}
        />
        {!customer.email && <p class="soft">{texts.noAddress}</p>}
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button onClick={() => list.current!.contentWindow!.print()}>{common.print}</Button>
          <ButtonFor right="book" kind="main" busy={busy} disabled={!customer.email} onClick={send}>
            {texts.sendList}
          </ButtonFor>
        </div>
      </div>
    </Dialog>
  )
}
