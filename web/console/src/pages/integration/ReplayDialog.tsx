import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { End } from '../../ui/End.tsx'
import { TextField } from '../../ui/Field.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { texts } from './words.ts'

type Props = { path: `/crms/${string}/webhooks/${string}`; onClose: () => void }

/** Everything once more, or what happened since a moment: after a bad night of the receiver that is all it needs. */
export function ReplayDialog({ path, onClose }: Props) {
  const [since, setSince] = useState('')
  const { busy, run, errorAt } = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    const moment = since ? new Date(since).toISOString() : null
    if (!(await run(() => api.post(`${path}/replay`, { since: moment })))) return
    say(texts.replayed)
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
        <End busy={busy} onClose={onClose} action={texts.replayNow} />
      </form>
    </Dialog>
  )
}
