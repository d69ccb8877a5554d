import Type from 'typebox'
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
import { restoreAppointment } from '../../actions/scheduling/restore-appointment.ts'
import { swapAppointments } from '../../actions/scheduling/swap-appointments.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { findProviderById } from '../../db/setup/providers.ts'
import { invalidField } from '../../errors.ts'
import { maximumCapacity } from '../../rules/offers/timeslots.ts'
import type { Service } from '../../service.ts'
import { Choice, LocalTime, longText, Optional, Uuid, UuidInput } from '../wire/fields.ts'
import { arrivalOf } from '../wire/requests/arrival.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../wire/unchanged.ts'
import { Nullable } from '../wire/wrapper.ts'
import { AppointmentPage, entryOf, type FoundEntry, pageOf } from './appointment-page.ts'
import { resourceOf } from './visible.ts'
import { flags, message, who, whoOf } from './walk-ins.ts'

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

export const restoreConsoleAppointment = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/restore',
  operationId: 'restoreAppointment',
  tag: 'Console',
  summary: 'Take a cancellation back',
  description:
    'The Appointment is on again, and those named have the places that they had. What has been booked at its time since is refused once with 409 `conflict` (`capacity-exceeded` where their place is taken), and done with ignoreConflicts. With sendMails they get the mail of a booking.',
  query: flags,
  body: Type.Object(
    {
      people: Type.Array(
        Type.Object({ uuid: UuidInput, state: Choice(['BOOKED', 'REQUESTED']) }, { title: 'FormerPlace' }),
        { maxItems: maximumCapacity },
      ),
    },
    { title: 'AppointmentRestoration' },
  ),
  replies: { 200: AppointmentPage },
  errors: ['not-found', 'conflict', 'capacity-exceeded', 'already-participates'],
  async handle({ params, query, body, caller, service }) {
    const entry = await entryOf(service, caller, params.uuid)
    const context = await contextOf(service, caller, entry)
    await restoreAppointment(context, entry.reference, body.people, query)
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

const editable = ({ capacity, notes, description }: Editable) => ({ capacity, notes, description })

async function contextOf(service: Service, { actor }: ConsoleCaller, { providerId }: FoundEntry) {
  return { service, actor, provider: (await findProviderById(service.db, providerId))! }
}
