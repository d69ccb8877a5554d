import Type, { type Static, type TSchema } from 'typebox'
import type { SchemaRule } from '../errors.ts'
import { languages } from '../languages.ts'
import { emailPattern, maximumEmailLength, webAddressPattern } from '../rules/people/addresses.ts'
import { branches, referencePattern, uuidPattern } from '../rules/references.ts'

// Building blocks of request bodies. An optional field may be null or empty: it counts as not sent on create,
// and clears the value on update.

/** One rule serves the error message ("email must be an email address ...") and the API document ("Email address ..."). */
export const ruleText = (rule: string, name?: SchemaRule) => ({
  description: describe(rule),
  'x-must': rule,
  ...(name && { 'x-rule': name }),
})

function describe(rule: string) {
  const noun = rule.replace(/^(be (an? )?|have )/, '')
  return noun === rule ? `Must ${rule}.` : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}.`
}

/** One of several texts. The type is stated so that it serialises as fast as any text. */
export const Choice = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/** A nullable schema as one JSON Schema type list: gives shorter errors and documents than anyOf. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>(
    type
      ? { ...rest, type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}) }
      : { anyOf: [schema, { type: 'null' }] },
  )
}

/** Required text that is not blank. */
export const Text = (maxLength = 1000) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

export const Optional = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

export const OptionalText = (maxLength = 1000) => Optional(Type.String({ maxLength }))

export const longText = 20_000
export const LongText = Type.String({ maxLength: longText })

export const Phone = Type.String({ maxLength: 100 })

export const documentedAs: unique symbol = Symbol('shownAs')

/**
 * Accepts more than callers should send, such as two spellings in one body; the document shows the
 * recommended forms.
 */
export const DocumentedAs = <T extends TSchema>(accepted: T, ...ways: TSchema[]): T => ({
  ...accepted,
  [documentedAs]: ways,
})

/** Ignored unless it is valid, so that anything is accepted. The document shows what is read. */
export const Ignorable = <T extends TSchema>(shown: T) =>
  Type.Optional(DocumentedAs(Type.Unknown({ 'x-ignorable': true }), Optional(shown)))

export const Branch = Choice(branches, { title: 'Branch' })
/** Accepts any text: an unknown branch returns 404 with its own message. */
export const BranchInput = DocumentedAs(Text(255), Branch)

export const Reference = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: referencePattern,
  ...ruleText(
    'have 1 to 255 characters without control characters; . and .. are not allowed, because they cannot be part of a path',
  ),
})

const email = {
  maxLength: maximumEmailLength,
  format: 'email',
  pattern: emailPattern,
  ...ruleText('be an email address such as ann@example.org', 'email'),
}
export const Email = Type.String({ ...email, minLength: 3 })
/** For forms that send an empty text for no email. */
export const EmailOrBlank = Type.String({ ...email, pattern: `^\\s*$|${email.pattern}` })

/** Address of a page that consumers see. */
export const WebAddress = Type.String({
  maxLength: 2000,
  format: 'uri',
  pattern: webAddressPattern,
  ...ruleText('be an address that starts with http:// or https://', 'web-address'),
})

/** Pages embed it, so it must be encrypted and safe inside an attribute. */
export const PictureUrl = Type.String({
  maxLength: 2000,
  pattern: '^https://[^\\s"\'<>\\\\]+$',
  ...ruleText('be an address that starts with https://', 'https-address'),
})

/** Free text on one line. */
export const ShortLine = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: '^[^\\x00-\\x1f\\x7f]*$',
    ...ruleText(`be one line of at most ${maxLength} characters`),
  })

const eitherCase = (text: string) => text.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)

export const LanguageTag = Type.String({
  maxLength: 35,
  pattern: `^(${languages.map(eitherCase).join('|')})([-_][A-Za-z0-9]{1,8})*$`,
  ...ruleText(`be one of ${languages.join(', ')}, or a tag that starts with one, such as de-AT`),
})

/** A time as sent by callers. Not `date-time`, which would require an offset. */
export const LocalTime = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '\\S',
  ...ruleText(
    'be an ISO 8601 date-time such as 2027-03-04T08:00; without an offset, the Provider’s local time',
  ),
})

/** A day of the calendar, without a zone. */
export const Day = Type.String({
  maxLength: 10,
  pattern: '^(19|20|21)\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  ...ruleText('be a date such as 1990-02-28'),
})

export const TimeZoneInput = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...ruleText('be a time zone such as Europe/Berlin'),
})

export const UuidInput = Type.String({ format: 'uuid', pattern: uuidPattern, ...ruleText('be a uuid') })

/** Refers to an existing record: an invalid uuid is not found, an empty one is missing. */
export const RequiredUuid = Type.String({ format: 'uuid', minLength: 1, pattern: '\\S' })

/** For responses, where the format is already known to be valid. */
export const Uuid = Type.String({ format: 'uuid' })
export const Moment = Type.String({ format: 'date-time' })
export const EmailText = Type.String({ format: 'email' })
export const Url = Type.String({ format: 'uri' })

export const Price = Type.Object(
  { value: Type.Number(), currency: Choice(['EUR', 'CHF']) },
  { title: 'Price' },
)

export const Minutes = Type.Integer({
  minimum: 1,
  maximum: 525_600,
  ...ruleText('be a whole number of minutes', 'whole-number'),
})

const addressParts = {
  city: Text(),
  zip: Text(100),
  street: Text(),
  number: Text(100),
}

const CountryCode = Type.String({
  pattern: '^[A-Za-z]{2,3}$',
  ...ruleText('be a country code such as DE'),
})

export const InvoiceAddress = Type.Object(
  { ...addressParts, countryCode: CountryCode },
  { title: 'InvoiceAddress' },
)

/** The country may be called countryCode or country; both are in use. */
export const AddressInput = Type.Object(
  { ...addressParts, countryCode: Optional(CountryCode), country: Optional(CountryCode) },
  { title: 'AddressInput' },
)

export const AddressRecord = Type.Object(
  {
    city: Type.String(),
    zip: Type.String(),
    street: Type.String(),
    number: Type.String(),
    countryCode: Type.String(),
  },
  { title: 'Address' },
)

type AddressInput = Type.Static<typeof AddressInput>

export function readAddress({ city, zip, street, number, countryCode, country }: AddressInput) {
  return { city, zip, street, number, countryCode: countryCode ?? country ?? 'DE' }
}

/** Where an Appointment takes place: an address, or free text such as a link to a video call. */
export const AddressOrText = Type.Union([Type.String({ maxLength: 2000 }), AddressInput])
export const AddressOrTextRecord = Type.Union([Type.String(), AddressRecord])

type AddressOrText = Type.Static<typeof AddressOrText> | null | undefined

export function readAddressOrText(address: AddressOrText) {
  return address && typeof address === 'object' ? readAddress(address) : address
}
