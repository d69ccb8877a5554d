import Type, { type TProperties, type TSchema } from 'typebox'
import { AppointmentRecord } from '../../entities/appointment.ts'
import { type EventNoun, eventKinds, eventNouns, nounOf } from '../../rules/messages/events.ts'
import { CustomerRecord } from '../scheduling/customers.ts'
import { ParticipationReplyRecord } from '../scheduling/participations.ts'
import { TimeslotRecord } from '../scheduling/timeslots.ts'
import { WaitingRecord } from '../scheduling/waiting-list.ts'
import { AccountRecord } from '../setup/accounts.ts'
import { ProductRecord } from '../setup/products.ts'
import { ChannelRecord } from '../setup/profiles.ts'
import { ProviderRecord } from '../setup/providers.ts'
import { QuestionRecord } from '../setup/questions.ts'
import { ResourceRecord } from '../setup/resources.ts'
import { UserRecord } from '../setup/users.ts'
import { Choice } from '../wire/fields.ts'
import { Nullable } from '../wire/wrapper.ts'

// For the document: the data of each event, so that clients know the records by the event's kind. Data may
// have more fields than these.

/** Not Nullable: the description belongs to the property, not to the record. */
const maybe = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
const current = (noun: string, schema: TSchema) =>
  maybe(schema, `The ${noun} as it is now. Null if it is gone.`)
const text = (description: string) => Type.String({ description })
const texts = (...names: string[]) =>
  Object.fromEntries(names.map(name => [name, Type.Optional(Nullable(Type.String()))]))

const uuid = Type.Optional(text('Identifies the subject, also after it was renamed or deleted.'))
const count = (what: string) =>
  Type.Optional(Type.Integer({ description: `Number of ${what} that went with a deleted Resource.` }))

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const period = {
  from: moment('Start of the period in which opening hours may have changed Timeslots.'),
  to: moment('End of that period.'),
}

const aroundAppointment = {
  appointment: current('Appointment', AppointmentRecord),
  participationsTotal: Type.Optional(
    Type.Integer({ description: 'Number of Participations. The record lists the first 100.' }),
  ),
}

const dataOf: Record<EventNoun, TProperties> = {
  appointment: { uuid, ...aroundAppointment },
  participation: { participation: current('Participation', ParticipationReplyRecord), ...aroundAppointment },
  customer: {
    uuid,
    customer: current('Customer', CustomerRecord),
    formerReference: Type.Optional(
      maybe(
        Type.String(),
        'Reference before the Customer was renamed or erased. With `customer.merged`, that of the merged one.',
      ),
    ),
    mergedUuid: Type.Optional(text('Uuid of the Customer that was merged into this one.')),
    separatedFrom: Type.Optional(text('Uuid of the Customer that this one had been merged into.')),
  },
  waiting: { waiting: current('entry of the waiting list', WaitingRecord) },
  timeslot: { uuid, timeslot: current('Timeslot', TimeslotRecord) },
  resource: {
    uuid,
    resource: current('Resource', ResourceRecord),
    timeslots: count('Timeslots'),
    appointments: count('Appointments'),
    ...period,
  },
  product: {
    uuid,
    product: current('Product', ProductRecord),
    name: Type.Optional(text('Name of a deleted Product.')),
  },
  question: { question: current('question', QuestionRecord) },
  provider: { uuid, provider: current('Provider', ProviderRecord) },
  staff: {
    user: current('User', UserRecord),
    role: Type.Optional(text('Role of the staff member.')),
  },
  user: {
    user: current('User', UserRecord),
    formerReference: Type.Optional(maybe(Type.String(), 'Reference of a deleted User.')),
  },
  account: { account: current('Account', AccountRecord) },
  profile: {
    profile: current(
      'Contact Profile',
      Type.Object({
        userReference: Nullable(Type.String()),
        name: Nullable(Type.String()),
        contactChannels: Nullable(Type.Array(ChannelRecord)),
      }),
    ),
  },
  mail: {
    mail: current('email', Type.Object(texts('uuid', 'kind', 'state'))),
    count: Type.Optional(Type.Integer({ description: 'Number of emails whose content was deleted.' })),
  },
  settings: {
    uuid,
    resource: Type.Optional(current('Resource', ResourceRecord)),
    channelKey: maybe(Type.String(), 'The booking channel that changed, or what else changed.'),
    ...period,
  },
  key: {
    key: current(
      'key',
      Type.Object({ ...texts('uuid', 'prefix', 'label'), scopes: Nullable(Type.Array(Type.String())) }),
    ),
  },
  calendar: { calendar: current('external calendar', Type.Object(texts('uuid', 'name', 'kind'))) },
  webhook: { webhook: current('webhook', Type.Object(texts('uuid', 'url'))) },
}

const reference = maybe(
  Type.String(),
  'Names the subject of the event. Null if it belongs to a person who was erased.',
)

/** One schema for each noun: its kinds, and the records in its data. */
export const eventsByNoun = (properties: TProperties) =>
  eventNouns.map(noun =>
    Type.Object(
      {
        ...properties,
        kind: Choice(
          eventKinds.filter(kind => nounOf(kind) === noun),
          { description: 'Kind of event.' },
        ),
        data: Type.Object(
          { reference, ...dataOf[noun] },
          { description: 'The subject of the event, and the records as they are when the event is read.' },
        ),
      },
      { title: titleOf(noun) },
    ),
  )

/** WebhookEvent is what webhooks receive. */
const titleOf = (noun: EventNoun) =>
  noun === 'webhook' ? 'WebhookRecordEvent' : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}Event`
