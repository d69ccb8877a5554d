import Type from 'typebox'
import { entity, internal, optional, required, shown } from './entity.ts'
import { LongText, Minutes, Reference, Text, Uuid } from './fields.ts'

const Buffer = Type.Integer({ minimum: 0, maximum: 10_080 })

export const product = entity('product', {
  id: internal<number>(),
  providerId: internal<number>(),
  uuid: shown(Uuid),
  reference: required(Reference),
  name: required(Text()),
  description: optional(LongText),
  minDuration: optional(Minutes),
  maxDuration: optional(Minutes),
  leadTimeMinutes: optional(Buffer, { column: 'lead_minutes' }),
  followUpTimeMinutes: optional(Buffer, { column: 'follow_up_minutes' }),
  deletedAt: internal<number | null>(),
})
