import { randomUUID } from 'node:crypto'
import { raiseTouchedAppointments } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { type Booking, findBookingsById } from '../../../db/booking/bookings.ts'
import { clearTheWay } from '../../../db/booking/consumer-appointments.ts'
import { closeBehind, moveToNew } from '../../../db/booking/moves.ts'
import { findPlainBookings, type PlainBooking } from '../../../db/booking/own-places.ts'
import type { TargetWindow } from '../../../db/booking/targets.ts'
import { bookingData } from '../../../mail/booking-data.ts'
import { aConsumer } from '../../../rules/news/events.ts'
import { type Placement, withPlacement } from '../../../rules/offers/slots.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { happened } from '../../happened.ts'
import { noteMoved, personName, wasMovedSince } from '../../moved-lately.ts'
import { isOn } from '../consumer-cancel.ts'
import { decideCompletion } from '../decide-completion.ts'
import { asCompletion } from '../finish-booking.ts'
import { countBooked } from '../limits.ts'
import { loadPictures, lockFor, type Picture } from '../lock-and-load.ts'
import { asCompletionWish, isThere, lookingFor, moveAlone } from '../move.ts'
import type { LinkedMoveWish, Moved } from '../wishes.ts'
import { type Answer, grantAll, together } from './together.ts'

// Together goes what nearly all moves are: somebody who is booked wants a free slot instead, and nobody has to agree. All else
// needs a closer look and is moved alone; so is what a group would refuse, for the slot may be one that the group gives back.

export const moveTogether = (service: Service) =>
  together<LinkedMoveWish, Moved>({
    all: wishes => moveAll(service, wishes),
    one: wish => moveAlone(service, wish),
    // Whoever is there already is answered so.
    oneAgain: wish => moveAlone(service, wish),
  })

type Free = Extract<Placement, { kind: 'new' }>
type Ready = {
  kind: 'ready'
  wish: LinkedMoveWish
  booking: Booking
  loaded: TargetWindow
  placement: Free
  appointmentUuid: string
}
type Decision = Ready | Answer<Moved>

const isReady = (decision: Decision): decision is Ready => decision.kind === 'ready'
const alone = { kind: 'alone' } as const

async function moveAll(service: Service, wishes: LinkedMoveWish[]): Promise<Answer<Moved>[]> {
  const answers = await grantAll<Ready, Moved>(
    service.db,
    tx => decideAll(tx, wishes),
    isReady,
    (tx, ready) => moveReady(tx, service, ready),
  )
  for (const answer of answers) if (answer.kind === 'done') noteMoved(...answer.done.who.map(personName))
  return answers
}

async function decideAll(tx: Queryable, wishes: LinkedMoveWish[]): Promise<Decision[]> {
  const seen = await findPlainBookings(
    tx,
    wishes.filter(one => one.placeholder === null).map(one => one.uuid),
  )
  const simple = firstOnes(wishes, seen)
  if (simple.length === 0) return wishes.map(() => alone)
  const around = await lookAround(tx, simple, seen)
  const decided = new Map<LinkedMoveWish, Decision>()
  for (const [index, wish] of simple.entries()) {
    const decision = decide(wish, seen.get(wish.uuid)!, around, index)
    decided.set(wish, decision)
    if (isReady(decision)) takeIntoAccount(decision, around.pictures)
  }
  return wishes.map(wish => decided.get(wish) ?? alone)
}

/** Of those who leave the same Appointment, one: who leaves last closes it, and that is told once. */
function firstOnes(wishes: LinkedMoveWish[], seen: Map<string, PlainBooking>): LinkedMoveWish[] {
  const left = new Set<number>()
  return wishes.filter(({ uuid }) => {
    const booking = seen.get(uuid)
    if (!booking || left.has(booking.appointmentId)) return false
    left.add(booking.appointmentId)
    return true
  })
}

/** Locks the Resources of both places of each and reads what decides, in one round trip. */
async function lookAround(tx: Queryable, wishes: LinkedMoveWish[], seen: Map<string, PlainBooking>) {
  const waiting = false
  const looking = wishes.map(wish => lookingFor(wish, seen.get(wish.uuid)!.channelKey, wish.uuid))
  const locking = lockFor(tx, looking, { waiting })
  const ids = wishes.map(one => seen.get(one.uuid)!.participationId)
  const [locked, plain, bookings, pictures] = await Promise.all([
    locking,
    findPlainBookings(
      tx,
      wishes.map(one => one.uuid),
    ),
    findBookingsById(tx, ids),
    loadPictures(tx, looking, locking, { waiting }),
  ])
  return { locked, plain, bookings: new Map(bookings.map(one => [one.participationUuid, one])), pictures }
}

type Around = Awaited<ReturnType<typeof lookAround>>

function decide(
  wish: LinkedMoveWish,
  seen: PlainBooking,
  { locked, plain, bookings, pictures }: Around,
  index: number,
): Decision {
  const booking = bookings.get(wish.uuid)
  const picture = pictures[index]!
  if (picture.kind === 'locked' || (booking && !locked.has(booking.resourceId))) return { kind: 'locked' }
  if (!booking || picture.kind !== 'loaded') return alone
  const { loaded } = picture
  const isSimple =
    isAsSeen(seen, plain.get(wish.uuid)) &&
    isOn(booking) &&
    booking.isChangeable &&
    loaded.provider.id === booking.providerId &&
    loaded.channel.bookingProcess !== 'REQUESTED' &&
    (wish.oldStart === null || wish.oldStart === booking.startAt) &&
    !wasMovedSince(wish.arrived, personName(booking.participationId)) &&
    !isThere(booking, loaded, wish)
  if (!isSimple) return alone
  const verdict = decideCompletion({
    wish: asCompletionWish(wish, booking, loaded),
    own: null,
    around: { kind: 'window', loaded, present: new Set() },
  })
  if (verdict.kind !== 'placed' || verdict.placement.kind !== 'new') return alone
  return { kind: 'ready', wish, booking, loaded, placement: verdict.placement, appointmentUuid: randomUUID() }
}

const isAsSeen = (seen: PlainBooking, found: PlainBooking | undefined) =>
  found !== undefined &&
  seen.appointmentId === found.appointmentId &&
  seen.resourceId === found.resourceId &&
  seen.startAt === found.startAt &&
  seen.endAt === found.endAt

/** Those that are decided after it see the new place as taken, and the old one not yet as free. */
function takeIntoAccount({ loaded, placement, appointmentUuid }: Ready, pictures: Picture[]) {
  for (const [index, picture] of pictures.entries()) {
    if (picture.kind !== 'loaded' || picture.loaded.resource.id !== loaded.resource.id) continue
    const window = withPlacement(picture.loaded.window, placement, appointmentUuid)
    pictures[index] = { kind: 'loaded', loaded: { ...picture.loaded, window } }
  }
}

async function moveReady(tx: Transaction, service: Service, ready: Ready[]): Promise<Moved[]> {
  const before = ready.map(one => one.booking)
  const ids = before.map(one => one.participationId)
  const [closed, , , bookings] = await Promise.all([
    closeBehind(tx, before),
    clearTheWay(
      tx,
      ready.map(one => one.loaded),
      [],
    ),
    moveToNew(tx, ready),
    findBookingsById(tx, ids),
  ])
  const after = new Map(bookings.map(one => [one.participationId, one]))
  const moved = ready.map(one => asTold(service, one, after.get(one.booking.participationId)!))
  const stories = moved.map(({ told, before }) => ({
    actor: aConsumer,
    provider: { id: before.providerId, crmId: before.crmId },
    told: [told],
    news: {
      'participation.moved': [before.participationId],
      'appointment.created': [told.booking.appointmentId],
      'appointment.cancelled': closed.filter(id => id === before.appointmentId),
    },
  }))
  const counted = ready.filter(one => one.wish.client !== null)
  await tx.last(
    Promise.all([
      raiseTouchedAppointments(
        tx,
        moved.flatMap(one => [one.before.appointmentId, one.told.booking.appointmentId]),
      ),
      happened(tx, service, stories),
      countBooked(
        tx,
        service,
        counted.map(({ loaded, booking }) => ({ resourceId: loaded.resource.id, email: booking.email })),
      ),
    ]),
  )
  return moved.map(({ told, before }) => ({
    completion: asCompletion(service, told),
    before,
    who: [before.participationId],
  }))
}

function asTold(service: Service, { booking: before, loaded }: Ready, booking: Booking) {
  const previous = { start: toUtcText(before.startAt), end: toUtcText(before.endAt) }
  return { before, told: { booking, data: { ...bookingData(service, booking, null, loaded.now), previous } } }
}
