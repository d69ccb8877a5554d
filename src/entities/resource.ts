import Type from 'typebox'
import {
  defaulted,
  elsewhere,
  entity,
  internal,
  list,
  optional,
  required,
  shown,
  updatedAt,
} from './entity.ts'
import { AddressInput, AddressRecord, LongText, Reference, Text, Uuid, WebAddress } from './fields.ts'

export const resource = entity('resource', {
  id: internal<number>(),
  providerId: internal<number>(),
  reference: required(Reference),
  uuid: shown(Uuid),
  publicName: required(Text()),
  internalName: required(Text()),
  description: optional(LongText),
  contact: elsewhere(optional(Reference)),
  contactUserId: internal<number | null>(),
  contactProfileReference: elsewhere(optional(Reference)),
  contactProfileId: internal<number | null>(),
  website: optional(WebAddress, { output: Type.String() }),
  archived: defaulted(Type.Boolean(), false),
  products: elsewhere(list(Reference, { maxItems: 1000 })),
  address: optional(AddressInput, { output: AddressRecord }),
  updatedAt,
  deletedAt: internal<number | null>(),
})
