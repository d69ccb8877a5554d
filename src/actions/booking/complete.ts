import { randomUUID } from 'node:crypto'
import { bumpForHolds, bumpRevision } from '../../db/base/ledger.ts'
import type { Transaction } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import { appointmentsWith, insertBooking } from '../../db/booking/booking-writes.ts'
import { findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findHeld } from '../../db/booking/held.ts'
import { releaseHolds } from '../../db/booking/holds.ts'
import { findBookers } from '../../db/booking/people.ts'
import { saveBookers } from '../../db/booking/people-writes.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { notFound } from '../../errors.ts'
import { allNamed } from '../../lib/objects.ts'
import { type Actor, consumerActor } from '../../rules/messages/events.ts'
import { blockedByPlacement, joinedBy, type Placement } from '../../rules/offers/slots.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { productRefusal } from './choose-slot.ts'
import { completeHeld } from './complete-held.ts'
import { type CompletionContext, decideCompletion } from './decide-completion.ts'
import { completionAnsweredBefore, finishBookings } from './finish-booking.ts'
import { countBooked } from './limits.ts'
import { lockForRequests, readSnapshots, type Snapshot } from './lock-and-read.ts'
import { refuseConstraint } from './refuse-slot.ts'
import type { CompleteRequest, Completion, TargetedRequest } from './requests.ts'
import { type BookingParty, resolveBooker } from './resolve-booker.ts'
import { answersForHold, answersForPlace } from './take-answers.ts'
import { namesForHold, namesForPlace } from './take-places.ts'

/**
 * Books the caller's own hold if it is still there, else whatever is free at that time. Counterpart of
 * reserve.
 */
export async function complete(service: Service, request: CompleteRequest): Promise<Completion> {
  if (!isUuid(request.targetUuid)) throw notFound('Timeslot', request.targetUuid, 'timeslot_uuid')
  const placeholder = request.placeholder && isUuid(request.placeholder) ? request.placeholder : null
  const targetUuid = request.targetUuid.toLowerCase()
  // The requested times count, not those of the Appointment that the request may name.
  const target = { uuid: targetUuid, from: request.start, to: request.end, itsOwnTimes: false }
  const contact = request.consumer && { ...request.consumer, language: request.language }
  const bookingUuid = randomUUID()
  return service.completeBatcher.add({ ...request, targetUuid, placeholder, target, contact, bookingUuid })
}

/**
 * Waits for the lock of the Resource. `again`: an earlier attempt may have been committed without an answer.
 */
export async function completeAlone(
  service: Service,
  request: TargetedRequest,
  { again = false } = {},
): Promise<Completion> {
  const completing = service.db.transaction(tx => completeIn(tx, service, request, again), isRivalPerson)
  return completing.catch(refuseConstraint)
}

/** Two concurrent bookings of one new person: the retry finds the person that the other one created. */
export const isRivalPerson = (error: unknown) =>
  violates(error, 'customer_of_user') || violates(error, 'app_user_person_email')

export async function completeIn(
  tx: Transaction,
  service: Service,
  request: TargetedRequest,
  again: boolean,
  actor: Actor = consumerActor,
): Promise<Completion> {
  const { own, present, booker, snapshot, done } = await lookAt(tx, request, again)
  if (done) return completionAnsweredBefore(service, done, request)
  if (snapshot.kind === 'refused') throw snapshot.refusal
  const verdict = decideCompletion({ request, own, around: aroundIn(snapshot, present) })
  if (verdict.kind === 'repeated') return completionAnsweredBefore(service, verdict.own, request)
  if (verdict.kind === 'refused') throw verdict.refusal
  // Everything was read, so only an unknown target can be undecided.
  if (verdict.kind === 'undecided' || snapshot.kind !== 'loaded')
    throw notFound('Timeslot', request.targetUuid, 'timeslot_uuid')
  const { loaded } = snapshot
  if (verdict.kind === 'other product') throw await productRefusal(tx, loaded, verdict.uuid)

  const taken =
    verdict.kind === 'placed'
      ? {
          ...(await answersForPlace(tx, request, own, verdict.placement, loaded)),
          ...namesForPlace(request, verdict.placement),
        }
      : { ...answersForHold(request, verdict.own), ...namesForHold(request, verdict.own) }
  const who = await resolveBooker(tx, loaded, request, own, booker, taken)
  if (verdict.kind === 'placed') return bookFree(tx, service, request, loaded, verdict.placement, who, actor)
  const [completion] = await completeHeld(tx, service, [{ ...who, own: verdict.own }], { actor })
  return completion!
}

const aroundIn = (snapshot: Snapshot, present: ReadonlySet<number>): CompletionContext =>
  snapshot.kind === 'loaded'
    ? { kind: 'window', loaded: snapshot.loaded, present }
    : { kind: 'unknown target' }

/**
 * Locks the Resource and reads everything for the decision in one round trip: statements of one connection
 * run in order.
 */
async function lookAt(tx: Transaction, request: TargetedRequest, again: boolean) {
  const { target, placeholder, consumer, customerReference } = request
  const locking = lockForRequests(tx, [request], { waiting: true })
  const [[own = null], present, [booker = null], [done = null], [snapshot]] = await Promise.all([
    findHeld(tx, [placeholder]),
    appointmentsWith(tx, target, consumer?.email ?? null, customerReference),
    findBookers(tx, [request]),
    again ? findBookingsByUuid(tx, request.bookingUuid) : [],
    readSnapshots(tx, [request], locking, { waiting: true }),
  ])
  return { snapshot: snapshot!, own, present, booker, done }
}

async function bookFree(
  tx: Transaction,
  service: Service,
  request: TargetedRequest,
  loaded: ResourceWindow,
  placement: Placement,
  { customerUuid, booker, booking, isCounted }: BookingParty,
  actor: Actor,
): Promise<Completion> {
  const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
  const span = { resourceId: loaded.resource.id, ...blockedByPlacement(placement) }
  const { bookings } = await allNamed({
    bumped: bumpRevision(tx, [span]),
    bumpedForHold: request.placeholder && bumpForHolds(tx, [request.placeholder]),
    released: releaseHolds(tx, [request.placeholder], joinedBy([placement])),
    saved: saveBookers(tx, booker ? [booker] : []),
    inserted: insertBooking(tx, loaded, placement, appointmentUuid, customerUuid, booking),
    bookings: findBookingsByUuid(tx, booking.uuid),
    counted:
      isCounted && countBooked(tx, service, [{ resourceId: loaded.resource.id, email: booking.email }]),
  })
  const [completion] = await finishBookings(tx, service, bookings, {
    now: loaded.now,
    bookers: booker ? [booker] : [],
    actor,
  })
  return completion!
}
