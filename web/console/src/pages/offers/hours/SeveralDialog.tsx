import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import type { Entry, OpeningHours } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { CheckField, SelectField } from '../../../ui/fields/Field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { type Colleague, dayText } from './PatternFields.tsx'
import { patternTexts as texts } from './pattern-words.ts'
import { rulesUntil } from './patterns.ts'
import { type HoursBody, previewOf, StrandedDialog } from './StrandedDialog.tsx'

type Props = {
  own: Colleague
  draft: OpeningHours
  /** The first day of the hours that are shown, if they start later. */
  from: string | null
  colleagues: Colleague[]
  /** A colleague has changed one of them. */
  onStale: () => void
  onDone: () => void
  onClose: () => void
}

/** One change for several people: all of them get it or none. */
export function SeveralDialog({ own, draft, from, colleagues, onStale, onDone, onClose }: Props) {
  const provider = useProvider()
  const [chosen, choose] = useState<string[]>([])
  const [what, setWhat] = useState<'all' | 'later' | 'days'>(from ? 'later' : 'all')
  const [stranded, setStranded] = useState<Entry[] | null>(null)
  const { busy, run, problem, errorAt } = useSubmit()
  const people = [own, ...colleagues.filter(one => chosen.includes(one.uuid))]
  const bodies = people.map(one => ({
    resourceUuid: one.uuid,
    etag: one.etag,
    ...(one === own ? draft : hoursFor(one.hours)),
  }))
  function hoursFor(theirs: OpeningHours): OpeningHours {
    if (what === 'all') return copyOf(draft)
    return what === 'later' ? fromDay(theirs, draft, from!) : withDays(theirs, draft)
  }
  async function save() {
    const path = `/providers/${provider.uuid}/hours` as const
    const saved = await run(() => api.put(path, { resources: bodies as HoursBody[] }))
    if (!saved) {
      setStranded(null)
      return onStale()
    }
    const before = people.map((one, index) => ({
      resourceUuid: one.uuid,
      etag: saved.resources[index]!.etag,
      ...one.hours,
    })) as HoursBody[]
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
  const stale = people.find((_, index) => errorAt(`resources[${index}].etag`) && problem)
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
          hint={texts.whatHints[what]}
          value={what}
          options={[
            ...(from ? [{ value: 'later' as const, label: texts.hoursFrom(dayText(from)) }] : []),
            { value: 'all' as const, label: texts.allHours },
            { value: 'days' as const, label: texts.onlyDays },
          ]}
          onChange={setWhat}
        />
        {stale && (
          <p class="error" role="alert">
            {texts.changedMeanwhile(stale.name)}
          </p>
        )}
        <DialogButtons busy={busy} onClose={onClose} />
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

/** Theirs until that day, then the new ones; they keep their single days. */
const fromDay = (theirs: OpeningHours, { rules }: OpeningHours, day: string): OpeningHours => ({
  ...theirs,
  // New rules have no uuid yet.
  rules: rulesUntil(theirs.rules, day, rules) as OpeningHours['rules'],
})

export const withDays = (theirs: OpeningHours, { exceptions }: OpeningHours): OpeningHours => ({
  ...theirs,
  exceptions: [
    ...theirs.exceptions.filter(one => exceptions.every(other => other.day !== one.day)),
    ...exceptions,
  ],
})
