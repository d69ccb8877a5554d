import type { Entry } from '../../../records.ts'
import { SelectField } from '../../../ui/fields/Field.tsx'
import type { SeriesRecord } from './date-choices.ts'
import { texts } from './words.ts'

const scopes = ['this', 'later', 'all'] as const
export type Scope = (typeof scopes)[number]

export const ScopeField = ({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) => (
  <SelectField
    label={texts.scope}
    value={scope}
    options={scopes.map(value => ({ value, label: texts.scopes[value] }))}
    onChange={onChange}
  />
)

/** The dates of the series that a change concerns: those that have begun stay. */
export const datesIn = ({ dates }: SeriesRecord, entry: Entry, scope: Scope) =>
  dates.filter(
    one =>
      one.state === 'ACTIVE' &&
      !one.isPast &&
      (scope === 'all' || Date.parse(one.start) >= Date.parse(entry.start)),
  )
