import { useState } from 'preact/hooks'
import { addDays } from '../../../../shared/dates.ts'
import { api } from '../../api.ts'
import type { Entry } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { today } from '../../time.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { closureTexts as texts } from './closure-words.ts'
import { useResources } from './offers.ts'
import { End } from './ProductPanel.tsx'

type Props = {
  path: `/providers/${string}/closures`
  onClose: () => void
  onDone: (text: string, inside: Entry[]) => void
}

/** Whole days, of everything or of some Resources. */
export function ClosureDialog({ path, onClose, onDone }: Props) {
  const { timeZone } = useProvider()
  const [from, setFrom] = useState(today(timeZone))
  const [last, setLast] = useState(today(timeZone))
  const [reason, setReason] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const resources = useResources().data?.resources.filter(one => !one.archived) ?? []
  const { busy, run, errorAt } = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    // People name the last day that is closed; the service wants the first that is open again.
    const to = last ? addDays(last, 1) : ''
    const body = { from, to, reason, resources: chosen.length > 0 ? chosen : null }
    const made = await run(() => api.post(path, body))
    if (made) onDone(texts.closed(reason), made.appointments)
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <TextField
          label={texts.reason}
          hint={texts.reasonHint}
          required
          maxLength={200}
          value={reason}
          onInput={setReason}
          error={errorAt('reason')}
        />
        <div class="fields">
          <TextField
            label={texts.from}
            type="date"
            value={from}
            onInput={day => {
              setFrom(day)
              if (day > last) setLast(day)
            }}
            error={errorAt('from')}
          />
          <TextField
            label={texts.last}
            type="date"
            min={from}
            value={last}
            onInput={setLast}
            error={errorAt('to')}
          />
        </div>
        {resources.length > 1 && (
          <fieldset class="stack tight">
            <legend>{texts.which}</legend>
            <p class="soft">{texts.whichHint}</p>
            {resources.map(({ uuid, internalName }) => (
              <CheckField
                key={uuid}
                label={internalName}
                checked={chosen.includes(uuid)}
                onChange={isOn => setChosen(isOn ? [...chosen, uuid] : chosen.filter(one => one !== uuid))}
              />
            ))}
          </fieldset>
        )}
        <End busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
