import Type from 'typebox'
import { invalidField, missingField, type Refusal } from '../../errors.ts'
import { maxDates, repeatUnits } from '../../rules/offers/repeat.ts'
import { maxPlacesAtOnce } from '../../rules/offers/window.ts'
import { isUuid } from '../../rules/references.ts'
import { isTimeZone } from '../../rules/time/time.ts'
import {
  Choice,
  DocumentedAs,
  Email,
  EmailOrBlank,
  Ignorable,
  LocalTime,
  Optional,
  OptionalText,
  Reference,
  Text,
} from '../wire/fields.ts'

const Id = Optional(Type.String({ maxLength: 100 }))
const Required = Text(100)
const Placeholder = Optional(
  Type.String({ maxLength: 100, description: 'The customer_uuid that the reserve request returned.' }),
)

const NewPlaceholder = Optional(
  Type.String({
    maxLength: 100,
    description:
      'A uuid chosen by the client, which names the hold. Repeat the identical request if no answer arrives: it returns the same hold.',
  }),
)

export const PlaceCount = Optional(
  Type.Integer({
    minimum: 1,
    maximum: maxPlacesAtOnce,
    description: 'How many places of a group Appointment, up to the `maxPlaces` of the Product. Default 1.',
  }),
)

export const ConsumerZone = Ignorable(
  Type.String({
    maxLength: 100,
    description: 'IANA name of the zone in which the consumer sees the times. Unknown names are ignored.',
  }),
)

/** The zone, if it is known. */
export const zoneNamed = (value: unknown) => (typeof value === 'string' && isTimeZone(value) ? value : null)

const times = { from: LocalTime, to: LocalTime }

const ReserveInput = Type.Object(
  {
    timeslot_uuid: Id,
    appointment_uuid: Id,
    product_uuid: Required,
    placeholder_id: Placeholder,
    new_placeholder_id: NewPlaceholder,
    place_count: PlaceCount,
    ...times,
  },
  {
    title: 'ReserveInput',
    description: 'timeslot_uuid for a models.Bookable, appointment_uuid for a models.LotAppointment.',
  },
)

const ReserveInputCamelCase = Type.Object(
  {
    timeslotUuid: Id,
    appointmentUuid: Id,
    productUuid: Required,
    placeholder_id: Placeholder,
    new_placeholder_id: NewPlaceholder,
    place_count: PlaceCount,
    ...times,
  },
  {
    title: 'ReserveInputCamelCase',
    description:
      'The form that booking widgets send: from and to are the Provider’s local time, whatever their offset.',
  },
)

/** Accepts both spellings, even mixed. */
export const ReserveBody = DocumentedAs(
  Type.Object({
    ...ReserveInput.properties,
    ...ReserveInputCamelCase.properties,
    product_uuid: Id,
    productUuid: Id,
  }),
  ReserveInput,
  ReserveInputCamelCase,
)

export function missingInReserve(body: Partial<Type.Static<typeof ReserveBody>>): Refusal[] {
  const hasProduct = body.product_uuid || body.productUuid
  const hasTarget = body.timeslot_uuid || body.timeslotUuid || body.appointment_uuid || body.appointmentUuid
  const name = body.new_placeholder_id
  return [
    ...(name && !isUuid(name) ? [invalidField('new_placeholder_id', 'uuid')] : []),
    ...(hasProduct ? [] : [missingField('product_uuid')]),
    ...(hasTarget
      ? []
      : [missingField('timeslot_uuid', 'one-of', { choices: ['timeslot_uuid', 'appointment_uuid'] })]),
  ]
}

const place = {
  start: LocalTime,
  end: LocalTime,
  timeslot_uuid: Type.String({
    ...Required,
    description: 'uuid of the Timeslot or of the Appointment.',
  }),
  product_uuid: Id,
  placeholder_id: Placeholder,
}

const answers = Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Answers to the questions of the Product, by key.',
  }),
)

export const MoveBody = Type.Object(
  {
    ...place,
    answers,
    locale: OptionalText(35),
    old_start: Optional(
      Type.String({
        maxLength: 64,
        description:
          'Start of the booking as the caller knows it. If it has been moved since, returns 409 `changed` and does nothing.',
      }),
    ),
  },
  { title: 'MoveInput' },
)

const SeriesRuleInput = Type.Object(
  {
    unit: Choice(repeatUnits),
    every: Type.Integer({ minimum: 1, maximum: 100 }),
    weekdays: Optional(
      Type.Array(Choice(['1', '2', '3', '4', '5', '6', '7']), {
        maxItems: 7,
        description: 'For weeks: "1" for Monday to "7" for Sunday. Default: the weekday of the first date.',
      }),
    ),
    count: Optional(Type.Integer({ minimum: 1, maximum: maxDates })),
    until: Optional(Type.String({ maxLength: 10, description: 'Last possible day, such as 2027-03-04.' })),
  },
  { title: 'ConsumerSeriesRule' },
)

export const ReserveSeriesBody = Type.Object(
  {
    timeslot_uuid: Required,
    product_uuid: Required,
    place_count: PlaceCount,
    ...times,
    rule: SeriesRuleInput,
    instead: Optional(
      Type.Array(Type.Object({ date: LocalTime, from: LocalTime }), {
        maxItems: maxDates,
        description:
          'Dates of the rule that begin at another time, for example at one of their `nearest`: at most three days away.',
      }),
    ),
    placeholder_ids: Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: maxDates,
        description:
          'Your earlier holds, the one of the first date first. They are released in the same step, so that you can change the rule without losing a date.',
      }),
    ),
  },
  { title: 'ReserveSeriesInput' },
)

const extras = {
  placeholder_ids: Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: maxDates,
      description:
        'The chosen holds of reserve_series: they are booked together, or none is. `start`, `end` and `timeslot_uuid` are those of the first.',
    }),
  ),
  place_count: Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPlacesAtOnce,
      description:
        'How many places, up to the `maxPlaces` of the Product. Default: those of the hold, else 1. If the hold has another number, it is changed while enough places are free.',
    }),
  ),
  place_names: Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: maxPlacesAtOnce,
      description:
        'Who takes the places, if the Product asks (`placeNamesRequired`): one name for each of several places.',
    }),
  ),
  message: OptionalText(1024),
  locale: OptionalText(35),
  timeZone: ConsumerZone,
  channelKey: OptionalText(100),
  answers: Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Answers to the questions of the Product, by key. Fields beside it that are named like a question count too.',
    }),
  ),
  agbs: Type.Optional(
    Type.Unknown({
      description:
        'true if the consumer has accepted the Provider’s terms. Required if the Provider demands it.',
    }),
  ),
}

const CompleteInput = Type.Object(
  {
    ...place,
    email: Email,
    firstname: Text(255),
    lastname: Text(255),
    mobile: OptionalText(100),
    ...extras,
  },
  { title: 'CompleteInput' },
)

const CompleteInputKnownCustomer = Type.Object(
  { ...place, customer_id: Reference, ...extras },
  {
    title: 'CompleteInputKnownCustomer',
    description: 'A known Customer of the Provider: name and email are taken from that Customer.',
  },
)

/** Requires personal details or a Customer id; widgets spell the names in two ways. */
export const CompleteBody = DocumentedAs(
  Type.Object({
    ...CompleteInput.properties,
    customer_id: Optional(Type.String({ maxLength: 255 })),
    email: Optional(EmailOrBlank),
    firstname: OptionalText(255),
    lastname: OptionalText(255),
    firstName: OptionalText(255),
    lastName: OptionalText(255),
    channelId: OptionalText(100),
  }),
  CompleteInput,
  CompleteInputKnownCustomer,
)

type Completion = Partial<Type.Static<typeof CompleteBody>>

const isBlank = (value: unknown) => value == null || (typeof value === 'string' && value.trim() === '')

/** A Customer known to the Provider sends only a customer_id. */
export const isKnownCustomer = ({ customer_id, email }: Completion) => Boolean(customer_id) && isBlank(email)

export const namesIn = ({ firstname, firstName, lastname, lastName }: Completion) => ({
  firstname: isBlank(firstname) ? firstName : firstname,
  lastname: isBlank(lastname) ? lastName : lastname,
})

/** All others must send their details. */
export function missingInComplete(body: Completion): Refusal[] {
  if (isKnownCustomer(body)) return []
  const who = Object.entries({ email: body.email, ...namesIn(body) })
  return who.filter(([_key, value]) => isBlank(value)).map(([field]) => missingField(field))
}

export const RevokeBody = Type.Object(
  { placeholder_id: Placeholder, appointment_id: Ignorable(Type.String()) },
  { title: 'RevokeInput' },
)
