import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Transaction } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import { appointmentsWith, insertBooking } from '../../db/booking/booking-writes.ts'
import { findBookings } from '../../db/booking/bookings.ts'
import { findHeld, type Held } from '../../db/booking/held.ts'
import { releaseHolds } from '../../db/booking/holds.ts'
import { type Booker, findBookers, isNewCustomer } from '../../db/booking/people.ts'
import { saveBookers } from '../../db/booking/people-writes.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { alreadyBooked, notFound, Refusal } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import type { Placement } from '../../rules/slots.ts'
import type { Service } from '../../service.ts'
import { choosePlace, refuseInChannel } from './choose-place.ts'
import { completeHeld } from './complete-held.ts'
import { finishBookings } from './finish-booking.ts'
import { lockAndLoad } from './lock-and-load.ts'
import { refuseConstraint } from './refuse-slot.ts'
import { type Who, whoBooks } from './who-books.ts'
import type { CompleteWish, Completion, TargetedWish } from './wishes.ts'

/** Books: the caller's own hold if it is still there, else whatever is free at that time. The twin of reserve. */
export async function complete(service: Service, wish: CompleteWish): Promise<Completion> {
  if (!isUuid(wish.targetUuid)) throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')
  const placeholder = wish.placeholder && isUuid(wish.placeholder) ? wish.placeholder : null
  const targetUuid = wish.targetUuid.toLowerCase()
  const target = { uuid: targetUuid, from: wish.start, to: wish.end }
  const contact = wish.consumer && { ...wish.consumer, language: wish.language }
  return service.completing.add({ ...wish, targetUuid, placeholder, target, contact })
}

/** Waits for its turn at the Resource. */
export async function completeAlone(service: Service, wish: TargetedWish): Promise<Completion> {
  const completing = service.db.transaction(tx => completeIn(tx, service, wish), isRivalPerson)
  return completing.catch(refuseConstraint)
}

/** Two bookings of one new person at the same moment: the second look finds whom the first one made. */
const isRivalPerson = (error: unknown) =>
  violates(error, 'customer_of_user') || violates(error, 'app_user_consumer_email')

async function completeIn(tx: Transaction, service: Service, wish: TargetedWish): Promise<Completion> {
  const { own, taken, booker, picture } = await lookAt(tx, wish)
  if (picture instanceof Refusal) throw picture
  if (own && isDone(own)) return repeated(own, wish)
  if (typeof picture === 'string') throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')

  const who = await whoBooks(tx, picture, wish, own, booker)
  if (own?.live && isSame(own, wish, picture.resource.id)) {
    if (taken.has(own.appointment_id)) throw alreadyBooked()
    if (own.channel_key !== picture.channel.key) refuseInChannel(own, picture)
    const [completion] = await completeHeld(tx, service, [{ ...who, own }])
    return completion!
  }
  return bookFree(tx, service, wish, picture, await choosePlace(tx, picture, wish, taken), who)
}

/** Locks the Resource and reads all that decides, in one round trip. */
async function lookAt(tx: Transaction, wish: TargetedWish) {
  const { target, placeholder, consumer, customerReference } = wish
  let found: Promise<[(Held | null)[], Set<number>, (Booker | null)[]]> | undefined
  const underLock = () => {
    found = Promise.all([
      findHeld(tx, [placeholder]),
      appointmentsWith(tx, target, consumer?.email ?? null, customerReference),
      findBookers(tx, [wish]),
    ])
    return found
  }
  const [picture] = await lockAndLoad(tx, [wish], { underLock })
  const [[own = null], taken, [booker = null]] = await found!
  return { picture: picture!, own, taken, booker }
}

async function bookFree(
  tx: Transaction,
  service: Service,
  wish: TargetedWish,
  loaded: ResourceWindow,
  placement: Placement,
  { customerUuid, booker, booking }: Who,
): Promise<Completion> {
  const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
  const [, , , bookings] = await Promise.all([
    releaseHolds(tx, [wish.placeholder]),
    saveBookers(tx, booker ? [booker] : []),
    insertBooking(tx, loaded, placement, appointmentUuid, customerUuid, booking),
    findBookings(tx, sql`participation.uuid = ${booking.uuid}`),
  ])
  const newcomers = new Set(booker && isNewCustomer(booker) ? [customerUuid] : [])
  const [completion] = await finishBookings(tx, service, bookings, { now: loaded.now, newcomers })
  return completion!
}

/** Used up: a booking was made of it, whatever became of that booking. */
const isDone = ({ state, completion_digest }: Held) =>
  state === 'BOOKED' || state === 'REQUESTED' || completion_digest !== null

/** The same request again is the same booking; another one with a used placeholder is refused. */
function repeated(done: Held, { digest }: CompleteWish): Completion {
  if (done.completion_digest !== digest) throw alreadyBooked()
  return done.completion as Completion
}

/**
 * Does the wish point at what is held? Then the hold itself becomes the booking. Whoever does not know the Resource that
 * the wish points at leaves it out; an Appointment of the provider is then not recognised by its Timeslot.
 */
export function isSame(own: Held, wish: CompleteWish, resourceId?: number): boolean {
  const { targetUuid, productUuid, start } = wish
  const isTarget =
    targetUuid === own.own_timeslot_uuid ||
    targetUuid === own.appointment_uuid ||
    // Made by the provider: it is called after the Timeslot that it lies in.
    (own.own_timeslot_uuid === null && own.resource_id === resourceId)
  const isProduct = productUuid === null || productUuid.toLowerCase() === own.product_uuid
  return (
    own.state === 'RESERVED' &&
    own.appointment_state === 'ACTIVE' &&
    isTarget &&
    isProduct &&
    start === own.start_at
  )
}
