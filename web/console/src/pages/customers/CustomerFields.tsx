import { useState } from 'preact/hooks'
import { type Language, languages } from '#shared/texts/index.ts'
import { fromStored, type StoredAnswers } from '../../../../../src/rules/questions/define.ts'
import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { binder } from '../../ui/editing/binder.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { languageName } from '../../words.ts'
import { AddressFields } from '../offers/resources/ResourceFields.tsx'
import { AnswerFields } from '../questions/AnswerFields.tsx'
import { asForm, customerFields, useQuestions } from '../questions/questions.ts'
import type { Customer } from './records.ts'
import { useTags } from './records.ts'
import { texts } from './words.ts'

export type Fields = Pick<Customer, keyof typeof fieldLabels>

export const emptyFields: Fields = {
  name: '',
  email: null,
  mobile: null,
  note: null,
  language: null,
  birthDate: null,
  address: null,
  insurer: null,
  insuranceNumber: null,
  fields: {},
  tags: [],
}

export const fieldLabels = {
  name: common.name,
  email: common.email,
  mobile: common.mobileNumber,
  note: texts.note,
  language: common.emailLanguage,
  birthDate: texts.birthDate,
  address: texts.address,
  insurer: texts.insurer,
  insuranceNumber: texts.insuranceNumber,
  fields: texts.moreDetails,
  tags: texts.tags,
}

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
}

export function CustomerFields({ fields, onChange, errorAt }: Props) {
  const bind = binder(fields, onChange, errorAt)
  const choices = [
    { value: '', label: texts.sameAsBusiness },
    ...languages.map((one: Language) => ({ value: one as string, label: languageName(one) })),
  ]
  return (
    <>
      <TextField label={common.name} required {...bind.value('name')} />
      <TextField
        label={common.email}
        type="email"
        value={fields.email ?? ''}
        onInput={email => onChange({ email: email.trim() || null })}
        error={errorAt('email')}
      />
      <TextField label={common.mobileNumber} type="tel" {...bind.text('mobile')} />
      <TextField label={texts.birthDate} type="date" min="1900-01-01" {...bind.text('birthDate')} />
      <SelectField
        label={common.emailLanguage}
        value={fields.language?.slice(0, 2) ?? ''}
        options={choices}
        onChange={language => onChange({ language: language || null })}
      />
      <TextField label={texts.note} hint={texts.noteHint} rows={3} maxLength={1023} {...bind.text('note')} />
      <MoreFields fields={fields} onChange={onChange} errorAt={errorAt} />
    </>
  )
}

const parts = { street: '', number: '', zip: '', city: '', countryCode: '' }

/** Open where something is known: most businesses need little of it. */
function MoreFields({ fields, onChange, errorAt }: Props) {
  const bind = binder(fields, onChange, errorAt)
  const [isOpen] = useState(() => hasMore(fields))
  const questions = customerFields(useQuestions().data?.questions ?? [])
  const asked = questions.map(one => one.key)
  const own = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => asked.includes(key)))
  return (
    <details open={isOpen}>
      <summary>{texts.moreDetails}</summary>
      <div class="stack">
        <Tags tags={fields.tags} onChange={tags => onChange({ tags })} error={errorAt('tags')} />
        <AnswerFields
          form={questions.map(one => ({ ...asForm(one), required: false }))}
          values={fromStored(fields.fields as StoredAnswers)}
          onChange={values => onChange({ fields: own(values) })}
          errorAt={field => errorAt(field.replace('answers.', 'fields.'))}
        />
        <AddressFields
          address={fields.address && withBlanks(fields.address)}
          onChange={address => onChange({ address })}
          errorAt={errorAt}
        />
        <div class="fields">
          <TextField label={texts.insurer} maxLength={200} {...bind.text('insurer')} />
          <TextField label={texts.insuranceNumber} maxLength={100} {...bind.text('insuranceNumber')} />
        </div>
      </div>
    </details>
  )
}

const withBlanks = (address: NonNullable<Fields['address']>) => {
  const known = Object.entries(address).filter(([_key, text]) => text !== null)
  return { ...parts, ...Object.fromEntries(known) } as typeof parts
}

const hasMore = ({ address, insurer, insuranceNumber, tags, fields }: Fields) =>
  [address, insurer, insuranceNumber, tags[0], Object.keys(fields)[0]].some(Boolean)

type TagsProps = { tags: string[]; onChange: (tags: string[]) => void; error: string | null }

/** Typed with commas between them; those in use are one press away. */
function Tags({ tags, onChange, error }: TagsProps) {
  const [typed, type] = useState(tags.join(', '))
  const known = useTags().filter(one => !tags.some(tag => tag.toLowerCase() === one.toLowerCase()))
  const read = (text: string) => {
    type(text)
    onChange(text.split(',').flatMap(tag => tag.trim() || []))
  }
  return (
    <div class="stack tight">
      <TextField label={texts.tags} hint={texts.tagsHint} value={typed} onInput={read} error={error} />
      {known.length > 0 && (
        <div class="row">
          {known.slice(0, 8).map(tag => (
            <Button
              key={tag}
              kind="quiet"
              label={texts.addTag(tag)}
              onClick={() => read([...tags, tag].join(', '))}
            >
              + {tag}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
