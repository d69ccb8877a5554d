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
import { blockedByPlacement, joinedBy, type Placement } from '../../rules/offers/slots.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { type BookingParty, resolveBooker } from './booker.ts'
import { productRefusal } from './choose-slot.ts'
import { completeHeld } from './complete-held.ts'
import { type CompletionContext, decideCompletion } from './decide-completion.ts'
import { completionAnsweredBefore, finishBookings } from './finish-booking.ts'
import { countBooked } from './limits.ts'
import { lockForRequests, readSnapshots, type Snapshot } from './lock-and-read.ts'
import { refuseConstraint } from './refuse-slot.ts'
import type { CompleteRequest, Completion, TargetedRequest } from './requests.ts'

/**
 * Books the caller's own hold if it is still there, else whatever is free at that time. Counterpart of
 * reserve.
 */
export async function complete(service: Service, wish: CompleteRequest): Promise<Completion> {
  if (!isUuid(wish.targetUuid)) throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')
  const placeholder = wish.placeholder && isUuid(wish.placeholder) ? wish.placeholder : null
  const targetUuid = wish.targetUuid.toLowerCase()
  // The requested times count, not those of the Appointment that the request may name.
  const target = { uuid: targetUuid, from: wish.start, to: wish.end, itsOwnTimes: false }
  const contact = wish.consumer && { ...wish.consumer, language: wish.language }
  const bookingUuid = randomUUID()
  return service.completing.add({ ...wish, targetUuid, placeholder, target, contact, bookingUuid })
}

/**
 * Waits for the lock of the Resource. `again`: an earlier attempt may have been committed without an answer.
 */
export async function completeAlone(
  service: Service,
  wish: TargetedRequest,
  { again = false } = {},
): Promise<Completion> {
  const completing = service.db.transaction(tx => completeIn(tx, service, wish, again), isRivalPerson)
  return completing.catch(refuseConstraint)
}

/** Two concurrent bookings of one new person: the retry finds the person that the other one created. */
const isRivalPerson = (error: unknown) =>
  violates(error, 'customer_of_user') || violates(error, 'app_user_person_email')

async function completeIn(
  tx: Transaction,
  service: Service,
  wish: TargetedRequest,
  again: boolean,
): Promise<Completion> {
  const { own, present, booker, picture, done } = await lookAt(tx, wish, again)
  if (done) return completionAnsweredBefore(service, done, wish)
  if (picture.kind === 'refused') throw picture.refusal
  const verdict = decideCompletion({ wish, own, around: aroundIn(picture, present) })
  if (verdict.kind === 'repeated') return completionAnsweredBefore(service, verdict.own, wish)
  if (verdict.kind === 'refused') throw verdict.refusal
  // Everything was read, so only an unknown target can be undecided.
  if (verdict.kind === 'undecided' || picture.kind !== 'loaded')
    throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')
  const { loaded } = picture
  if (verdict.kind === 'other product') throw await productRefusal(tx, loaded, verdict.uuid)

  const who = await resolveBooker(tx, loaded, wish, own, booker)
  if (verdict.kind === 'placed') return bookFree(tx, service, wish, loaded, verdict.placement, who)
  const [completion] = await completeHeld(tx, service, [{ ...who, own: verdict.own }])
  return completion!
}

const aroundIn = (picture: Snapshot, present: ReadonlySet<number>): CompletionContext =>
  picture.kind === 'loaded' ? { kind: 'window', loaded: picture.loaded, present } : { kind: 'unknown target' }

/**
 * Locks the Resource and reads everything for the decision in one round trip: statements of one connection
 * run in order.
 */
async function lookAt(tx: Transaction, wish: TargetedRequest, again: boolean) {
  const { target, placeholder, consumer, customerReference } = wish
  const locking = lockForRequests(tx, [wish], { waiting: true })
  const [[own = null], present, [booker = null], [done = null], [picture]] = await Promise.all([
    findHeld(tx, [placeholder]),
    appointmentsWith(tx, target, consumer?.email ?? null, customerReference),
    findBookers(tx, [wish]),
    again ? findBookingsByUuid(tx, wish.bookingUuid) : [],
    readSnapshots(tx, [wish], locking, { waiting: true }),
  ])
  return { picture: picture!, own, present, booker, done }
}

async function bookFree(
  tx: Transaction,
  service: Service,
  wish: TargetedRequest,
  loaded: ResourceWindow,
  placement: Placement,
  { customerUuid, booker, booking, isCounted }: BookingParty,
): Promise<Completion> {
  const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
  const span = { resourceId: loaded.resource.id, ...blockedByPlacement(placement) }
  const [, , , , , bookings] = await Promise.all([
    bumpRevision(tx, [span]),
    wish.placeholder && bumpForHolds(tx, [wish.placeholder]),
    releaseHolds(tx, [wish.placeholder], joinedBy([placement])),
    saveBookers(tx, booker ? [booker] : []),
    insertBooking(tx, loaded, placement, appointmentUuid, customerUuid, booking),
    findBookingsByUuid(tx, booking.uuid),
    isCounted && countBooked(tx, service, [{ resourceId: loaded.resource.id, email: booking.email }]),
  ])
  const [completion] = await finishBookings(tx, service, bookings, {
    now: loaded.now,
    bookers: booker ? [booker] : [],
  })
  return completion!
}
