import { addDays } from '#shared/dates.ts'
import { instantOf, localAt } from '#shared/zones.ts'
import type { CalendarPeriod } from '../../records.ts'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { warningsOf } from '../calendar/warnings.ts'
import { texts } from './words.ts'

/** Where and when, as a form writes it, on the Provider's clocks. */
export type When = { resourceUuid: string; day: string; from: string; to: string }

export function whenOf(resourceUuid: string, start: number, end: number, zone: string): When {
  const [from, to] = [localAt(start, zone), localAt(end, zone)]
  return { resourceUuid, day: from.slice(0, 10), from: from.slice(11), to: to.slice(11) }
}

/** An end that is not after the start is on the next day. Null while something is missing. */
export function spanOf({ day, from, to }: When, zone: string): { start: number; end: number } | null {
  if (!day || !from || !to) return null
  const start = instantOf(`${day}T${from}`, zone)
  const end = instantOf(`${day}T${to}`, zone)
  if (Number.isNaN(start) || Number.isNaN(end)) return null
  return { start, end: end > start ? end : instantOf(`${addDays(day, 1)}T${to}`, zone) }
}

type Props = {
  when: When
  resources: { uuid: string; name: string }[]
  onChange: (when: When) => void
  errorAt?: (field: string) => string | null
  /** Where one begins to type. */
  autofocus?: boolean
}

export function WhenFields({ when, resources, onChange, errorAt = () => null, autofocus = false }: Props) {
  return (
    <div class="when-fields">
      <SelectField
        label={texts.resource}
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

/** Another start keeps the length. */
function moved(when: When, from: string): When {
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  const length = minutes(when.to) - minutes(when.from)
  if (!from || !when.from || !when.to || length <= 0) return { ...when, from }
  const end = (minutes(from) + length) % 1440
  const two = (value: number) => String(value).padStart(2, '0')
  return { ...when, from, to: `${two(Math.floor(end / 60))}:${two(end % 60)}` }
}

/** Said before it is done; the button then says "do it anyway". */
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
  productUuid: string | null,
  except?: string,
): string[] {
  const span = spanOf(when, zone)
  if (!data || !span) return []
  return warningsOf(data, {
    ...span,
    resourceUuid: when.resourceUuid,
    productUuid,
    ...(except ? { except } : {}),
  })
}
