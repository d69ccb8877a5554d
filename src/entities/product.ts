import Type from 'typebox'
import { maxPlacesAtOnce } from '../rules/offers/window.ts'
import { maxOnForm } from '../rules/questions/check-definition.ts'
import { defaulted, entity, internal, list, optional, required, shown, updatedAt } from './entity.ts'
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
  /** Keys, in the order of the booking form. */
  questions: {
    ...list(Type.String({ maxLength: 50 }), { maxItems: maxOnForm }),
    column: 'question_keys',
  },
  answersRequired: defaulted(
    Type.Boolean({
      description:
        'Refuse bookings by clients that do not know about questions (400 `missing-answer`). Otherwise they are booked and marked `answersMissing`.',
    }),
    false,
  ),
  updatedAt,
  maxPlaces: defaulted(
    Type.Integer({
      minimum: 1,
      maximum: maxPlacesAtOnce,
      description: 'How many places of a group Appointment consumers can book at once.',
    }),
    1,
  ),
  placeNamesRequired: defaulted(
    Type.Boolean({ description: 'A booking of several places needs a name for each of them.' }),
    false,
  ),
  deletedAt: internal<number | null>(),
})
