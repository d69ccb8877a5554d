import Type, { type Static } from 'typebox'
import type { StoredAnswers } from '../rules/questions/define.ts'
import { attendances, participationStates } from '../rules/states/participations.ts'
import { elsewhere, entity, internal, shown, updatedAt } from './entity.ts'
import { AddressOrTextRecord, Choice, EmailText, Moment, Nullable, Price, Uuid } from './fields.ts'

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

/** Written as JSON by the database; the compiler checks that src/db/scheduling/appointment-records.ts has all fields. */
export const AppointmentRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    acceptBookings: Type.Boolean(),
    address: Nullable(AddressOrTextRecord),
    archived: Type.Boolean(),
    capacity: Type.Number(),
    contactReference: Nullable(Type.String()),
    description: Nullable(Type.String()),
    start: Moment,
    end: Moment,
    notes: Nullable(Type.String()),
    participations: Type.Array(ParticipationInAppointment),
    price: Nullable(Price),
    productReference: Type.String(),
    resourceReference: Type.String(),
    seriesId: Nullable(Uuid),
    state: Choice(['ACTIVE', 'CANCELLED']),
    updatedAt: Type.String({
      format: 'date-time',
      description: 'When the Appointment itself last changed. Each Participation has its own.',
    }),
  },
  { title: 'Appointment' },
)
export type AppointmentRecord = Static<typeof AppointmentRecord>
