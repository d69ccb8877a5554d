import Type from 'typebox'
import { entity, internal, optional, required, shown, updatedAt } from './entity.ts'
import { Email, LanguageTag, Phone, Reference, Text, Uuid } from './fields.ts'

const isPersonal = true

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
  updatedAt,
  userId: internal<number | null>(),
  /** Created or accepted by the CRM or the console, not only by booking: may use channels for Customers. */
  invited: internal<boolean>(),
  /** The number in the form used for lookups. */
  mobileKey: internal<string | null>({ isPersonal }),
  /** Columns that a stranger filled in by booking under this address. */
  unconfirmed: internal<string[]>({ isPersonal }),
  /** In lower case: previous addresses of this Customer. */
  formerEmails: internal<string[]>({ isPersonal }),
})
