import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Props = { path: `/crms/${string}/webhooks/${string}`; onClose: () => void }

/** Sends all events again, or those since a given time, for example after an outage of the receiver. */
export function ReplayDialog({ path, onClose }: Props) {
  const [since, setSince] = useState('')
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const moment = since ? new Date(since).toISOString() : null
    if (!(await run(() => api.post(`${path}/replay`, { since: moment })))) return
    showToast(texts.replayed)
    onClose()
  }
  return (
    <Dialog title={common.sendAgain} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <p>{texts.replayText}</p>
        <TextField
          label={texts.since}
          hint={texts.sinceHint}
          type="datetime-local"
          value={since}
          onInput={setSince}
          error={errorAt('since')}
        />
        <DialogButtons busy={busy} onClose={onClose} action={common.sendAgain} />
      </form>
    </Dialog>
  )
}
