import Type, { type TSchema } from 'typebox'
import { languages } from '../../languages.ts'
import { emailPattern, maximumEmailLength } from '../../rules/people/emails.ts'
import { webAddressPattern } from '../../rules/people/web-addresses.ts'
import { referencePattern, uuidPattern } from '../../rules/references.ts'
import { Choice, Nullable } from './wrapper.ts'

export { Choice } from './wrapper.ts'

// The building bricks of request bodies. Optional fields may be null or an empty text: not sent on create, cleared on
// update.

/** The rule of a text in words: for the document, and for whoever broke it ("email must be an email address such as ..."). */
export const must = (rule: string) => ({
  description: `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`,
  'x-must': rule,
})

/** Required text: something must stand in it. */
export const Text = (maxLength = 1000) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

export const Optional = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

export const OptionalText = (maxLength = 1000) => Optional(Type.String({ maxLength }))

export const longText = 20_000

export const Reference = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: referencePattern,
  ...must(
    'have 1 to 255 characters, none of them a control character, and not be . or .., which no path can hold',
  ),
})

const email = {
  maxLength: maximumEmailLength,
  format: 'email',
  pattern: emailPattern,
  ...must('be an email address such as ann@example.org'),
}
export const Email = Type.String({ ...email, minLength: 3 })
/** Where forms send an empty text for none. */
export const EmailOrBlank = Type.String({ ...email, pattern: `^\\s*$|${email.pattern}` })

/** Of a page that is shown to consumers. */
export const WebAddress = Type.String({
  maxLength: 2000,
  format: 'uri',
  pattern: webAddressPattern,
  ...must('be an address that begins with http:// or https://'),
})

const eitherCase = (text: string) => text.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)

export const LanguageTag = Type.String({
  maxLength: 35,
  pattern: `^(${languages.map(eitherCase).join('|')})([-_][A-Za-z0-9]{1,8})*$`,
  ...must(`be one of ${languages.join(', ')}, or a tag that begins with one, such as de-AT`),
})

/** A moment as callers send it. Not `date-time`, which would demand a zone. */
export const LocalTime = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '\\S',
  ...must('be an ISO 8601 date-time such as 2027-03-04T08:00; without a zone it is local to the Provider'),
})

export const TimeZoneInput = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...must('be a time zone such as Europe/Berlin'),
})

export const ChangedSince = Type.Optional(
  Type.String({ description: 'Only what has been made or changed since this date-time.' }),
)

export const UuidInput = Type.String({ format: 'uuid', pattern: uuidPattern, ...must('be a uuid') })

/** Of answers: what is written there is known to have this form. */
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
  ...must('be a whole number of minutes'),
})

const addressParts = {
  city: Text(),
  zip: Text(100),
  street: Text(),
  number: Text(100),
}

const CountryCode = Type.String({
  pattern: '^[A-Za-z]{2,3}$',
  ...must('be a country code such as DE'),
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

/** Of two kinds of body, the first where the field is given. What is wrong is said of the kind that was meant. */
export const Either = <A extends TSchema, B extends TSchema>(field: string, given: A, otherwise: B) =>
  Type.Unsafe<Type.Static<A> | Type.Static<B>>({
    if: { required: [field], properties: { [field]: { not: { type: 'null' } } } },
    given: field,
    // biome-ignore lint/suspicious/noThenProperty: so JSON Schema calls it, and nobody awaits a schema
    then: given,
    else: otherwise,
  })

/** They are written one after the other, in one transaction. */
export const mostInBatch = 1000

export const shownAs: unique symbol = Symbol('shownAs')

/** Accepts more than anybody should send, such as two spellings in one body; the document shows the ways to send it. */
export const ShownAs = <T extends TSchema>(accepted: T, ...ways: TSchema[]): T => ({
  ...accepted,
  [shownAs]: ways,
})

/** Where an Appointment takes place: an address, or free text such as a link to a video call. */
export const AddressOrText = Type.Union([Type.String({ maxLength: 2000 }), AddressInput])
export const AddressOrTextRecord = Type.Union([Type.String(), AddressRecord])

type AddressOrText = Type.Static<typeof AddressOrText> | null | undefined

export function readAddressOrText(address: AddressOrText) {
  return address && typeof address === 'object' ? readAddress(address) : address
}

export { isUuid } from '../../rules/references.ts'
