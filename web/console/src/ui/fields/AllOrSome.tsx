import { useId } from 'preact/hooks'
import { CheckField } from './Field.tsx'

type Props = {
  legend: string
  all: string
  some: string
  options: { value: string; label: string }[]
  /** Null for all of them, also those that come later. */
  chosen: string[] | null
  onChange: (chosen: string[] | null) => void
  /** What is ticked at first in the choice of some; the last one then stays ticked. */
  first?: string[]
  error?: string | null
}

/** All of them or only some, as a choice of its own: an empty list must not mean everything. */
export function AllOrSome(props: Props) {
  const { legend, all, some, options, chosen, onChange, first = [], error = null } = props
  const id = useId()
  const radio = (name: string, label: string, next: string[] | null) => (
    <div class="check">
      <input
        id={`${id}-${name}`}
        type="radio"
        name={id}
        checked={(chosen === null) === (next === null)}
        onChange={() => onChange(next)}
      />
      <label for={`${id}-${name}`}>{label}</label>
    </div>
  )
  return (
    <fieldset class="stack tight" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      {radio('all', all, null)}
      {radio('some', some, first)}
      {chosen && (
        <div class="stack tight inset">
          {options.map(({ value, label }) => (
            <CheckField
              key={value}
              label={label}
              checked={chosen.includes(value)}
              disabled={first.length > 0 && chosen.length === 1 && chosen.includes(value)}
              onChange={isOn => onChange(isOn ? [...chosen, value] : chosen.filter(one => one !== value))}
            />
          ))}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
