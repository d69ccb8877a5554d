import type { CustomerFields } from '../../../db/scheduling/customers.ts'
import type { ImportRow } from '../../../db/scheduling/imports.ts'
import type { ProductRow } from '../../../db/setup/products.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import type { QuestionRow } from '../../../db/setup/questions.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import { addressLimits, customer, tagLimits } from '../../../entities/customer.ts'
import { combineRefusals, invalidField, missingField, notAfterStart, type Refusal } from '../../../errors.ts'
import { languages } from '../../../languages.ts'
import { ownPrefix } from '../../../rules/imports/fields.ts'
import {
  plain,
  readClock,
  readDay,
  readDecimal,
  readMoment,
  readYesNo,
} from '../../../rules/imports/values.ts'
import { parseInstant } from '../../../rules/time/time.ts'

/** What the lines of a file are read with. */
export type Readers = {
  provider: ProviderRow
  questions: QuestionRow[]
  resources: ResourceRow[]
  products: ProductRow[]
  now: number
}

type Texts = Partial<Record<string, string>>

/** The texts of a line by field, without empty ones. */
function textsOf({ mapping }: ImportRow, cells: string[]): Texts {
  const entries = (mapping ?? []).flatMap((field, index) =>
    field && cells[index]?.trim() ? [[field, cells[index].trim()] as const] : [],
  )
  return Object.fromEntries(entries)
}

/** Collects what is wrong with the values of one line. */
class Problems {
  found: Refusal[] = []

  add(refusal: Refusal): undefined {
    this.found.push(refusal)
  }

  throwIfAny() {
    if (this.found.length > 0) throw combineRefusals(this.found as [Refusal, ...Refusal[]])
  }
}

type TextRule = { maxLength?: number; pattern?: string; 'x-rule'?: 'email' }

/** By the rules of the API. */
function checked(
  field: keyof typeof customer.inputs,
  text: string | undefined,
  problems: Problems,
): string | undefined {
  if (text === undefined) return undefined
  const { maxLength, pattern, 'x-rule': rule } = customer.inputs[field] as TextRule
  if (maxLength !== undefined && text.length > maxLength)
    return problems.add(invalidField(field, 'maxLength', { limit: maxLength }))
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    return problems.add(invalidField(field, ':pattern', { as: rule }))
  return text
}

const nameOf = ({ name, firstName, lastName }: Texts) =>
  name ?? ([firstName, lastName].filter(Boolean).join(' ') || undefined)

/** `reference`: null if the file has none. */
export type CustomerLine = { reference: string | null; fields: Omit<CustomerFields, 'reference'> }

/** Only the fields that the line has a value for. Throws everything that is wrong with it. */
export function readCustomerLine(row: ImportRow, cells: string[], readers: Readers): CustomerLine {
  const texts = textsOf(row, cells)
  const problems = new Problems()
  const name = checked('name', nameOf(texts), problems)
  if (nameOf(texts) === undefined) problems.add(missingField('name'))
  const text = (field: 'email' | 'mobile' | 'note' | 'insurer' | 'insuranceNumber') => {
    const value = checked(field, texts[field], problems)
    return value === undefined ? {} : { [field]: value }
  }
  const fields = {
    name: name ?? '',
    ...text('email'),
    ...text('mobile'),
    ...text('note'),
    ...text('insurer'),
    ...text('insuranceNumber'),
    ...birthDateOf(texts, row, readers, problems),
    ...languageOf(texts, problems),
    ...addressOf(texts, problems),
    ...tagsOf(texts, problems),
    ...ownFields(texts, row, readers.questions),
  }
  const reference = checked('reference', texts.reference, problems) ?? null
  problems.throwIfAny()
  return { reference, fields }
}

function birthDateOf({ birthDate }: Texts, { options }: ImportRow, { now }: Readers, problems: Problems) {
  if (birthDate === undefined) return {}
  const day = readDay(birthDate, options.dateOrder, new Date(now).getUTCFullYear())
  if (day) return { birthDate: day }
  problems.add(invalidField('birthDate', 'date:day'))
  return {}
}

/** Codes and names of languages or countries, in the languages of the service. */
function codesOf(type: 'language' | 'region', codes: readonly string[]) {
  const names = languages.flatMap(language => {
    const display = new Intl.DisplayNames(language, { type })
    return codes.map(code => [plain(display.of(code) ?? code), code] as const)
  })
  return new Map([...names, ...codes.map(code => [code.toLowerCase(), code] as const)])
}

// Made when a file is read: they take a while, and every process loads this file.
let languageCodes: Map<string, string> | undefined
let countryCodes: Map<string, string> | undefined

const countries =
  'DE AT CH LI LU FR BE NL IT SM VA ES PT AD GB IE US CA DK NO SE FI PL CZ SK HU SI HR RS BA RO BG GR TR UA RU EE LV LT AL MK ME MT CY IS AU NZ ZA BR AR MX JP CN IN'.split(
    ' ',
  )

function languageOf({ language }: Texts, problems: Problems) {
  if (language === undefined) return {}
  languageCodes ??= codesOf('language', languages)
  const tag = checked('language', languageCodes.get(plain(language)) ?? language, problems)
  return tag === undefined ? {} : { language: tag }
}

function addressOf(texts: Texts, problems: Problems) {
  const parts = Object.entries(addressLimits).flatMap(([part, limit]) => {
    const text = part === 'countryCode' ? countryCodeOf(texts[part]) : texts[part]
    if (text === undefined) return []
    if (text.length > limit) problems.add(invalidField(part, 'maxLength', { limit }))
    return [[part, text] as const]
  })
  return parts.length > 0 ? { address: Object.fromEntries(parts) } : {}
}

function countryCodeOf(text: string | undefined) {
  if (text === undefined) return undefined
  countryCodes ??= codesOf('region', countries)
  return countryCodes.get(plain(text)) ?? text
}

function tagsOf({ tags }: Texts, problems: Problems) {
  if (tags === undefined) return {}
  const all = tags
    .split(/[,;|]/)
    .map(tag => tag.trim())
    .filter(Boolean)
  const { length, count } = tagLimits
  if (all.some(tag => tag.length > length)) problems.add(invalidField('tags', 'maxLength', { limit: length }))
  if (all.length > count) problems.add(invalidField('tags', 'maxItems', { limit: count }))
  return { tags: all }
}

/** Values that cannot be read stay texts, and the check of answers says what is wrong. */
function ownFields(texts: Texts, { options }: ImportRow, questions: QuestionRow[]) {
  const own = questions.flatMap(question => {
    const text = texts[ownPrefix + question.key]
    return text === undefined ? [] : [[question.key, answerOf(question, text, options)] as const]
  })
  return own.length > 0 ? { fields: Object.fromEntries(own) } : {}
}

function answerOf(question: QuestionRow, text: string, { dateOrder }: ImportRow['options']): unknown {
  const keyOf = (given: string) => {
    const isMeant = (texts: object) => Object.values(texts).some(one => plain(String(one)) === plain(given))
    return question.options.find(one => one.key === given || isMeant(one.label))?.key ?? given
  }
  switch (question.type) {
    case 'number':
      return readDecimal(text) ?? text
    case 'date':
      return readDay(text, dateOrder) ?? text
    case 'choice':
      return keyOf(text)
    case 'choices':
      return text.split(/[,;|]/).map(one => keyOf(one.trim()))
    case 'checkbox':
    case 'consent':
      return readYesNo(text) ?? text
    default:
      return text
  }
}

export type AppointmentLine = {
  resource: ResourceRow
  product: ProductRow
  start: number
  end: number
  customerReference: string | null
  person: { name: string | null; email: string | null; mobile: string | null }
  note: string | null
}

export function readAppointmentLine(row: ImportRow, cells: string[], readers: Readers): AppointmentLine {
  const texts = textsOf(row, cells)
  const problems = new Problems()
  const resource = namedOne('resource', texts.resource, readers.resources, resourceNames, problems)
  const product = namedOne(
    'product',
    texts.product,
    readers.products,
    ({ reference, name }) => [reference, name],
    problems,
  )
  const start = startOf(texts, row, readers, problems)
  const end = start === undefined ? undefined : endOf(texts, start, product, row, readers, problems)
  const name = checked('name', nameOf(texts), problems) ?? null
  const email = checked('email', texts.email, problems) ?? null
  const mobile = checked('mobile', texts.mobile, problems) ?? null
  const note = texts.note ?? null
  const customerReference = texts.customerReference ?? null
  if (!name && !email && !customerReference) problems.add(missingField('name'))
  if (note && note.length > maxNote) problems.add(invalidField('note', 'maxLength', { limit: maxNote }))
  if (start !== undefined && start < readers.now) problems.add(invalidField('start', 'future'))
  problems.throwIfAny()
  return {
    resource: resource!,
    product: product!,
    start: start!,
    end: end!,
    customerReference,
    person: { name, email, mobile },
    note,
  }
}

const maxNote = 1023

const resourceNames = ({ reference, internalName, publicName }: ResourceRow) => [
  reference,
  internalName,
  publicName,
]

/** By reference or name; the only one if the line names none. */
function namedOne<T>(
  field: string,
  text: string | undefined,
  all: T[],
  namesOf: (one: T) => string[],
  problems: Problems,
): T | undefined {
  if (text === undefined) return all.length === 1 ? all[0] : problems.add(missingField(field))
  const exact = all.filter(one => namesOf(one).includes(text))
  const found =
    exact.length > 0 ? exact : all.filter(one => namesOf(one).some(name => plain(name) === plain(text)))
  return found.length === 1 ? found[0] : problems.add(invalidField(field, 'known-name'))
}

function startOf(
  { start, day, time }: Texts,
  { options }: ImportRow,
  { provider }: Readers,
  problems: Problems,
) {
  const text = start ?? (day && time ? `${day} ${time}` : undefined)
  if (text === undefined) {
    // A column for both, in files that call it date.
    const both = day && instantOf(readMoment(day, options.dateOrder), provider)
    return both || problems.add(missingField(start === undefined && !day ? 'start' : 'time'))
  }
  const joined = day && !readMoment(text, options.dateOrder) ? `${day} ${text}` : text
  const instant = instantOf(readMoment(joined, options.dateOrder), provider)
  return instant ?? problems.add(invalidField('start', 'time', { example: '08:00' }))
}

const instantOf = (text: string | null, { timeZone }: ProviderRow) =>
  text === null ? null : parseInstant(text, timeZone)

const minuteMs = 60_000

function endOf(
  { end, duration }: Texts,
  start: number,
  product: ProductRow | undefined,
  { options }: ImportRow,
  { provider }: Readers,
  problems: Problems,
): number | undefined {
  if (end !== undefined) {
    const at = instantOf(readMoment(end, options.dateOrder), provider) ?? sameDay(end, start, provider)
    if (at === null) return problems.add(invalidField('end', 'time', { example: '08:00' }))
    return at > start ? at : problems.add(notAfterStart('end', 'start'))
  }
  const minutes = duration === undefined ? (product?.minDuration ?? null) : minutesOf(duration)
  if (minutes !== null) return start + minutes * minuteMs
  if (duration !== undefined) return problems.add(invalidField('duration', 'whole-number'))
  // Without a known service there is an error already.
  return product ? problems.add(missingField('end')) : undefined
}

/** 90, 90 min, 1:30. */
function minutesOf(text: string): number | null {
  const [_match, hours, rest] = /^(\d{1,2}):(\d\d)(?::00)?$/.exec(text) ?? []
  const minutes = hours
    ? Number(hours) * 60 + Number(rest)
    : Number(/^(\d{1,4})\s*(min.*|m|')?$/i.exec(text)?.[1])
  return minutes > 0 && minutes <= 24 * 60 ? minutes : null
}

/** A time without a day is on the day of the start. */
function sameDay(text: string, start: number, provider: ProviderRow): number | null {
  const clock = readClock(text)
  const day = new Intl.DateTimeFormat('sv', { timeZone: provider.timeZone }).format(start)
  return clock === null ? null : instantOf(`${day}T${clock}`, provider)
}
