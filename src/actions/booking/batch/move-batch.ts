import { randomUUID } from 'node:crypto'
import { bumpForAppointments } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { type Booking, findBookingsById } from '../../../db/booking/bookings.ts'
import { removeExpiredHolds } from '../../../db/booking/consumer-appointments.ts'
import { closeEmptied, moveToNew } from '../../../db/booking/moves.ts'
import { findPlainBookings, type PlainBooking } from '../../../db/booking/own-places.ts'
import type { TargetWindow } from '../../../db/booking/targets.ts'
import { bookingData } from '../../../mail/booking-data.ts'
import { consumerActor } from '../../../rules/messages/events.ts'
import { type Placement, withPlacement } from '../../../rules/offers/slots.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { participationKey, rememberMove, wasMovedSince } from '../../recent-moves.ts'
import { recordEvents } from '../../record-events.ts'
import { isActive } from '../consumer-cancel.ts'
import { decideCompletion } from '../decide-completion.ts'
import { toCompletion } from '../finish-booking.ts'
import { countBooked } from '../limits.ts'
import { lockForRequests, readSnapshots, type Snapshot } from '../lock-and-read.ts'
import { isAlreadyThere, moveAlone, snapshotRequest, toCompleteRequest } from '../move.ts'
import type { LinkedMoveRequest, Moved } from '../requests.ts'
import { type BatchResult, commitGranted, runBatch } from './run-batch.ts'

// Batches the common case: a booking moves to a free slot and needs no approval. Everything else runs alone,
// and so does what a batch would refuse, because the batch itself may free the slot.

export const moveBatch = (service: Service) =>
  runBatch<LinkedMoveRequest, Moved>({
    all: wishes => moveAll(service, wishes),
    one: wish => moveAlone(service, wish),
    // Safe to repeat: a booking that is already at the target is returned as it is.
    retryLostCommit: wish => moveAlone(service, wish),
  })

type Free = Extract<Placement, { kind: 'new' }>
type Ready = {
  kind: 'ready'
  wish: LinkedMoveRequest
  booking: Booking
  loaded: TargetWindow
  placement: Free
  appointmentUuid: string
}
type Decision = Ready | BatchResult<Moved>

const isReady = (decision: Decision): decision is Ready => decision.kind === 'ready'
const alone = { kind: 'alone' } as const

async function moveAll(service: Service, wishes: LinkedMoveRequest[]): Promise<BatchResult<Moved>[]> {
  const answers = await commitGranted<Ready, Moved>(
    service.db,
    tx => decideAll(tx, wishes),
    isReady,
    (tx, ready) => moveReady(tx, service, ready),
  )
  for (const answer of answers)
    if (answer.kind === 'done') rememberMove(...answer.done.who.map(participationKey))
  return answers
}

async function decideAll(tx: Queryable, wishes: LinkedMoveRequest[]): Promise<Decision[]> {
  const seen = await findPlainBookings(
    tx,
    wishes.filter(one => one.placeholder === null).map(one => one.uuid),
  )
  const simple = firstOnes(wishes, seen)
  if (simple.length === 0) return wishes.map(() => alone)
  const around = await lookAround(tx, simple, seen)
  const decided = new Map<LinkedMoveRequest, Decision>()
  for (const [index, wish] of simple.entries()) {
    const decision = decide(wish, seen.get(wish.uuid)!, around, index)
    decided.set(wish, decision)
    if (isReady(decision)) takeIntoAccount(decision, around.pictures)
  }
  return wishes.map(wish => decided.get(wish) ?? alone)
}

/**
 * Only the first move out of each Appointment: the last one to leave closes it, and that must cause one event
 * only.
 */
function firstOnes(wishes: LinkedMoveRequest[], seen: Map<string, PlainBooking>): LinkedMoveRequest[] {
  const left = new Set<number>()
  return wishes.filter(({ uuid }) => {
    const booking = seen.get(uuid)
    if (!booking || left.has(booking.appointmentId)) return false
    left.add(booking.appointmentId)
    return true
  })
}

/** Locks the Resources of both places and reads everything for the decision in one round trip. */
async function lookAround(tx: Queryable, wishes: LinkedMoveRequest[], seen: Map<string, PlainBooking>) {
  const waiting = false
  const looking = wishes.map(wish => snapshotRequest(wish, seen.get(wish.uuid)!.channelKey, wish.uuid))
  const locking = lockForRequests(tx, looking, { waiting })
  const ids = wishes.map(one => seen.get(one.uuid)!.participationId)
  const [locked, plain, bookings, pictures] = await Promise.all([
    locking,
    findPlainBookings(
      tx,
      wishes.map(one => one.uuid),
    ),
    findBookingsById(tx, ids),
    readSnapshots(tx, looking, locking, { waiting }),
  ])
  return { locked, plain, bookings: new Map(bookings.map(one => [one.participationUuid, one])), pictures }
}

type Around = Awaited<ReturnType<typeof lookAround>>

function decide(
  wish: LinkedMoveRequest,
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
    isActive(booking) &&
    booking.isChangeable &&
    loaded.provider.id === booking.providerId &&
    loaded.channel.bookingProcess !== 'REQUESTED' &&
    (wish.oldStart === null || wish.oldStart === booking.startAt) &&
    !wasMovedSince(wish.arrived, participationKey(booking.participationId)) &&
    !isAlreadyThere(booking, loaded, wish)
  if (!isSimple) return alone
  const verdict = decideCompletion({
    wish: toCompleteRequest(wish, booking, loaded),
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

/** Later decisions in the batch see the new place as taken; the old one counts as taken until the commit. */
function takeIntoAccount({ loaded, placement, appointmentUuid }: Ready, pictures: Snapshot[]) {
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
    closeEmptied(tx, before),
    removeExpiredHolds(
      tx,
      ready.map(one => one.loaded),
      [],
    ),
    moveToNew(tx, ready),
    findBookingsById(tx, ids),
  ])
  const after = new Map(bookings.map(one => [one.participationId, one]))
  const moved = ready.map(one => asTold(service, one, after.get(one.booking.participationId)!))
  const stories = moved.map(({ told, before }, index) => ({
    actor: ready[index]!.wish.actor ?? consumerActor,
    provider: { id: before.providerId, crmId: before.crmId },
    preloaded: [told],
    events: {
      'participation.moved': [before.participationId],
      'appointment.created': [told.booking.appointmentId],
      'appointment.cancelled': closed.filter(id => id === before.appointmentId),
    },
  }))
  const counted = ready.filter(one => one.wish.client !== null)
  await tx.last(
    Promise.all([
      bumpForAppointments(
        tx,
        moved.flatMap(one => [one.before.appointmentId, one.told.booking.appointmentId]),
      ),
      recordEvents(tx, service, stories),
      countBooked(
        tx,
        service,
        counted.map(({ loaded, booking }) => ({ resourceId: loaded.resource.id, email: booking.email })),
      ),
    ]),
  )
  return moved.map(({ told, before }) => ({
    completion: toCompletion(service, told),
    before,
    who: [before.participationId],
  }))
}

function asTold(service: Service, { booking: before, loaded }: Ready, booking: Booking) {
  const previous = { start: toUtcText(before.startAt), end: toUtcText(before.endAt) }
  return { before, told: { booking, data: { ...bookingData(service, booking, null, loaded.now), previous } } }
}
