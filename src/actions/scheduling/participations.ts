import { closeIfEmpty, lockById, lockByIds, tellTouchedAppointments } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { BeginAnew, violates } from '../../db/base/postgres-errors.ts'
import { type AppointmentRow, countTaken, endClaim, isUndecided } from '../../db/scheduling/appointments.ts'
import { type CustomerRow, holdCustomer } from '../../db/scheduling/customers.ts'
import {
  beginEntry,
  carryOnEntry,
  findParticipation,
  findReplaced,
  insertParticipations,
  isOnlyHeld,
  moveParticipation as move,
  type ParticipationRecord,
  type Replaced,
  takesPart,
} from '../../db/scheduling/participations.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
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
} from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import {
  eventOnCreate,
  moveParticipation,
  type ParticipationState,
  takesPlace,
} from '../../rules/news/participations.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { ifChanged } from '../if-changed.ts'
import { lockAppointment, refuseElsewhere } from './cancel-appointments.ts'

type ParticipationFields = {
  reference: string
  appointmentReference: string
  customerReference: string
  state: ParticipationState
  message?: string | null
}

type Flags = { ignoreCapacity: boolean; onDuplicateRaise: boolean; sendMails: boolean }
type Joiner = Pick<CustomerRow, 'id' | 'name' | 'email' | 'mobile' | 'language' | 'unconfirmed'>
type Context = { service: Service; actor: Actor; provider: ProviderRow }

/** A known reference is updated by the rules of Update, unless the caller wants an error. */
export async function createParticipation(
  context: Context,
  fields: ParticipationFields,
  flags: Flags,
): Promise<{ participation: ParticipationRecord; created: boolean }> {
  const { service, provider } = context
  return ifChanged(service.db, async (tx, same) => {
    const { appointment, now } = await lockAppointment(tx, provider, fields.appointmentReference)
    const customer = await holdCustomer(tx, provider.id, fields.customerReference)
    if (!customer) throw notFound('Customer', fields.customerReference, 'customerReference')
    const existing = await findParticipation(tx, provider.id, fields.reference)
    // What was archived with a Resource stands in nobody's way.
    if (existing && (!existing.archived || existing.appointmentId === appointment.id)) {
      refuseDuplicate(existing, appointment.id, fields, flags)
      const participation = await change(tx, context, existing, fields, flags, now)
      return participation === existing
        ? same({ participation, created: false })
        : { participation, created: false }
    }
    await tellTouchedAppointments(tx, [appointment.id])
    await join(tx, context, { appointment, now }, customer, fields, flags)
    return { participation: (await findParticipation(tx, provider.id, fields.reference))!, created: true }
  })
}

type JoinedAppointment = Pick<AppointmentRow, 'id' | 'state' | 'capacity' | 'origin'>
type Joining = Pick<ParticipationFields, 'reference' | 'state' | 'message'>

/** Under the lock of the Resource, with the Customer held. */
export async function join(
  tx: Queryable,
  context: Context,
  { appointment, now }: { appointment: JoinedAppointment; now: number },
  customer: Joiner,
  fields: Joining,
  flags: Omit<Flags, 'onDuplicateRaise'>,
) {
  if (appointment.state === 'CANCELLED') throw appointmentCancelled()
  if (
    takesPlace(fields.state) &&
    !flags.ignoreCapacity &&
    ((await countTaken(tx, appointment.id)) >= appointment.capacity ||
      (await isUndecided(tx, appointment.id)))
  )
    throw capacityExceeded()
  if (takesPlace(fields.state) && (await takesPart(tx, appointment.id, customer.id)))
    throw alreadyParticipates()
  const kind = eventOnCreate[fields.state]
  const begun = kind && appointment.origin === 'consumer' ? await begunNow(tx, appointment.id) : []
  const id = await insert(tx, context, appointment.id, customer, fields)
  if (!kind) return
  const news = { 'appointment.created': begun, [kind]: [id] }
  const { message } = fields
  const { sendMails } = flags
  await happened(tx, context.service, { ...context, news, message, now, sendMails })
}

/** What a consumer only holds begins with the first who has a place in it. */
const begunNow = async (tx: Queryable, appointmentId: number) =>
  (await isOnlyHeld(tx, appointmentId)) ? [appointmentId] : []

export async function updateParticipation(
  context: Context,
  reference: string,
  /** `from`: only if it is still in this state; an answer to a request must not undo the answer before it. */
  wish: { state: ParticipationState; message?: string | null; from?: ParticipationState },
  flags: { sendMails: boolean },
): Promise<ParticipationRecord> {
  const { service, provider } = context
  return ifChanged(service.db, async (tx, same) => {
    const seen = await findParticipation(tx, provider.id, reference)
    if (!seen) throw notFound('Participation', reference)
    const replaced = await findReplaced(tx, seen.replaces)
    const { now } = await lockByIds(tx, [seen.resourceId, replaced?.resourceId ?? seen.resourceId])
    const participation = await findParticipation(tx, provider.id, reference)
    if (!participation) throw notFound('Participation', reference)
    refuseElsewhere(seen, participation)
    if (wish.from && participation.state !== wish.from)
      throw transitionNotAllowed(participation.state, wish.state)
    const changed = await change(tx, context, participation, wish, flags, now)
    return changed === participation ? same(participation) : changed
  })
}

/** Under the lock of the Resource. Moving to where it is already changes nothing and mails nothing. */
async function change(
  tx: Queryable,
  context: Context,
  participation: ParticipationRecord,
  wish: { state: ParticipationState; message?: string | null },
  { sendMails }: { sendMails: boolean },
  now: number,
): Promise<ParticipationRecord> {
  const { service, provider } = context
  const next = moveParticipation(participation.state, wish.state)
  if (next.kind === 'stays') return participation
  if (next.kind === 'never')
    throw invalidField('state', `A Participation cannot be moved to ${wish.state}. Create a new one instead.`)
  if (next.kind === 'not-from-here') throw transitionNotAllowed(participation.state, wish.state)
  if (wish.state === 'BOOKED' && isAnonymousHold(participation)) throw holdOfConsumer()
  if (wish.state === 'BOOKED' && participation.appointmentState === 'CANCELLED') throw appointmentCancelled()

  const isFromHold = participation.state === 'RESERVED' && wish.state === 'BOOKED'
  const isOfConsumers = isFromHold && participation.appointmentOrigin === 'consumer'
  const begun = isOfConsumers ? await begunNow(tx, participation.appointmentId) : []
  const { id, state } = participation
  if (!(await move(tx, id, state, wish.state, wish.message ?? null).catch(refuseTwice))) throw new BeginAnew()
  const replaced = wish.state === 'BOOKED' ? await giveBack(tx, participation) : null
  if (wish.state === 'BOOKED' && participation.replaces !== null)
    await (replaced ? carryOnEntry : beginEntry)(tx, participation.id)
  const left = [participation.appointmentId, ...(replaced ? [replaced.appointmentId] : [])]
  await tellTouchedAppointments(tx, left)
  const closed = await closeIfEmpty(tx, left)
  if (wish.state === 'BOOKED') await endClaim(tx, participation.appointmentId).catch(refuseShared)
  const event = replaced ? 'participation.moved' : next.event
  await happened(tx, service, {
    ...context,
    news: {
      'appointment.created': begun,
      ...(event ? { [event]: [participation.id] } : {}),
      // Not there otherwise, for the event may be a deletion itself.
      ...(replaced ? { 'participation.deleted': [replaced.id] } : {}),
      'appointment.cancelled': closed,
    },
    before: () => replaced ?? undefined,
    message: wish.message,
    now,
    sendMails: sendMails && !next.quiet,
  })
  return (await findParticipation(tx, provider.id, participation.reference))!
}

/** Somebody was put into the place that they would leave. */
function refuseShared(error: unknown): never {
  throw violates(error, 'appointment_no_overlap') ? oldPlaceShared() : error
}

/** The request to move was accepted: the place that they had until now is given back, without a word of its own. */
async function giveBack(
  tx: Queryable,
  { replaces, resourceId }: ParticipationRecord,
): Promise<Replaced | null> {
  const seen = await findReplaced(tx, replaces)
  if (!seen) return null
  if (seen.resourceId !== resourceId) await lockById(tx, seen.resourceId)
  const replaced = await findReplaced(tx, replaces)
  if (replaced) refuseElsewhere(seen, replaced)
  const isGivenBack = replaced !== null && (await move(tx, replaced.id, 'BOOKED', 'DELETED', null))
  return isGivenBack ? replaced : null
}

/** Nobody knows yet who it is for; only the consumer who made it can say so. */
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

async function insert(
  tx: Queryable,
  { service, provider }: Context,
  appointmentId: number,
  customer: Joiner,
  { reference, state, message }: Joining,
): Promise<number> {
  const { name, email, language } = customer
  const mobile = customer.unconfirmed.includes('mobile') ? null : customer.mobile
  const row = {
    appointmentId,
    customerId: customer.id,
    reference,
    name,
    email,
    mobile,
    note: null,
    state,
    messages: message ? [message] : [],
    language,
  }
  const [made] = await insertParticipations(tx, provider.id, service.config.holdSeconds, [row]).catch(
    refuseTwice,
  )
  // The reference belongs to a rival of another Resource.
  if (!made) throw referenceExists('Participation', reference)
  return made.id
}

/** Nobody takes two places in one Appointment. */
function refuseTwice(error: unknown): never {
  if (violates(error, 'participation_once')) throw alreadyParticipates()
  throw error
}
