import Type, { type Static } from 'typebox'
import { maximumCapacity } from '../rules/offers/timeslots.ts'
import type { StoredAnswers } from '../rules/questions/define.ts'
import { attendances, participationStates } from '../rules/states/participations.ts'
import {
  changedAt,
  defaulted,
  elsewhere,
  entity,
  internal,
  optional,
  required,
  sentOnly,
  shown,
  updatedAt,
} from './entity.ts'
import {
  AddressOrText,
  AddressOrTextRecord,
  Choice,
  Email,
  EmailText,
  LongText,
  longText,
  Moment,
  Nullable,
  OptionalText,
  Price,
  Reference,
  Text,
  Uuid,
} from './fields.ts'

export const ParticipationState = Choice(participationStates, { title: 'ParticipationState' })

export const Attendance = Nullable(Choice(attendances, { description: 'Attendance. Null if not recorded.' }))

/**
 * What an agent proposes to a person, kept with the hold until they confirm. `mailbox`: the keyed hash of the address, for the
 * limit per recipient.
 */
export type Proposal = {
  firstName: string
  lastName: string
  answers: Record<string, unknown>
  mailbox: string
}

const isPersonal = true
const text = Nullable(Type.String())

export const participation = entity('participation', {
  id: internal<number>(),
  appointmentId: internal<number>(),
  customerId: internal<number | null>(),
  uuid: internal<string>(),
  reference: shown(Type.String()),
  email: shown(Nullable(EmailText), { isPersonal }),
  mobile: shown(text, { isPersonal }),
  name: shown(text, { isPersonal }),
  note: shown(text, { isPersonal }),
  customerReference: elsewhere(shown(text)),
  state: shown(ParticipationState),
  attendance: shown(Attendance),
  messages: internal<string[]>({ isPersonal }),
  language: internal<string | null>({ isPersonal }),
  locale: internal<string | null>({ isPersonal }),
  timeZone: internal<string | null>({ isPersonal }),
  completionDigest: internal<string | null>({ isPersonal }),
  client: internal<string | null>({ isPersonal }),
  answers: internal<StoredAnswers | null>({ isPersonal }),
  answersMissing: shown(
    Type.Boolean({ description: 'A required question of the booking form has no answer.' }),
    { isPersonal },
  ),
  updatedAt,
  heldQuestions: internal<unknown>({ isPersonal }),
  proposal: internal<Proposal | null>({ isPersonal }),
  places: shown(Type.Number({ description: 'How many places of the Appointment it takes.' })),
  placeNames: internal<string[] | null>({ isPersonal }),
})

export const AnswersRecord = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Answers',
  description:
    'Answers to the questions of the booking form, by key. A consent has `given`, the exact wording as `text`, and when it was given as `at`.',
})

export const ParticipationInAppointment = Type.Object(
  {
    ...participation.outputs,
    messages: Nullable(Type.Array(Type.String())),
    answers: AnswersRecord,
    placeNames: Type.Array(Type.String(), { description: 'Who takes the places, if names were given.' }),
  },
  { title: 'ParticipationInAppointment' },
)
export type ParticipationInAppointment = Static<typeof ParticipationInAppointment>

/** Someone who is created with an Appointment. */
export const participant = {
  name: Text(),
  email: Email,
  mobile: OptionalText(100),
  note: OptionalText(longText),
  state: ParticipationState,
}

export const appointment = entity('appointment', {
  id: internal<number>(),
  providerId: internal<number>(),
  resourceId: internal<number>(),
  productId: internal<number>(),
  timeslotId: internal<number | null>(),
  /** Made by staff for one person, and of no use without them. */
  endsEmpty: internal<boolean>(),
  uuid: shown(Uuid),
  reference: required(Reference),
  acceptBookings: defaulted(Type.Boolean(), false),
  address: optional(AddressOrText, { output: AddressOrTextRecord, isJson: true }),
  archived: shown(Type.Boolean()),
  capacity: defaulted(Type.Integer({ minimum: 0, maximum: maximumCapacity }), 0),
  contactReference: elsewhere(optional(Reference)),
  description: optional(LongText),
  start: elsewhere(shown(Moment)),
  end: elsewhere(shown(Moment)),
  notes: optional(LongText),
  participations: elsewhere(shown(Type.Array(ParticipationInAppointment))),
  price: elsewhere(optional(Price, { output: Price })),
  productReference: elsewhere(required(Reference)),
  resourceReference: elsewhere(required(Reference)),
  seriesId: shown(Nullable(Uuid)),
  state: shown(Choice(['ACTIVE', 'CANCELLED'])),
  updatedAt: changedAt('When the Appointment itself last changed. Each Participation has its own.'),
  productName: sentOnly(Type.String({ maxLength: 1000 })),
  contactProfileReference: elsewhere(sentOnly(Reference)),
  contactUserId: internal<number | null>(),
  contactProfileId: internal<number | null>(),
  origin: internal<'consumer' | 'provider'>(),
  startAt: internal<number>({ isInstant: true }),
  endAt: internal<number>({ isInstant: true }),
  /** With the buffers that the Product had when it was created. */
  blockedFrom: internal<number>({ isInstant: true }),
  blockedTo: internal<number>({ isInstant: true }),
  priceValue: internal<number | null>(),
  priceCurrency: internal<string | null>(),
  /** Of what was sent, to recognise it when it is sent again. */
  contentDigest: internal<Buffer | null>(),
})

/** Written as JSON by the database; the compiler checks that src/db/scheduling/appointment-records.ts has all fields. */
export const AppointmentRecord = Type.Object(appointment.outputs, { title: 'Appointment' })
export type AppointmentRecord = Static<typeof AppointmentRecord>
