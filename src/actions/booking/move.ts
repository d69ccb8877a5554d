import { randomUUID } from 'node:crypto'
import { raiseTouchedHolds, tellTouchedHolds } from '../../db/base/ledger.ts'
import type { Transaction } from '../../db/base/pool.ts'
import { BeginAnew } from '../../db/base/postgres-errors.ts'
import { appointmentsWith } from '../../db/booking/booking-writes.ts'
import { type Booking, findBookingsById, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { clearTheWay } from '../../db/booking/consumer-appointments.ts'
import { findHeld, type Held } from '../../db/booking/held.ts'
import { releaseHolds } from '../../db/booking/holds.ts'
import {
  closeBehind,
  endHold,
  findLeft,
  type Goal,
  insertMoveRequest,
  type Left,
  moveTo,
  noteLeft,
} from '../../db/booking/moves.ts'
import { findStanding, type Standing } from '../../db/booking/own-places.ts'
import type { TargetWindow } from '../../db/booking/targets.ts'
import { invalidToken, movedMeanwhile, notFound } from '../../errors.ts'
import { bookingData } from '../../mail/booking-data.ts'
import { aConsumer } from '../../rules/news/events.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { joinedBy } from '../../rules/offers/slots.ts'
import { isUuid } from '../../rules/references.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { happened, type News } from '../happened.ts'
import { noteMoved, personName, wasMovedSince } from '../moved-lately.ts'
import { whyNotProduct } from './choose-slot.ts'
import { isOn, leave, refuseTooLate } from './consumer-cancel.ts'
import { decideCompletion } from './decide-completion.ts'
import { asCompletion } from './finish-booking.ts'
import { countBooked } from './limits.ts'
import { loadPictures, lockFor } from './lock-and-load.ts'
import { refuseConstraint } from './refuse-slot.ts'
import type { CompleteWish, LinkedMoveWish, Moved, MoveWish } from './wishes.ts'

/** One claim: the new place is taken and the old one given back, or nothing changes. The twin of complete. */
export async function moveByConsumer(service: Service, token: string, wish: MoveWish): Promise<Moved> {
  const uuid = service.signer.open('move', token)
  if (uuid === null) throw invalidToken()
  if (!isUuid(wish.targetUuid)) throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')
  const placeholder = wish.placeholder && isUuid(wish.placeholder) ? wish.placeholder : null
  return service.moving.add({ ...wish, uuid, placeholder })
}

/** Waits for its turn at the Resources. */
export async function moveAlone(service: Service, { uuid, ...wish }: LinkedMoveWish): Promise<Moved> {
  let seen: Seen | undefined
  const move = async (tx: Transaction) => {
    // Once: whoever must begin anew still wants what they wanted on this picture.
    seen ??= await look(tx, uuid)
    return moveIn(tx, service, seen, wish)
  }
  const moved = await service.db.transaction(move).catch(refuseConstraint)
  noteMoved(...moved.who.map(personName))
  return moved
}

/** What the caller has before them. Whoever has asked to move already changes that request. */
type Seen = Standing & { first: Booking }

async function look(tx: Transaction, uuid: string): Promise<Seen> {
  const standing = await findStanding(tx, uuid)
  const [first] = await findBookingsByUuid(tx, standing?.uuid ?? uuid)
  if (!standing || !first) throw invalidToken()
  return { ...standing, first }
}

const isAsSeen = (seen: Booking, found: Booking) =>
  seen.participationId === found.participationId &&
  seen.resourceId === found.resourceId &&
  seen.startAt === found.startAt &&
  seen.endAt === found.endAt

async function moveIn(tx: Transaction, service: Service, seen: Seen, wish: MoveWish): Promise<Moved> {
  const { booking, kept, isOld, own, present, loaded } = await lookAt(tx, seen, wish)
  if (isThere(booking, loaded, wish)) {
    await letGo(tx, own)
    return answerOf(tx, service, booking.participationUuid, await leftBy(tx, booking, kept, wish), [])
  }
  if (isOld) throw movedMeanwhile(toUtcText(booking.startAt), toUtcText(booking.endAt))
  if (kept && isThere(kept, loaded, wish)) return goBack(tx, service, booking, kept, own, loaded.now)
  const verdict = decideCompletion({
    wish: asCompletionWish(wish, booking, loaded),
    own,
    around: { kind: 'window', loaded, present },
    movers: [booking.participationId, booking.replaces],
  })
  if (verdict.kind === 'refused') throw verdict.refusal
  if (verdict.kind === 'other product') throw await whyNotProduct(tx, loaded, verdict.uuid)
  if (verdict.kind !== 'held' && verdict.kind !== 'placed')
    throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')
  const goal: Goal =
    verdict.kind === 'held' ? { kind: 'held', appointmentId: verdict.own.appointmentId } : verdict.placement
  const mustAsk = booking.state === 'BOOKED' && loaded.channel.bookingProcess === 'REQUESTED'
  const move = { service, wish, booking, own, loaded, goal }
  return mustAsk ? askToMove(tx, move) : moveNow(tx, move)
}

/** A request that is sent again is answered as it was; whoever sees themselves elsewhere than they were then asks anew. */
async function leftBy(tx: Transaction, booking: Booking, kept: Booking | null, { oldStart }: MoveWish) {
  const left = (await findLeft(tx, booking.participationId)) ?? kept
  return left && (oldStart === null || oldStart === left.startAt) ? left : booking
}

/** Locks the Resources of both places, in the order of their ids, and reads what decides: one round trip. */
async function lookAt(tx: Transaction, { uuid, first }: Seen, wish: MoveWish) {
  const [seen] = await findBookingsByUuid(tx, uuid)
  if (!seen || !isOn(seen)) throw invalidToken()
  const looking = lookingFor(wish, seen.channelKey, uuid)
  const { placeholder, target } = looking
  const locking = lockFor(tx, [looking], { waiting: true, raising: true })
  const [locked, [held = null], present, standing, [picture]] = await Promise.all([
    locking,
    findHeld(tx, [placeholder]),
    appointmentsWith(tx, target, seen.email, null),
    findStanding(tx, uuid),
    loadPictures(tx, [looking], locking, { waiting: true }),
  ])
  const [booking] = await findBookingsByUuid(tx, standing?.uuid ?? uuid)
  if (!booking || !isOn(booking)) throw invalidToken()
  const [kept = null] = standing?.keptUuid ? await findBookingsByUuid(tx, standing.keptUuid) : []
  // A rival has moved it to a Resource that is not locked.
  if (!locked.has(booking.resourceId)) throw new BeginAnew()
  refuseTooLate(booking)
  if (picture!.kind === 'refused') throw picture!.refusal
  if (picture!.kind !== 'loaded' || picture!.loaded.provider.id !== booking.providerId)
    throw notFound('Timeslot', wish.targetUuid, 'timeslot_uuid')
  const own = held?.state === 'RESERVED' ? held : null
  // And this was moved to one as well: whatever becomes of it, it is let go under that lock.
  if (own && !locked.has(own.resourceId)) await raiseTouchedHolds(tx, [own.placeholder])
  // Whoever has asked to move already may speak of either.
  const isElsewhere = wish.oldStart !== null && ![booking.startAt, kept?.startAt].includes(wish.oldStart)
  const isBehind = wasMovedSince(wish.arrived, personName(booking.participationId))
  const isOld = isElsewhere || isBehind || !isAsSeen(first, booking)
  return { booking, kept, isOld, own, present, loaded: picture!.loaded }
}

/** What is locked and read for the wish of whoever leaves the booking with this uuid. */
export function lookingFor(
  { refs, placeholder, ...wish }: MoveWish,
  channelKey: ChannelKey | null,
  leaving: string,
) {
  const uuid = wish.targetUuid.toLowerCase()
  const target = { uuid, from: wish.start, to: wish.end, itsOwnTimes: false }
  return { target, refs, channelKey: channelKey ?? 'RESOURCE_PUBLIC', placeholder, leaving }
}

/** Where it is already: a request that is sent again, or a wish for what one has. */
export function isThere(booking: Booking, { resource }: TargetWindow, { start, end, productUuid }: MoveWish) {
  return (
    resource.id === booking.resourceId &&
    start === booking.startAt &&
    end === booking.endAt &&
    (productUuid === null || productUuid.toLowerCase() === booking.productUuid)
  )
}

/** The same Product as before, unless another is asked for or the place has one of its own. */
export function asCompletionWish(wish: MoveWish, booking: Booking, { target }: TargetWindow): CompleteWish {
  const productUuid = wish.productUuid ?? (target.kind === 'appointment' ? null : booking.productUuid)
  return {
    ...wish,
    targetUuid: wish.targetUuid.toLowerCase(),
    productUuid,
    channelKey: booking.channelKey ?? 'RESOURCE_PUBLIC',
    consumer: null,
    customerReference: null,
    message: null,
    language: null,
    locale: null,
    timeZone: null,
    // When they booked.
    hasAgreed: true,
    digest: '',
  }
}

type Move = {
  service: Service
  wish: MoveWish
  booking: Booking
  own: Held | null
  loaded: TargetWindow
  goal: Goal
}

async function moveNow(tx: Transaction, move: Move): Promise<Moved> {
  const { service, booking, loaded, goal } = move
  const [, closed, , appointmentId] = await Promise.all([
    useHold(tx, move),
    closeBehind(tx, [booking]),
    clearTheWay(tx, [loaded], joinedAt(goal)),
    moveTo(tx, booking, loaded, goal, randomUUID(), keptBeside(booking)),
  ])
  const ids = [booking.participationId]
  await tell(tx, move, {
    'participation.moved': ids,
    // Its mail says that it still waits for an answer.
    ...(booking.state === 'REQUESTED' ? { 'participation.requested': ids } : {}),
    'appointment.created': (await isBegun(tx, move, booking.participationId)) ? [appointmentId] : [],
    'appointment.cancelled': closed,
  })
  return answerOf(tx, service, booking.participationUuid, booking, ids)
}

/** What they keep until the provider has answered their request. */
const keptBeside = ({ state, replaces }: Booking) =>
  state === 'REQUESTED' && replaces !== null ? [replaces] : []

async function askToMove(tx: Transaction, move: Move): Promise<Moved> {
  const { service, booking, loaded, goal } = move
  const uuid = randomUUID()
  const [, , asked] = await Promise.all([
    useHold(tx, move),
    clearTheWay(tx, [loaded], joinedAt(goal)),
    insertMoveRequest(tx, booking, loaded, goal, uuid, randomUUID()),
  ])
  await tell(tx, move, {
    'participation.requested': [asked.id],
    'appointment.created': (await isBegun(tx, move, asked.id)) ? [asked.appointmentId] : [],
  })
  return answerOf(tx, service, uuid, booking, [booking.participationId, asked.id])
}

/** Whoever has asked to move wants what they have: they take their request back, and the booking stays. */
async function goBack(
  tx: Transaction,
  service: Service,
  request: Booking,
  kept: Booking,
  own: Held | null,
  now: number,
): Promise<Moved> {
  // Leaving says which time it touches: then so must this.
  if (own) await tellTouchedHolds(tx, [own.placeholder])
  await letGo(tx, own)
  await leave(tx, service, request, null, now)
  await noteLeft(tx, kept.participationId, request)
  return answerOf(tx, service, kept.participationUuid, request, [
    kept.participationId,
    request.participationId,
  ])
}

/** The hold either becomes the place or is let go. */
const useHold = (tx: Transaction, { goal, own }: Move) =>
  goal.kind === 'held' ? endHold(tx, own!.participationId) : letGo(tx, own, joinedAt(goal))

const letGo = (tx: Transaction, own: Held | null, goals: number[] = []) =>
  releaseHolds(tx, [own?.placeholder ?? null], goals)

/** The Appointment that they come into, if there is one already. Between two statements nobody may be in it. */
const joinedAt = (goal: Goal): number[] => (goal.kind === 'held' ? [goal.appointmentId] : joinedBy([goal]))

/** Nobody but them has ever been in it: others have held it at the most. */
async function isBegun(tx: Transaction, { goal, own }: Move, participationId: number): Promise<boolean> {
  if (goal.kind === 'new') return true
  if (goal.kind === 'held') return own!.isFirst
  const [there] = await findBookingsById(tx, [participationId])
  return there!.isFirst
}

async function tell(tx: Transaction, { service, wish, booking, loaded }: Move, news: News) {
  const { providerId, crmId, email } = booking
  if (wish.client !== null) await countBooked(tx, service, [{ resourceId: loaded.resource.id, email }])
  await happened(tx, service, {
    actor: aConsumer,
    provider: { id: providerId, crmId },
    news,
    before: () => booking,
    now: loaded.now,
  })
}

/** As it is now. */
async function answerOf(
  tx: Transaction,
  service: Service,
  uuid: string,
  before: Left,
  who: number[],
): Promise<Moved> {
  const [booking] = await findBookingsByUuid(tx, uuid)
  const data = bookingData(service, booking!, null, Date.now())
  return { completion: asCompletion(service, { booking: booking!, data }), before, who }
}
