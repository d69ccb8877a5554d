import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { Entry, OpeningHours } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, SelectField } from '../../ui/Field.tsx'
import { FormButtons } from '../../ui/FormButtons.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { type HoursBody, previewOf } from './hours-body.ts'
import type { Colleague } from './PatternFields.tsx'
import { patternTexts as texts } from './pattern-words.ts'
import { StrandedDialog } from './StrandedDialog.tsx'

type Props = {
  own: Colleague
  draft: OpeningHours
  colleagues: Colleague[]
  onDone: () => void
  onClose: () => void
}

/** One change for several people: all of them get it or none. */
export function SeveralDialog({ own, draft, colleagues, onDone, onClose }: Props) {
  const provider = useProvider()
  const [chosen, choose] = useState<string[]>([])
  const [what, setWhat] = useState<'all' | 'days'>('all')
  const [stranded, setStranded] = useState<Entry[] | null>(null)
  const { busy, run } = useSubmit()
  const people = [own, ...colleagues.filter(one => chosen.includes(one.uuid))]
  const bodies = people.map(one => ({
    resourceUuid: one.uuid,
    ...(one === own ? draft : what === 'all' ? copyOf(draft) : withDays(one.hours, draft)),
  }))
  async function save() {
    const path = `/providers/${provider.uuid}/hours` as const
    const saved = await run(() => api.put(path, { resources: bodies as HoursBody[] }))
    if (!saved) return
    const before = people.map(one => ({ resourceUuid: one.uuid, ...one.hours })) as HoursBody[]
    const undo = () => api.put(path, { resources: before }).then(onDone)
    showToast(texts.savedFor(people.length), { undo })
    onDone()
  }
  async function check(event: Event) {
    event.preventDefault()
    const outside = await run(() => previewOf(provider.uuid, bodies as HoursBody[]))
    if (outside?.length === 0) return save()
    if (outside) setStranded(outside)
  }
  return (
    <Dialog title={texts.severalTitle} onClose={onClose}>
      <form class="stack" onSubmit={check}>
        <fieldset class="stack tight">
          <legend>{texts.people}</legend>
          <CheckField label={own.name} checked disabled onChange={() => {}} />
          {colleagues.map(one => (
            <CheckField
              key={one.uuid}
              label={one.name}
              checked={chosen.includes(one.uuid)}
              onChange={isOn =>
                choose(isOn ? [...chosen, one.uuid] : chosen.filter(uuid => uuid !== one.uuid))
              }
            />
          ))}
        </fieldset>
        <SelectField
          label={texts.what}
          hint={texts.whatHint}
          value={what}
          options={[
            { value: 'all', label: texts.allHours },
            { value: 'days', label: texts.onlyDays },
          ]}
          onChange={setWhat}
        />
        <FormButtons busy={busy} onClose={onClose} />
      </form>
      {stranded && <StrandedDialog entries={stranded} onSave={save} onClose={() => setStranded(null)} />}
    </Dialog>
  )
}

/** As new rules: each person has their own. */
export const copyOf = ({ rules, ...rest }: OpeningHours): OpeningHours => ({
  ...rest,
  rules: rules.map(rule => ({ ...rule, uuid: null as unknown as string })),
})

const withDays = (theirs: OpeningHours, { exceptions }: OpeningHours): OpeningHours => ({
  ...theirs,
  exceptions: [
    ...theirs.exceptions.filter(one => exceptions.every(other => other.day !== one.day)),
    ...exceptions,
  ],
})
