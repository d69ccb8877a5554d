import Type from 'typebox'
import { defaulted, entity, internal, list, optional, required, shown, updatedAt } from './entity.ts'
import { Day, Email, LanguageTag, OptionalText, Phone, Reference, Text, Uuid } from './fields.ts'

const isPersonal = true

export const addressLimits = { street: 200, number: 50, zip: 20, city: 200, countryCode: 3 } as const

/** Where a person lives. Unlike a place of work, any part may be unknown. */
const PersonAddress = Type.Object(
  {
    street: OptionalText(addressLimits.street),
    number: OptionalText(addressLimits.number),
    zip: OptionalText(addressLimits.zip),
    city: OptionalText(addressLimits.city),
    countryCode: OptionalText(addressLimits.countryCode),
  },
  { title: 'CustomerAddress', additionalProperties: false },
)

/** Sent ones replace those of the same key; null removes one. */
const OwnFields = Type.Record(Type.String(), Type.Unknown(), {
  title: 'CustomerFields',
  description:
    'Fields of the business’s own, by key: the questions whose subject is `customer`. Only the keys sent change; null removes a value.',
})

export const tagLimits = { length: 50, count: 50 } as const

const Tag = Type.String({ minLength: 1, maxLength: tagLimits.length, pattern: '\\S' })

/** The CRM API calls the reference `customerReference` and the name `userName`. */
export const customer = entity('customer', {
  id: internal<number>(),
  providerId: internal<number>(),
  uuid: shown(Uuid),
  reference: required(Reference),
  name: required(Text(), { isPersonal }),
  email: optional(Email, { isPersonal }),
  mobile: optional(Phone, { isPersonal }),
  note: optional(Type.String({ maxLength: 1023 }), { isPersonal }),
  language: optional(LanguageTag, { isPersonal }),
  birthDate: optional(Day, { isPersonal }),
  address: optional(PersonAddress, { isPersonal, output: PersonAddress }),
  insurer: optional(Type.String({ maxLength: 200 }), { isPersonal }),
  insuranceNumber: optional(Type.String({ maxLength: 100 }), { isPersonal }),
  fields: defaulted(OwnFields, {}, { isPersonal, output: OwnFields }),
  tags: list(Tag, { maxItems: tagLimits.count, isPersonal }),
  updatedAt,
  userId: internal<number | null>(),
  /** Created or accepted by the CRM or the console, not only by booking: may use channels for Customers. */
  invited: internal<boolean>(),
  /** When the person last asked, on their own page, to have their data erased. */
  erasureRequestedAt: internal<number | null>({ isPersonal }),
  /** The number in the form used for lookups. */
  mobileKey: internal<string | null>({ isPersonal }),
  /** Columns that a stranger filled in by booking under this address. */
  unconfirmed: internal<string[]>({ isPersonal }),
  /** In lower case: previous addresses of this Customer. */
  formerEmails: internal<string[]>({ isPersonal }),
})

const {
  uuid: _,
  reference: _reference,
  note: _note,
  fields: _fields,
  tags: _tags,
  updatedAt: _at,
  ...told
} = customer.outputs

/** What people can read of themselves: all but references and what staff noted. */
export const toldFields = Object.keys(told) as (keyof typeof told)[]
export type ToldField = (typeof toldFields)[number]
