import Type from 'typebox'
import type { Language } from '../languages.ts'
import { usernamePattern } from '../rules/references.ts'
import { entity, internal, nullable, optional, required, updatedAt } from './entity.ts'
import { Email, Phone, Reference, ruleText, Text } from './fields.ts'

const isPersonal = true
const Username = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: usernamePattern,
  ...ruleText('not contain any of / ? : & # \\'),
})

/** People who have only booked have no reference and no username. */
export const user = entity('app_user', {
  id: internal<number>(),
  crmId: internal<number>(),
  uuid: internal<string>(),
  reference: nullable(required(Reference)),
  email: nullable(required(Email, { isPersonal })),
  username: nullable(required(Username, { isPersonal })),
  firstName: optional(Type.String({ maxLength: 1000 }), { isPersonal }),
  lastName: nullable(required(Text(), { isPersonal })),
  phone: optional(Phone, { isPersonal }),
  mobile: optional(Phone, { isPersonal }),
  updatedAt,
  /** The number in the form used for lookups. */
  mobileKey: internal<string | null>({ isPersonal }),
  /** Columns that a stranger filled in by booking under this address. */
  unconfirmed: internal<string[]>({ isPersonal }),
  language: internal<Language>(),
  verificationNonce: internal<string>(),
  verifiedAt: internal<number | null>(),
})
