import Type from 'typebox'
import { maxPlacesAtOnce } from '../rules/offers/window.ts'
import { maxOnForm } from '../rules/questions/check-definition.ts'
import { defaulted, entity, internal, list, only, optional, required, shown, updatedAt } from './entity.ts'
import { LongText, Minutes, PictureUrl, Reference, ShortLine, Text, Uuid } from './fields.ts'

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
  ownQuestions: defaulted(
    Type.Boolean({
      description:
        'Whether `questions` are the Product’s own. Otherwise they are those of the business. A list that is sent is its own; `false` goes back to the business.',
    }),
    false,
  ),
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
  priceText: optional(ShortLine(60), {
    output: Type.String({ description: 'What it costs, as consumers read it, such as “€45” or “from €30”.' }),
  }),
  imageUrl: optional(PictureUrl, {
    output: Type.String({ description: 'Address of a picture that booking pages show.' }),
  }),
  deletedAt: internal<number | null>(),
})

/** What consumers read of a Product beside its name and description. A field listed here is in the public API. */
export const publicProductFields = [
  'minDuration',
  'maxDuration',
  'leadTimeMinutes',
  'followUpTimeMinutes',
  'maxPlaces',
  'placeNamesRequired',
  'priceText',
  'imageUrl',
] as const

export const publicProduct = only(product, publicProductFields)
