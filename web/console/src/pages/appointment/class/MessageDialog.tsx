import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { type Entry, peopleIn } from '../../../records.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { TextField } from '../../../ui/fields/Field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { texts } from './words.ts'

type Props = { entry: Entry; onDone: () => void; onClose: () => void }

/** One email to each participant, with the same text. */
export function MessageDialog({ entry, onDone, onClose }: Props) {
  const [message, setMessage] = useState('')
  const { busy, run, errorAt } = useSubmit()
  const people = peopleIn(entry).filter(one => one.state !== 'RESERVED')
  const reached = people.filter(one => one.email)
  const others = people.filter(one => !one.email).map(one => one.name ?? '–')
  async function send(event: SubmitEvent) {
    event.preventDefault()
    const done = await run(() => api.post(`/appointments/${entry.uuid}/message`, { message }))
    if (!done) return
    showToast(texts.sent(done.sent))
    onDone()
  }
  return (
    <Dialog title={texts.messageTitle} onClose={onClose}>
      <form class="stack" onSubmit={send}>
        <TextField
          label={texts.yourMessage}
          rows={6}
          required
          autofocus
          maxLength={5000}
          value={message}
          error={errorAt('message')}
          onInput={setMessage}
        />
        <p class="soft">
          {texts.receivers(reached.length)}
          {others.length > 0 && (
            <>
              <br />
              {texts.noAddress(others.join(', '))}
            </>
          )}
        </p>
        <DialogButtons
          onClose={onClose}
          action={texts.send}
          busy={busy}
          disabled={message.trim() === '' || reached.length === 0}
        />
      </form>
    </Dialog>
  )
}
