import Type from 'typebox'
import { defaulted, entity, internal, list, optional, required, shown, updatedAt } from './entity.ts'
import { Day, Email, LanguageTag, OptionalText, Phone, Reference, Text, Uuid } from './fields.ts'

const isPersonal = true

/** Where a person lives. Unlike a place of work, any part may be unknown. */
const PersonAddress = Type.Object(
  {
    street: OptionalText(200),
    number: OptionalText(50),
    zip: OptionalText(20),
    city: OptionalText(200),
    countryCode: OptionalText(3),
  },
  { title: 'CustomerAddress', additionalProperties: false },
)

export type PersonAddress = Type.Static<typeof PersonAddress>

/** Sent ones replace those of the same key; null removes one. */
const OwnFields = Type.Record(Type.String(), Type.Unknown(), {
  title: 'CustomerFields',
  description:
    'Fields of the business’s own, by key: the questions whose subject is `customer`. Only the keys sent change; null removes a value.',
})

export const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' })

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
  tags: list(Tag, { maxItems: 50, isPersonal }),
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
