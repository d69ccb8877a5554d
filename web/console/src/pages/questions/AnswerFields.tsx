import { checkAnswers, type FormQuestion, lengthOf } from '../../../../../src/rules/questions/questions.ts'
import { CheckField, SelectField, TextField } from '../../ui/fields/Field.tsx'
import { texts } from './words.ts'

type Values = Record<string, unknown>
type Props = {
  form: FormQuestion[]
  values: Values
  onChange: (values: Values) => void
  errorAt?: (field: string) => string | null
}

/** The visible questions, with the controls of a booking form. */
export function AnswerFields({ form, values, onChange, errorAt = () => null }: Props) {
  const { visible } = checkAnswers(form, values)
  const set = (key: string) => (value: unknown) => onChange({ ...values, [key]: value })
  return (
    <>
      {visible.map(question => (
        <AnswerField
          key={question.key}
          question={question}
          value={values[question.key]}
          onInput={set(question.key)}
          error={errorAt(`answers.${question.key}`)}
        />
      ))}
    </>
  )
}

type FieldProps = {
  question: FormQuestion
  value: unknown
  onInput: (value: unknown) => void
  error: string | null
}

function AnswerField({ question, value, onInput, error }: FieldProps) {
  const { type, options, help, required, min, max } = question
  const label = required ? question.label : `${question.label} (${texts.optional})`
  const shared = { label, error, ...(help ? { hint: help } : {}) }
  if (type === 'checkbox' || type === 'consent')
    return (
      <CheckField
        label={question.label}
        {...(help ? { hint: help } : {})}
        checked={value === true}
        onChange={onInput}
      />
    )
  if (type === 'choices') return <Choices question={question} label={label} value={value} onInput={onInput} />
  const text = String(value ?? '')
  if (type === 'choice')
    return (
      <SelectField
        {...shared}
        value={text}
        options={[{ value: '', label: '' }, ...options.map(one => ({ value: one.key, label: one.label }))]}
        onChange={onInput}
      />
    )
  if (type === 'date')
    return (
      <TextField {...shared} type="date" value={text} min={min ?? ''} max={max ?? ''} onInput={onInput} />
    )
  if (type === 'number') return <TextField {...shared} value={text} onInput={onInput} />
  return (
    <TextField
      {...shared}
      {...(type === 'textarea' ? { rows: 3 } : {})}
      {...(type === 'phone' ? { type: 'tel' as const } : {})}
      maxLength={lengthOf(question)}
      value={text}
      onInput={onInput}
    />
  )
}

function Choices({ question, label, value, onInput }: Omit<FieldProps, 'error'> & { label: string }) {
  const chosen = Array.isArray(value) ? (value as string[]) : []
  return (
    <fieldset class="plain">
      <legend>{label}</legend>
      {question.help && <p class="soft">{question.help}</p>}
      {question.options.map(one => (
        <CheckField
          key={one.key}
          label={one.label}
          checked={chosen.includes(one.key)}
          onChange={isOn => onInput(isOn ? [...chosen, one.key] : chosen.filter(other => other !== one.key))}
        />
      ))}
    </fieldset>
  )
}
