import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { FormButtons } from '../../ui/FormButtons.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
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
    <Dialog title={texts.replayNow} onClose={onClose}>
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
        <FormButtons busy={busy} onClose={onClose} action={texts.replayNow} />
      </form>
    </Dialog>
  )
}
