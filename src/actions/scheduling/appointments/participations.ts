import type { ProviderContext } from '../../../callers.ts'
import { countGroups } from '../../../db/base/counted-places.ts'
import { closeIfEmpty, lockById, lockByIds, markChangedAppointments } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction, violates } from '../../../db/base/postgres-errors.ts'
import {
  type AppointmentRow,
  countTaken,
  isUndecided,
  settleClaim,
} from '../../../db/scheduling/appointments.ts'
import { type CustomerRow, lockCustomerForUse } from '../../../db/scheduling/customers.ts'
import {
  findParticipation,
  findReplaced,
  insertParticipations,
  isOnlyHeld,
  keepCalendarEntry,
  moveParticipation as move,
  newCalendarEntry,
  type ParticipationRecord,
  type Replaced,
  takesPart,
} from '../../../db/scheduling/participations.ts'
import {
  alreadyParticipates,
  appointmentCancelled,
  capacityExceeded,
  duplicateReference,
  holdOfConsumer,
  invalidField,
  notFound,
  oldPlaceShared,
  referenceExists,
  transitionNotAllowed,
} from '../../../errors.ts'
import {
  eventOnCreate,
  moveParticipation,
  type ParticipationState,
  takesPlace,
} from '../../../rules/states/participations.ts'
import { recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import { offerFreedPlaces } from '../waiting/offer-freed.ts'
import { lockAppointment, restartIfMoved } from './cancel-appointments.ts'
import { changePlaces } from './change-places.ts'

type ParticipationFields = {
  reference: string
  appointmentReference: string
  customerReference: string
  state: ParticipationState
  message?: string | null
  places?: number | null
  placeNames?: string[] | null
}

type Flags = { ignoreCapacity: boolean; onDuplicateRaise: boolean; sendMails: boolean }
type Joiner = Pick<CustomerRow, 'id' | 'name' | 'email' | 'mobile' | 'language' | 'unconfirmed'>
/** A known reference is updated by the rules of Update, unless the caller asks for an error. */
export async function createParticipation(
  context: ProviderContext,
  fields: ParticipationFields,
  flags: Flags,
): Promise<{ participation: ParticipationRecord; created: boolean }> {
  const { service, provider } = context
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const { appointment, now } = await lockAppointment(tx, provider, fields.appointmentReference)
    const customer = await lockCustomerForUse(tx, provider.id, fields.customerReference)
    if (!customer) throw notFound('Customer', fields.customerReference, 'customerReference')
    const existing = await findParticipation(tx, provider.id, fields.reference)
    // A Participation that was archived with its Resource does not block the reference.
    if (existing && (!existing.archived || existing.appointmentId === appointment.id)) {
      refuseDuplicate(existing, appointment.id, fields, flags)
      const participation = await changeAll(tx, context, existing, fields, flags, now)
      return participation === existing
        ? same({ participation, created: false })
        : { participation, created: false }
    }
    await markChangedAppointments(tx, [appointment.id])
    await join(tx, context, { appointment, now }, customer, fields, flags)
    return { participation: (await findParticipation(tx, provider.id, fields.reference))!, created: true }
  })
}

type JoinedAppointment = Pick<AppointmentRow, 'id' | 'state' | 'capacity' | 'origin'>
type Joining = Pick<ParticipationFields, 'reference' | 'state' | 'message' | 'places' | 'placeNames'>

/** Runs under the lock of the Resource, with the Customer locked. */
export async function join(
  tx: Queryable,
  context: ProviderContext,
  { appointment, now }: { appointment: JoinedAppointment; now: number },
  customer: Joiner,
  fields: Joining,
  flags: Omit<Flags, 'onDuplicateRaise'>,
) {
  if (appointment.state === 'CANCELLED') throw appointmentCancelled()
  if (
    takesPlace(fields.state) &&
    !flags.ignoreCapacity &&
    ((await countTaken(tx, appointment.id)) + (fields.places ?? 1) > appointment.capacity ||
      (await isUndecided(tx, appointment.id)))
  )
    throw capacityExceeded()
  if (takesPlace(fields.state) && (await takesPart(tx, appointment.id, customer.id)))
    throw alreadyParticipates()
  const kind = eventOnCreate[fields.state]
  const created = kind && appointment.origin === 'consumer' ? await eventIfFirst(tx, appointment.id) : []
  const id = await insert(tx, context, appointment.id, customer, fields)
  await countGroups(tx, [appointment])
  const events = kind
    ? { 'appointment.created': created, [kind]: [id] }
    : { 'appointment.changed': [appointment.id] }
  const { message } = fields
  const { sendMails } = flags
  await recordEvents(tx, context.service, { ...context, events, message, now, sendMails })
}

/** An Appointment that was only held becomes a real one with its first Participation. */
export const eventIfFirst = async (tx: Queryable, appointmentId: number) =>
  (await isOnlyHeld(tx, appointmentId)) ? [appointmentId] : []

export async function updateParticipation(
  context: ProviderContext,
  reference: string,
  /** `from`: change only if it is still in this state, so that one reply to a request cannot undo another. */
  input: Changing & { from?: ParticipationState },
  flags: { sendMails: boolean; ignoreCapacity?: boolean },
): Promise<ParticipationRecord> {
  const { service, provider } = context
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const seen = await findParticipation(tx, provider.id, reference)
    if (!seen) throw notFound('Participation', reference)
    const replaced = await findReplaced(tx, seen.replaces)
    const { now } = await lockByIds(tx, [seen.resourceId, replaced?.resourceId ?? seen.resourceId])
    const participation = await findParticipation(tx, provider.id, reference)
    if (!participation) throw notFound('Participation', reference)
    restartIfMoved(seen, participation)
    if (input.from && participation.state !== input.from)
      throw transitionNotAllowed(participation.state, input.state)
    const changed = await changeAll(tx, context, participation, input, flags, now)
    return changed === participation ? same(participation) : changed
  })
}

type Changing = Pick<ParticipationFields, 'state' | 'message' | 'places' | 'placeNames'>

/** The state, and the places where they are sent: one email tells of both. */
async function changeAll(
  tx: Queryable,
  context: ProviderContext,
  participation: ParticipationRecord,
  input: Changing,
  { sendMails, ignoreCapacity = false }: { sendMails: boolean; ignoreCapacity?: boolean },
  now: number,
): Promise<ParticipationRecord> {
  const { places, placeNames, message } = input
  const isMoved = participation.state !== input.state
  const options = { ignoreCapacity, sendMails: sendMails && !isMoved, message, now }
  const isChanged =
    (places != null || placeNames != null) &&
    (await changePlaces(tx, context, participation.id, { places, placeNames }, options))
  const changed = await change(tx, context, participation, input, { sendMails }, now)
  if (changed !== participation || !isChanged) return changed
  return (await findParticipation(tx, context.provider.id, participation.reference))!
}

/** In the state that it has. */
export async function changeBookedPlaces(
  context: ProviderContext,
  reference: string,
  input: Omit<Changing, 'state'>,
  flags: { sendMails: boolean; ignoreCapacity: boolean },
): Promise<ParticipationRecord> {
  const seen = await findParticipation(context.service.db, context.provider.id, reference)
  if (!seen) throw notFound('Participation', reference)
  const { state } = seen
  return updateParticipation(context, reference, { ...input, state, from: state }, flags)
}

/** Runs under the lock of the Resource. Setting the current state changes nothing and sends no email. */
async function change(
  tx: Queryable,
  context: ProviderContext,
  participation: ParticipationRecord,
  input: { state: ParticipationState; message?: string | null },
  { sendMails }: { sendMails: boolean },
  now: number,
): Promise<ParticipationRecord> {
  const { service, provider } = context
  const next = moveParticipation(participation.state, input.state)
  if (next.kind === 'stays') return participation
  if (next.kind === 'never') throw invalidField('state', 'no-such-state', { state: input.state })
  if (next.kind === 'not-from-here') throw transitionNotAllowed(participation.state, input.state)
  if (input.state === 'BOOKED' && isAnonymousHold(participation)) throw holdOfConsumer()
  if (input.state === 'BOOKED' && participation.appointmentState === 'CANCELLED') throw appointmentCancelled()

  const isFromHold = participation.state === 'RESERVED' && input.state === 'BOOKED'
  const isOfConsumers = isFromHold && participation.appointmentOrigin === 'consumer'
  const created = isOfConsumers ? await eventIfFirst(tx, participation.appointmentId) : []
  const { id, state } = participation
  if (!(await move(tx, id, state, input.state, input.message ?? null).catch(refuseTwice)))
    throw new RestartTransaction()
  const replaced = input.state === 'BOOKED' ? await giveBack(tx, participation) : null
  if (input.state === 'BOOKED' && participation.replaces !== null)
    await (replaced ? keepCalendarEntry : newCalendarEntry)(tx, participation.id)
  const left = [participation.appointmentId, ...(replaced ? [replaced.appointmentId] : [])]
  await markChangedAppointments(tx, left)
  const closed = await closeIfEmpty(tx, left)
  if (input.state === 'BOOKED') await settleClaim(tx, participation.appointmentId).catch(refuseShared)
  const event = replaced ? 'participation.moved' : next.event
  const recording = recordEvents(tx, service, {
    ...context,
    events: {
      'appointment.created': created,
      // The end of a hold is no event of its own.
      ...(event ? { [event]: [participation.id] } : { 'appointment.changed': [participation.appointmentId] }),
      // Added only if there is one: the event itself may be a deletion, and the keys would collide.
      ...(replaced ? { 'participation.deleted': [replaced.id] } : {}),
      'appointment.cancelled': closed,
    },
    previousTimes: () => replaced ?? undefined,
    message: input.message,
    now,
    sendMails: sendMails && !next.quiet,
  })
  const freed = input.state === 'BOOKED' ? left.slice(1) : left
  await Promise.all([recording, offerFreedPlaces(tx, service, freed)])
  return (await findParticipation(tx, provider.id, participation.reference))!
}

/** Another participant was added to the place that this one would leave. */
function refuseShared(error: unknown): never {
  throw violates(error, 'appointment_no_overlap') ? oldPlaceShared() : error
}

/** An accepted move gives up the old place, without an email of its own. */
async function giveBack(
  tx: Queryable,
  { replaces, resourceId }: ParticipationRecord,
): Promise<Replaced | null> {
  const seen = await findReplaced(tx, replaces)
  if (!seen) return null
  if (seen.resourceId !== resourceId) await lockById(tx, seen.resourceId)
  const replaced = await findReplaced(tx, replaces)
  if (replaced) restartIfMoved(seen, replaced)
  const isGivenBack = replaced !== null && (await move(tx, replaced.id, 'BOOKED', 'DELETED', null))
  return isGivenBack ? replaced : null
}

/** A consumer's hold has no Customer yet; only that consumer can complete it. */
const isAnonymousHold = ({ state, placeholder }: ParticipationRecord) =>
  state === 'RESERVED' && placeholder !== null

function refuseDuplicate(
  existing: ParticipationRecord,
  appointmentId: number,
  fields: ParticipationFields,
  flags: Flags,
) {
  if (flags.onDuplicateRaise) throw duplicateReference('Participation', fields.reference)
  const same =
    existing.appointmentId === appointmentId &&
    (existing.customerReference === null || existing.customerReference === fields.customerReference)
  if (!same) throw referenceExists('Participation', fields.reference)
}

/** The details of a new participant. A number that a stranger entered is left out. */
export const detailsOf = ({ id, name, email, mobile, language, unconfirmed }: Joiner) => ({
  customerId: id,
  name,
  email,
  mobile: unconfirmed.includes('mobile') ? null : mobile,
  note: null,
  language,
})

async function insert(
  tx: Queryable,
  { service, provider }: ProviderContext,
  appointmentId: number,
  customer: Joiner,
  { reference, state, message, places, placeNames }: Joining,
): Promise<number> {
  const row = {
    ...detailsOf(customer),
    appointmentId,
    reference,
    state,
    messages: message ? [message] : [],
    places: places ?? 1,
    placeNames: placeNames?.length ? placeNames : null,
  }
  const [made] = await insertParticipations(tx, provider.id, service.config.holdSeconds, [row]).catch(
    refuseTwice,
  )
  // Another transaction has used the reference at another Resource.
  if (!made) throw referenceExists('Participation', reference)
  return made.id
}

/** A Customer has at most one place in an Appointment. */
export function refuseTwice(error: unknown): never {
  if (violates(error, 'participation_once')) throw alreadyParticipates()
  throw error
}
