import { useState } from 'preact/hooks'
import { words } from '../../words.ts'
import { Field } from './Field.tsx'

const texts = words({
  en: { unit: 'Unit', minutes: 'minutes', hours: 'hours', days: 'days' },
  de: { unit: 'Einheit', minutes: 'Minuten', hours: 'Stunden', days: 'Tage' },
  fr: { unit: 'Unité', minutes: 'minutes', hours: 'heures', days: 'jours' },
  es: { unit: 'Unidad', minutes: 'minutos', hours: 'horas', days: 'días' },
  it: { unit: 'Unità', minutes: 'minuti', hours: 'ore', days: 'giorni' },
})

const units = { minutes: 1, hours: 60, days: 1440 }
type Unit = keyof typeof units

type Props = {
  label: string
  hint?: string
  minutes: number
  onChange: (minutes: number) => void
  error?: string | null
}

/** Stored in minutes, edited in the largest fitting unit. */
export function DurationField({ label, hint, minutes, onChange, error }: Props) {
  const [unit, setUnit] = useState<Unit>(() => unitOf(minutes))
  return (
    <Field label={label} {...(hint ? { hint } : {})} error={error ?? null}>
      {ids => (
        <span class="duration">
          <input
            {...ids}
            type="number"
            min={0}
            value={String(minutes / units[unit])}
            onInput={event => onChange(Math.round(Number(event.currentTarget.value) * units[unit]))}
          />
          <select
            aria-label={`${label}: ${texts.unit}`}
            value={unit}
            onChange={event => {
              const next = event.currentTarget.value as Unit
              setUnit(next)
              onChange((minutes / units[unit]) * units[next])
            }}
          >
            {(Object.keys(units) as Unit[]).map(value => (
              <option key={value} value={value} selected={value === unit}>
                {texts[value]}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  )
}

export function unitOf(minutes: number): Unit {
  if (minutes > 0 && minutes % units.days === 0) return 'days'
  return minutes > 0 && minutes % units.hours !== 0 ? 'minutes' : 'hours'
}
