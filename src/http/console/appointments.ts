import Type, { type Static } from 'typebox'
import { bookWalkIn as book, type Visitor } from '../../actions/scheduling/book-walk-in.ts'
import {
  cancelAppointment as cancel,
  deleteAppointment as remove,
} from '../../actions/scheduling/cancel-appointments.ts'
import {
  addToAppointment,
  changeAppointment,
  type Editable,
} from '../../actions/scheduling/change-appointment.ts'
import { moveAppointment } from '../../actions/scheduling/move-appointment.ts'
import { swapAppointments } from '../../actions/scheduling/swap-appointments.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { findCustomerByUuid } from '../../db/scheduling/customers.ts'
import { type DiaryEntry, diaryEntriesOf, findDiaryEntry } from '../../db/scheduling/diary.ts'
import { historyOf, mailsAbout } from '../../db/scheduling/history.ts'
import { findProductByUuid } from '../../db/setup/products.ts'
import { findProviderById } from '../../db/setup/providers.ts'
import { invalidField } from '../../errors.ts'
import { confirmationLink, moveLink, shortCancelLink } from '../../links.ts'
import { takesPlace } from '../../rules/news/participations.ts'
import { maximumCapacity } from '../../rules/offers/timeslots.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import {
  Choice,
  Email,
  LocalTime,
  longText,
  Moment,
  Optional,
  OptionalText,
  Text,
  Uuid,
} from '../wire/fields.ts'
import { arrivalOf } from '../wire/requests/arrival.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../wire/unchanged.ts'
import { Nullable } from '../wire/wrapper.ts'
import { DiaryRecord, diaryRecord } from './diary.ts'
import { providerOf, resourceOf, visible } from './visible.ts'

const flags = {
  sendMails: Type.Boolean({ default: true, description: 'Whether those concerned are told by mail.' }),
  ignoreConflicts: Type.Boolean({ default: false, description: 'Do it whatever is in the way.' }),
}
const message = OptionalText(1024)

/** Somebody known, or somebody new. */
const who = {
  customerUuid: Optional(Uuid),
  customer: Optional(
    Type.Object(
      { name: Text(), email: Optional(Email), mobile: OptionalText(100), note: OptionalText(1023) },
      { title: 'NewConsoleCustomer' },
    ),
  ),
}

const HistoryLine = Type.Object(
  {
    kind: Type.String({ description: 'What happened, such as participation.booked.' }),
    at: Moment,
    actorKind: Choice(['key', 'console', 'consumer', 'service']),
    actorName: Nullable(Type.String({ description: 'Who of the staff; prefix of a key.' })),
    person: Nullable(Type.String({ description: 'Whom it was about.' })),
  },
  { title: 'AppointmentHistoryLine' },
)

const MailLine = Type.Object(
  {
    uuid: Uuid,
    kind: Type.String(),
    to: Nullable(Type.String()),
    state: Choice(['queued', 'sent', 'failed', 'kept']),
    lastError: Nullable(Type.String()),
    createdAt: Moment,
    sentAt: Nullable(Type.String()),
  },
  { title: 'AppointmentMail' },
)

const LinksOfOne = Type.Object(
  {
    participationUuid: Uuid,
    confirmation: Type.String({ description: 'Shows the booking.' }),
    move: Type.String({ description: 'Where they choose another time.' }),
    cancel: Type.String({ description: 'Where they cancel.' }),
  },
  { title: 'ParticipationLinks' },
)

const AppointmentPage = Type.Object(
  {
    timeZone: Type.String(),
    entry: DiaryRecord,
    history: Type.Array(HistoryLine, { description: 'Newest first.' }),
    mails: Type.Array(MailLine, { description: 'Newest first.' }),
    links: Type.Array(LinksOfOne, {
      description:
        'The pages of everybody who has a place, as their mails have them: to hand on in another way.',
    }),
  },
  { title: 'AppointmentPage' },
)

export const getAppointmentPage = consoleRoute({
  method: 'GET',
  path: '/console/api/appointments/:uuid',
  operationId: 'getAppointmentPage',
  tag: 'Console',
  summary: 'One Appointment with its history and mails',
  description: 'With an ETag of what `PATCH` changes, which it takes as If-Match.',
  replies: { 200: AppointmentPage },
  errors: ['not-found'],
  async handle({ params, caller, service, reply }) {
    const entry = await entryOf(service, caller, params.uuid)
    tagged(reply, editable(entry))
    return answer(200, await pageOf(service, entry))
  },
})

export const patchAppointment = consoleRoute({
  method: 'PATCH',
  path: '/console/api/appointments/:uuid',
  operationId: 'changeAppointment',
  tag: 'Console',
  summary: 'Change capacity, notes or description of an Appointment',
  description: 'Nobody is mailed. A capacity below the places that are taken takes none of them away.',
  headers: IfMatch,
  body: Type.Partial(
    Type.Object({
      capacity: Type.Integer({ minimum: 0, maximum: maximumCapacity }),
      notes: Nullable(Type.String({ maxLength: longText })),
      description: Nullable(Type.String({ maxLength: longText })),
    }),
    { title: 'AppointmentChange' },
  ),
  replies: { 200: AppointmentPage },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const entry = await entryOf(service, caller, params.uuid)
    const context = await contextOf(service, caller, entry)
    await changeAppointment(context, entry.reference, body, ifUnchanged(request, editable))
    const saved = await entryOf(service, caller, params.uuid)
    tagged(reply, editable(saved))
    return answer(200, await pageOf(service, saved))
  },
})

export const cancelConsoleAppointment = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/cancel',
  operationId: 'cancelWholeAppointment',
  tag: 'Console',
  summary: 'Cancel an Appointment with everybody in it',
  description: 'Cancelled twice: nothing happens the second time.',
  query: { sendMails: flags.sendMails },
  body: Type.Object({ message }, { title: 'AppointmentCancellation' }),
  replies: { 200: AppointmentPage },
  errors: ['not-found'],
  async handle({ params, query, body, caller, service }) {
    const entry = await entryOf(service, caller, params.uuid)
    const { provider } = await contextOf(service, caller, entry)
    await cancel(service, caller.actor, provider, entry.reference, body.message ?? null, query.sendMails)
    return answer(200, await pageOf(service, await entryOf(service, caller, params.uuid)))
  },
})

export const moveConsoleAppointment = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/move',
  operationId: 'moveWholeAppointment',
  tag: 'Console',
  summary: 'Move an Appointment with everybody in it',
  description:
    'What it would overlap is refused once with 409 `conflict`, which names it, and done with ignoreConflicts. Of two moves at the same moment one wins; the other is 409 `changed`.',
  query: flags,
  body: Type.Object(
    { start: LocalTime, end: LocalTime, resourceUuid: Optional(Uuid), message },
    { title: 'ConsoleAppointmentMove' },
  ),
  replies: { 200: AppointmentPage },
  errors: ['not-found', 'conflict', 'changed', 'appointment-cancelled'],
  async handle({ params, query, body, caller, service, reply }) {
    const arrived = arrivalOf(reply)
    const entry = await entryOf(service, caller, params.uuid)
    const context = { ...(await contextOf(service, caller, entry)), arrived }
    const { resourceUuid, ...rest } = body
    const resource = resourceUuid
      ? await resourceOf(service, { providerIds: [entry.providerId] }, resourceUuid)
      : null
    const wish = { ...rest, resourceReference: resource?.reference ?? null }
    await moveAppointment(context, entry.reference, wish, query)
    return answer(200, await pageOf(service, await entryOf(service, caller, params.uuid)))
  },
})

export const swapConsoleAppointments = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/swap',
  operationId: 'swapAppointments',
  tag: 'Console',
  summary: 'Let two Appointments trade places',
  description:
    'Each gets the start and the Resource of the other and keeps its length; both move at once or not at all. What they would overlap is refused once with 409 `conflict`, and done with ignoreConflicts.',
  query: flags,
  body: Type.Object({ withUuid: Uuid, message }, { title: 'AppointmentSwap' }),
  replies: { 200: AppointmentPage },
  errors: ['not-found', 'conflict', 'changed', 'appointment-cancelled'],
  async handle({ params, query, body, caller, service, reply }) {
    const arrived = arrivalOf(reply)
    const entry = await entryOf(service, caller, params.uuid)
    const other = await entryOf(service, { providerIds: [entry.providerId] }, body.withUuid)
    const context = { ...(await contextOf(service, caller, entry)), arrived }
    const { message = null } = body
    await swapAppointments(
      context,
      { reference: entry.reference, otherReference: other.reference, message },
      query,
    )
    return answer(200, await pageOf(service, await entryOf(service, caller, params.uuid)))
  },
})

export const deleteConsoleAppointment = consoleRoute({
  method: 'DELETE',
  path: '/console/api/appointments/:uuid',
  operationId: 'deleteWholeAppointment',
  tag: 'Console',
  summary: 'Delete an Appointment without a word to anybody',
  description:
    'For what was booked by mistake: it leaves every list. Whoever should hear of it is cancelled.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const entry = await entryOf(service, caller, params.uuid)
    const { provider } = await contextOf(service, caller, entry)
    await remove(service, caller.actor, provider, entry.reference)
    return noContent()
  },
})

export const addParticipant = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/participations',
  operationId: 'addParticipant',
  tag: 'Console',
  summary: 'Add a Customer to an Appointment',
  description:
    'Somebody known (`customerUuid`) or new (`customer`). A full one is refused unless ignoreConflicts.',
  query: flags,
  body: Type.Object({ ...who, message }, { title: 'NewParticipant' }),
  replies: { 201: AppointmentPage },
  errors: ['not-found', 'capacity-exceeded', 'appointment-cancelled', 'already-participates'],
  async handle({ params, query, body, caller, service }) {
    const entry = await entryOf(service, caller, params.uuid)
    const context = await contextOf(service, caller, entry)
    const person = await whoOf(service, entry.providerId, body)
    if (!person) throw invalidField('customerUuid', 'Send customerUuid, or customer for somebody new.')
    const { sendMails, ignoreConflicts: ignoreCapacity } = query
    await addToAppointment(context, entry.reference, person, body.message ?? null, {
      sendMails,
      ignoreCapacity,
    })
    return answer(201, await pageOf(service, await entryOf(service, caller, params.uuid)))
  },
})

const WalkIn = Type.Object(
  {
    resourceUuid: Uuid,
    productUuid: Uuid,
    start: LocalTime,
    end: LocalTime,
    capacity: Optional(Type.Integer({ minimum: 0, maximum: maximumCapacity, description: 'Default 1.' })),
    notes: OptionalText(longText),
    description: OptionalText(longText),
    ...who,
    message,
  },
  { title: 'WalkIn' },
)

export const bookWalkIn = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/appointments',
  operationId: 'bookWalkIn',
  tag: 'Console',
  summary: 'Book an Appointment for somebody, or for nobody yet',
  description:
    'What overlaps, lies outside the Timeslots or in the past is refused once with 409 `conflict`, and done with ignoreConflicts.',
  query: flags,
  body: WalkIn,
  replies: { 201: DiaryRecord },
  errors: ['not-found', 'conflict'],
  async handle({ params, query, body, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    const { resourceUuid, productUuid, customer, customerUuid, ...rest } = body
    const resource = await resourceOf(service, { providerIds: [provider.id] }, resourceUuid)
    const product = await productOf(service, provider.id, productUuid)
    const wish = {
      ...rest,
      resource,
      product,
      capacity: body.capacity ?? 1,
      who: await whoOf(service, provider.id, { customer, customerUuid }),
    }
    const { id } = await book({ service, actor: caller.actor, provider }, wish, query)
    const [entry] = await diaryEntriesOf(service.db, provider.id, { appointments: [id], participations: [] })
    return answer(201, diaryRecord(entry!))
  },
})

type Found = DiaryEntry & { providerId: number }

const editable = ({ capacity, notes, description }: Editable) => ({ capacity, notes, description })

const entryOf = (
  service: Service,
  caller: Pick<ConsoleCaller, 'providerIds'>,
  uuid: string,
): Promise<Found> =>
  visible(
    'Appointment',
    uuid,
    caller,
    row => row.providerId,
    () => findDiaryEntry(service.db, uuid),
  )

const productOf = (service: Service, providerId: number, uuid: string) =>
  visible(
    'Product',
    uuid,
    { providerIds: [providerId] },
    row => row.providerId,
    () => findProductByUuid(service.db, uuid),
  )

async function contextOf(service: Service, { actor }: ConsoleCaller, { providerId }: Found) {
  return { service, actor, provider: (await findProviderById(service.db, providerId))! }
}

async function whoOf(
  service: Service,
  providerId: number,
  sent: Pick<Static<typeof WalkIn>, 'customer' | 'customerUuid'>,
): Promise<Visitor | null> {
  if (!sent.customerUuid) return sent.customer ?? null
  const { reference } = await visible(
    'Customer',
    sent.customerUuid,
    { providerIds: [providerId] },
    row => row.providerId,
    () => findCustomerByUuid(service.db, sent.customerUuid!),
  )
  return { reference }
}

const mostLines = 200

async function pageOf(
  service: Service,
  { providerId, ...entry }: Found,
): Promise<Static<typeof AppointmentPage>> {
  const { db } = service
  const [provider, history, mails] = await Promise.all([
    findProviderById(db, providerId),
    historyOf(db, entry.uuid, mostLines),
    mailsAbout(db, entry.uuid, mostLines),
  ])
  return {
    timeZone: provider!.timeZone,
    entry: diaryRecord(entry),
    history: history.map(line => ({ ...line, at: toUtcText(line.at) })),
    mails: mails.map(mail => ({
      ...mail,
      createdAt: toUtcText(mail.createdAt),
      sentAt: mail.sentAt === null ? null : toUtcText(mail.sentAt),
    })),
    links: linksOf(service, entry),
  }
}

function linksOf(service: Service, { people, start, state }: DiaryEntry) {
  const there = state === 'ACTIVE' ? people.filter(one => takesPlace(one.state) && one.name !== null) : []
  return there.map(({ uuid }) => {
    const signed = { participationUuid: uuid, startAt: start }
    return {
      participationUuid: uuid,
      confirmation: confirmationLink(service, signed),
      move: moveLink(service, signed),
      cancel: shortCancelLink(service, signed),
    }
  })
}
