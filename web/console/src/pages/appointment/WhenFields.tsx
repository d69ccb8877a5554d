import { common } from '../../common-words.ts'
import type { CalendarPeriod } from '../../records.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { warningsOf } from '../calendar/warnings.ts'
import { moved, spanOf, type When } from './form-times.ts'
import { texts } from './words.ts'

type Props = {
  when: When
  resources: { uuid: string; name: string }[]
  onChange: (when: When) => void
  errorAt?: (field: string) => string | null
  /** Focuses the first field. */
  autofocus?: boolean
}

export function WhenFields({ when, resources, onChange, errorAt = () => null, autofocus = false }: Props) {
  return (
    <div class="when-fields">
      <SelectField
        label={common.resource}
        value={when.resourceUuid}
        options={resources.map(one => ({ value: one.uuid, label: one.name }))}
        onChange={resourceUuid => onChange({ ...when, resourceUuid })}
      />
      <TextField
        label={texts.day}
        type="date"
        required
        value={when.day}
        onInput={day => onChange({ ...when, day })}
      />
      <TextField
        label={texts.from}
        type="time"
        required
        error={errorAt('start')}
        autofocus={autofocus}
        value={when.from}
        onInput={from => onChange(moved(when, from))}
      />
      <TextField
        label={texts.to}
        type="time"
        required
        error={errorAt('end')}
        value={when.to}
        onInput={to => onChange({ ...when, to })}
      />
    </div>
  )
}

/** Shown before the action; the button then says "Continue anyway". */
export function Warnings({ list }: { list: string[] }) {
  return (
    <div role="status">
      {list.length > 0 && (
        <ul class="warnings">
          {list.map(one => (
            <li key={one}>
              <span aria-hidden="true">▲</span> {one}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function useWarnings(
  data: CalendarPeriod | null,
  when: When,
  zone: string,
  request: { productUuid: string | null; except?: string; canJoin?: boolean },
): string[] {
  const span = spanOf(when, zone)
  if (!data || !span) return []
  return warningsOf(data, { ...span, ...request, resourceUuid: when.resourceUuid })
}
