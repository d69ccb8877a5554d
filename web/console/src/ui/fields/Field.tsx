import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Shell = {
  label: string
  hint?: string
  error?: string | null
  children: (ids: Ids) => ComponentChildren
}
type Ids = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** A label, its control, and below it an error or a hint. */
export function Field({ label, hint, error, children }: Shell) {
  const id = useId()
  const about = error || hint ? `${id}-about` : undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(about ? { 'aria-describedby': about } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {about && (
        <p id={about} class={error ? 'error' : 'soft'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

type TextProps = {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: string
  error?: string | null
  type?:
    | 'text'
    | 'email'
    | 'tel'
    | 'password'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'number'
    | 'search'
    | 'url'
    | 'color'
  required?: boolean
  rows?: number
  maxLength?: number
  autocomplete?: string
  placeholder?: string
  min?: string | number
  max?: string | number
  step?: string | number
  disabled?: boolean
  autofocus?: boolean
  onBlur?: () => void
}

export function TextField({ label, hint, error, value, onInput, rows, type = 'text', ...rest }: TextProps) {
  const shell = { label, ...(hint ? { hint } : {}), error: error ?? null }
  return (
    <Field {...shell}>
      {ids =>
        rows ? (
          <textarea
            {...ids}
            {...rest}
            rows={rows}
            value={value}
            onInput={event => onInput(event.currentTarget.value)}
          />
        ) : (
          <input
            {...ids}
            {...rest}
            // The typings discriminate inputs by a literal type, which a shared field does not have.
            type={type as 'text'}
            value={value}
            onInput={event => onInput(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

/** A required name. */
export const NameField = (props: TextProps) => <TextField required {...props} />

type NumberProps = Omit<TextProps, 'value' | 'onInput' | 'type'> & {
  value: number | null
  onInput: (value: number | null) => void
}

/** A whole number or null. */
export const NumberField = ({ value, onInput, ...rest }: NumberProps) => (
  <TextField
    {...rest}
    type="number"
    step={rest.step ?? 1}
    value={value === null ? '' : String(value)}
    onInput={text => onInput(text === '' ? null : Number(text))}
  />
)

type SelectProps<T extends string> = {
  label: string
  value: T
  options: { value: T; label: string }[]
  onChange: (value: T) => void
  hint?: string
  error?: string | null
  disabled?: boolean
}

export function SelectField<T extends string>({
  label,
  hint,
  error,
  value,
  options,
  onChange,
  disabled,
}: SelectProps<T>) {
  return (
    <Field label={label} {...(hint ? { hint } : {})} error={error ?? null}>
      {ids => (
        <select
          {...ids}
          disabled={disabled}
          value={value}
          onChange={event => onChange(chosenIn(event.currentTarget, value) as T)}
        >
          {options.map(one => (
            <option key={one.value} value={one.value} selected={one.value === value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Reads the choice and resets the list to the old value until the page accepts the new one. */
export function chosenIn(select: HTMLSelectElement, before: string): string {
  const { value } = select
  select.value = before
  return value
}

type CheckProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: string
  disabled?: boolean
}

export function CheckField({ label, checked, onChange, hint, disabled }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-about` : undefined}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-about`} class="soft">
          {hint}
        </p>
      )}
    </div>
  )
}
