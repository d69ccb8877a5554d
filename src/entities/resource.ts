import Type from 'typebox'
import {
  defaulted,
  elsewhere,
  entity,
  internal,
  list,
  optional,
  type RowOf,
  renamed,
  required,
  shown,
  updatedAt,
} from './entity.ts'
import {
  AddressInput,
  AddressRecord,
  LongText,
  PictureUrl,
  Reference,
  Text,
  Url,
  Uuid,
  WebAddress,
} from './fields.ts'

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
  website: optional(WebAddress, { output: Url }),
  archived: defaulted(Type.Boolean(), false),
  products: elsewhere(list(Reference, { maxItems: 1000 })),
  address: optional(AddressInput, { output: AddressRecord }),
  updatedAt,
  imageUrl: optional(PictureUrl, {
    output: Type.String({ format: 'uri', description: 'Address of a picture that booking pages show.' }),
  }),
  deletedAt: internal<number | null>(),
})

/**
 * What consumers read of a Resource beside its address and Products, each under its name in the public API. A field
 * listed here is in the public API.
 */
export const publicResource = renamed(resource, {
  uuid: 'uuid',
  name: 'publicName',
  description: 'description',
  url: 'website',
  imgUrl: 'imageUrl',
  archived: 'archived',
})

export type PublicResource = Pick<RowOf<typeof resource>, (typeof publicResource.fields)[number]>
