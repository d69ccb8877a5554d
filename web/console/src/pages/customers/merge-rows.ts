import type { Language } from '#shared/texts/index.ts'
import { fromStored, type StoredAnswers } from '../../../../../src/rules/questions/define.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { languageName } from '../../words.ts'
import { answerLines } from '../questions/answer-texts.ts'
import type { QuestionRecord } from '../questions/questions.ts'
import { addressText, birthDay, type Customer } from './records.ts'
import { texts } from './words.ts'

// What two records say about the same person, side by side.

/** The first record, the second, or both. */
export type Side = 0 | 1 | 'both'

export type Row = {
  key: string
  label: string
  /** As text; empty where a record does not have it. */
  shown: [string, string]
  /** The fields that a merge gets if the value of this record is chosen. */
  fieldsOf: (customer: Customer) => Partial<Body>
}
type Body = Schemas['CustomerPageMerge']

const details = {
  name: [common.name, one => one.name],
  email: [common.email, one => one.email],
  mobile: [common.mobileNumber, one => one.mobile],
  birthDate: [texts.birthDate, one => one.birthDate && birthDay(one.birthDate)],
  language: [common.emailLanguage, one => one.language && languageName(one.language.slice(0, 2) as Language)],
  address: [texts.address, one => addressText(one.address)],
  insurer: [texts.insurer, one => one.insurer],
  insuranceNumber: [texts.insuranceNumber, one => one.insuranceNumber],
  note: [texts.note, one => one.note],
} as const satisfies Record<
  // Tags have a row of their own.
  Exclude<keyof Body, 'other' | 'fields' | 'tags'>,
  [string, (one: Customer) => string | null]
>

export function rowsOf(pair: [Customer, Customer], questions: QuestionRecord[]): Row[] {
  const names = Object.keys(details) as (keyof typeof details)[]
  const own = questions.map(question => {
    const { key } = question
    const text = (one: Customer) => answerLines([question], one.fields)[0]
    return {
      key: `fields.${key}`,
      label: pair.map(text).find(Boolean)?.label ?? '',
      shown: pair.map(one => text(one)?.text ?? '') as [string, string],
      fieldsOf: (one: Customer) => ({ fields: { [key]: fromStored(one.fields as StoredAnswers)[key] } }),
    }
  })
  const known = names.map(key => {
    const [label, text] = details[key]
    const shown = pair.map(one => text(one) ?? '') as [string, string]
    return { key, label, shown, fieldsOf: (one: Customer) => ({ [key]: one[key] }) as Partial<Body> }
  })
  return [...known, ...own].filter(({ shown }) => shown.some(Boolean))
}

/** Both have it, and differently: staff choose. */
export const differs = ({ shown: [one, other] }: Row) => one !== '' && other !== '' && one !== other

/** Notes are joined unless one is chosen; everything else is that of the record that stays. */
export const sideOf = (row: Row, picks: Record<string, Side>, kept: 0 | 1): Side =>
  picks[row.key] ?? (row.key === 'note' ? 'both' : kept)

/** The fields in which the result is not what a merge makes by itself. */
export function chosenFields(
  rows: Row[],
  picks: Record<string, Side>,
  kept: 0 | 1,
  pair: [Customer, Customer],
): Partial<Body> {
  const picked = rows.filter(differs).flatMap(row => {
    const side = sideOf(row, picks, kept)
    const isUsual = side === (row.key === 'note' ? 'both' : kept)
    return isUsual || side === 'both' ? [] : [row.fieldsOf(pair[side])]
  })
  const fields = Object.assign({}, ...picked.map(one => one.fields ?? {}))
  return Object.assign({}, ...picked, Object.keys(fields).length > 0 ? { fields } : {})
}
