import { type Language, languages } from '#shared/texts/index.ts'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { languageName } from '../../words.ts'
import type { Customer } from './records.ts'
import { texts } from './words.ts'

export type Fields = Pick<Customer, 'name' | 'email' | 'mobile' | 'note' | 'language'>

export const fieldLabels = {
  name: texts.name,
  email: texts.email,
  mobile: texts.mobile,
  note: texts.note,
  language: texts.language,
}

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
}

export function CustomerFields({ fields, onChange, errorAt }: Props) {
  const choices = [
    { value: '', label: texts.sameAsBusiness },
    ...languages.map((one: Language) => ({ value: one as string, label: languageName(one) })),
  ]
  return (
    <>
      <TextField
        label={texts.name}
        value={fields.name}
        required
        onInput={name => onChange({ name })}
        error={errorAt('name')}
      />
      <TextField
        label={texts.email}
        type="email"
        value={fields.email ?? ''}
        onInput={email => onChange({ email: email.trim() || null })}
        error={errorAt('email')}
      />
      <TextField
        label={texts.mobile}
        type="tel"
        value={fields.mobile ?? ''}
        onInput={mobile => onChange({ mobile: mobile || null })}
        error={errorAt('mobile')}
      />
      <SelectField
        label={texts.language}
        value={fields.language?.slice(0, 2) ?? ''}
        options={choices}
        onChange={language => onChange({ language: language || null })}
      />
      <TextField
        label={texts.note}
        hint={texts.noteHint}
        rows={3}
        maxLength={1023}
        value={fields.note ?? ''}
        onInput={note => onChange({ note: note || null })}
        error={errorAt('note')}
      />
    </>
  )
}
