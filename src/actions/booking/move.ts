import { randomUUID } from 'node:crypto'
import { bumpForHolds, markChangedHolds } from '../../db/base/ledger.ts'
import type { Transaction } from '../../db/base/pool.ts'
import { LostCommit, RestartTransaction } from '../../db/base/postgres-errors.ts'
import { retryUntilKnown } from '../../db/base/transactions.ts'
import { appointmentsWith } from '../../db/booking/booking-writes.ts'
import { type Booking, findBookingsById, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { removeExpiredHolds } from '../../db/booking/consumer-appointments.ts'
import { findHeld, type Held } from '../../db/booking/held.ts'
import { releaseHolds } from '../../db/booking/holds.ts'
import {
  closeEmptied,
  endHold,
  findPreviousPlace,
  insertMoveRequest,
  type MoveTarget,
  moveTo,
  type PreviousPlace,
  savePreviousPlace,
} from '../../db/booking/moves.ts'
import { type CurrentPlace, findCurrentPlace } from '../../db/booking/own-places.ts'
import type { TargetWindow } from '../../db/booking/targets.ts'
import { invalidToken, movedSince, notFound } from '../../errors.ts'
import { clockNow } from '../../lib/clock.ts'
import { allNamed } from '../../lib/objects.ts'
import { bookingData } from '../../messages/booking-data.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { joinedBy } from '../../rules/offers/slots.ts'
import type { TakenAnswers } from '../../rules/questions/sent.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { participationKey, rememberMove, wasMovedSince } from '../recent-moves.ts'
import { type EventsByKind, recordEvents } from '../record-events.ts'
import { offerFreedPlaces } from '../scheduling/waiting/offer-freed.ts'
import { productRefusal } from './choose-slot.ts'
import { isActive, leaveAppointment, refuseTooLate } from './consumer-cancel.ts'
import { decideCompletion } from './decide-completion.ts'
import { toCompletion } from './finish-booking.ts'
import { countBooked } from './limits.ts'
import { lockForRequests, readSnapshots } from './lock-and-read.ts'
import { refuseConstraint } from './refuse-slot.ts'
import type { CompleteRequest, LinkedMoveRequest, Moved, MoveRequest } from './requests.ts'
import { answersForMove } from './take-answers.ts'

/**
 * Takes the new place and releases the old one in one transaction, or changes nothing. Counterpart of
 * complete.
 */
export async function moveByConsumer(service: Service, token: string, request: MoveRequest): Promise<Moved> {
  const uuid = service.signer.open('move', token)
  if (uuid === null) throw invalidToken()
  if (!isUuid(request.targetUuid)) throw notFound('Timeslot', request.targetUuid, 'timeslot_uuid')
  const placeholder = request.placeholder && isUuid(request.placeholder) ? request.placeholder : null
  const linked = { ...request, uuid, placeholder }
  return moveAlone(service, linked).catch(error => {
    // Safe to repeat: a booking that is already at the target is returned as it is.
    if (error instanceof LostCommit) return retryUntilKnown(() => moveAlone(service, linked))
    throw error
  })
}

/** Not batched: waits for the locks of the Resources. */
async function moveAlone(service: Service, { uuid, ...request }: LinkedMoveRequest): Promise<Moved> {
  let seen: Seen | undefined
  const move = async (tx: Transaction) => {
    // Read once: after a restart, the request still refers to what the caller saw at first.
    seen ??= await readSeen(tx, uuid)
    return moveIn(tx, service, seen, request)
  }
  const moved = await service.db.transaction(move).catch(refuseConstraint)
  rememberMove(...moved.who.map(participationKey))
  return moved
}

/** The booking as the caller sees it. If a request to move is pending, the new move changes that request. */
type Seen = CurrentPlace & { first: Booking }

export async function readSeen(tx: Transaction, uuid: string): Promise<Seen> {
  const current = await findCurrentPlace(tx, uuid)
  const [first] = await findBookingsByUuid(tx, current?.uuid ?? uuid)
  if (!current || !first) throw invalidToken()
  return { ...current, first }
}

const isAsSeen = (seen: Booking, found: Booking) =>
  seen.participationId === found.participationId &&
  seen.resourceId === found.resourceId &&
  seen.startAt === found.startAt &&
  seen.endAt === found.endAt

export async function moveIn(
  tx: Transaction,
  service: Service,
  seen: Seen,
  request: MoveRequest,
): Promise<Moved> {
  const { booking, kept, isStale, own, present, loaded } = await lockAndRead(tx, seen, request)
  if (isAlreadyThere(booking, loaded, request)) {
    await releaseOwnHold(tx, own)
    return answerOf(tx, service, booking.participationUuid, await leftBy(tx, booking, kept, request), [])
  }
  if (isStale) throw movedSince(booking)
  if (kept && isAlreadyThere(kept, loaded, request))
    return withdrawMove(tx, service, booking, kept, own, loaded.now, request.actor)
  const verdict = decideCompletion({
    request: toCompleteRequest(request, booking, loaded),
    own,
    around: { kind: 'window', loaded, present },
    movers: [booking.participationId, booking.replaces],
  })
  if (verdict.kind === 'refused') throw verdict.refusal
  if (verdict.kind === 'other product') throw await productRefusal(tx, loaded, verdict.uuid)
  if (verdict.kind !== 'held' && verdict.kind !== 'placed')
    throw notFound('Timeslot', request.targetUuid, 'timeslot_uuid')
  const target: MoveTarget =
    verdict.kind === 'held' ? { kind: 'held', appointmentId: verdict.own.appointmentId } : verdict.placement
  const needsApproval = booking.state === 'BOOKED' && loaded.channel.bookingProcess === 'REQUESTED'
  const product =
    verdict.kind === 'held'
      ? { id: verdict.own.productId, uuid: verdict.own.productUuid }
      : verdict.placement.product
  const added = await answersForMove(tx, request, booking, own, product, loaded.now)
  const move = { service, request, booking, own, loaded, target, added }
  return needsApproval ? requestMove(tx, move) : moveNow(tx, move)
}

/**
 * A repeated request gets the response to the first. If its old start is not the one that was left then, it
 * is a new request.
 */
async function leftBy(tx: Transaction, booking: Booking, kept: Booking | null, { oldStart }: MoveRequest) {
  const left = (await findPreviousPlace(tx, booking.participationId)) ?? kept
  return left && (oldStart === null || oldStart === left.startAt) ? left : booking
}

/**
 * Locks the Resources of both places in the order of their ids, and reads everything for the decision in one
 * round trip.
 */
async function lockAndRead(tx: Transaction, { uuid, first }: Seen, request: MoveRequest) {
  const [seen] = await findBookingsByUuid(tx, uuid)
  if (!seen || !isActive(seen)) throw invalidToken()
  const wanted = snapshotRequest(request, seen.channelKey, uuid)
  const { placeholder, target } = wanted
  const locking = lockForRequests(tx, [wanted], { waiting: true, raising: true })
  const [locked, [held = null], present, current, [snapshot]] = await Promise.all([
    locking,
    findHeld(tx, [placeholder]),
    appointmentsWith(tx, target, seen.email, null),
    findCurrentPlace(tx, uuid),
    readSnapshots(tx, [wanted], locking, { waiting: true }),
  ])
  const [booking] = await findBookingsByUuid(tx, current?.uuid ?? uuid)
  if (!booking || !isActive(booking)) throw invalidToken()
  const [kept = null] = current?.keptUuid ? await findBookingsByUuid(tx, current.keptUuid) : []
  // Another transaction has moved it to a Resource that is not locked.
  if (!locked.has(booking.resourceId)) throw new RestartTransaction()
  refuseTooLate(booking)
  if (snapshot!.kind === 'refused') throw snapshot!.refusal
  if (snapshot!.kind !== 'loaded' || snapshot!.loaded.provider.id !== booking.providerId)
    throw notFound('Timeslot', request.targetUuid, 'timeslot_uuid')
  const own = held?.state === 'RESERVED' ? held : null
  // The hold was moved as well, so its Resource must be locked before it is released.
  if (own && !locked.has(own.resourceId)) await bumpForHolds(tx, [own.placeholder])
  // With a pending request to move, the caller may refer to either start.
  const isElsewhere =
    request.oldStart !== null && ![booking.startAt, kept?.startAt].includes(request.oldStart)
  const wasMoved = wasMovedSince(request.arrived, participationKey(booking.participationId))
  const isStale = isElsewhere || wasMoved || !isAsSeen(first, booking)
  return { booking, kept, isStale, own, present, loaded: snapshot!.loaded }
}

/** What to lock and read for moving the booking with this uuid. */
function snapshotRequest(
  { refs, placeholder, ...request }: MoveRequest,
  channelKey: ChannelKey | null,
  leaving: string,
) {
  const uuid = request.targetUuid.toLowerCase()
  const target = { uuid, from: request.start, to: request.end, itsOwnTimes: false }
  return { target, refs, channelKey: channelKey ?? 'RESOURCE_PUBLIC', placeholder, leaving }
}

/** Whether the booking is already at the target: a repeated request, or a move to the same place. */
function isAlreadyThere(
  booking: Booking,
  { resource }: TargetWindow,
  { start, end, productUuid }: MoveRequest,
) {
  return (
    resource.id === booking.resourceId &&
    start === booking.startAt &&
    end === booking.endAt &&
    (productUuid === null || productUuid.toLowerCase() === booking.productUuid)
  )
}

/** Keeps the Product unless another is requested or the target has its own. */
function toCompleteRequest(
  request: MoveRequest,
  booking: Booking,
  { target }: TargetWindow,
): CompleteRequest {
  const productUuid = request.productUuid ?? (target.kind === 'appointment' ? null : booking.productUuid)
  return {
    ...request,
    targetUuid: request.targetUuid.toLowerCase(),
    productUuid,
    channelKey: booking.channelKey ?? 'RESOURCE_PUBLIC',
    consumer: null,
    customerReference: null,
    message: null,
    language: null,
    locale: null,
    timeZone: null,
    // The customer agreed when booking.
    hasAgreed: true,
    places: booking.places,
    placeNames: [],
    sent: { answers: null, fields: {} },
    digest: '',
  }
}

type Move = {
  service: Service
  request: MoveRequest
  booking: Booking
  own: Held | null
  loaded: TargetWindow
  target: MoveTarget
  added: TakenAnswers | null
}

async function moveNow(tx: Transaction, move: Move): Promise<Moved> {
  const { service, booking, loaded, target, added } = move
  const { closed, appointmentId } = await allNamed({
    used: useHold(tx, move),
    closed: closeEmptied(tx, [booking]),
    removed: removeExpiredHolds(tx, [loaded], joinedAt(target)),
    appointmentId: moveTo(tx, booking, loaded, target, randomUUID(), keptBeside(booking), added),
  })
  const ids = [booking.participationId]
  await recordMove(tx, move, {
    'participation.moved': ids,
    // The email says that the request is still pending.
    ...(booking.state === 'REQUESTED' ? { 'participation.requested': ids } : {}),
    'appointment.created': (await isFirstParticipation(tx, move, booking.participationId))
      ? [appointmentId]
      : [],
    'appointment.cancelled': closed,
    // The others in it stay, with one person less.
    'appointment.changed': closed.includes(booking.appointmentId) ? [] : [booking.appointmentId],
  })
  await offerFreedPlaces(tx, service, [booking.appointmentId])
  return answerOf(tx, service, booking.participationUuid, booking, ids)
}

/** The booking that stays until the provider answers the request. */
const keptBeside = ({ state, replaces }: Booking) =>
  state === 'REQUESTED' && replaces !== null ? [replaces] : []

async function requestMove(tx: Transaction, move: Move): Promise<Moved> {
  const { service, booking, loaded, target, added } = move
  const uuid = randomUUID()
  const { moveRequest } = await allNamed({
    used: useHold(tx, move),
    removed: removeExpiredHolds(tx, [loaded], joinedAt(target)),
    moveRequest: insertMoveRequest(tx, booking, loaded, target, uuid, randomUUID(), added),
  })
  await recordMove(tx, move, {
    'participation.requested': [moveRequest.id],
    'appointment.created': (await isFirstParticipation(tx, move, moveRequest.id))
      ? [moveRequest.appointmentId]
      : [],
  })
  return answerOf(tx, service, uuid, booking, [booking.participationId, moveRequest.id])
}

/** Moving back to the booking that is kept withdraws the pending request. */
async function withdrawMove(
  tx: Transaction,
  service: Service,
  request: Booking,
  kept: Booking,
  own: Held | null,
  now: number,
  actor: MoveRequest['actor'],
): Promise<Moved> {
  // Leaving records its changed range, so releasing the hold must record one too.
  if (own) await markChangedHolds(tx, [own.placeholder])
  await releaseOwnHold(tx, own)
  await leaveAppointment(tx, service, request, null, now, actor ?? consumerActor)
  await savePreviousPlace(tx, kept.participationId, request)
  return answerOf(tx, service, kept.participationUuid, request, [
    kept.participationId,
    request.participationId,
  ])
}

/** The hold either becomes the new place or is released. */
const useHold = (tx: Transaction, { target, own }: Move) =>
  target.kind === 'held' ? endHold(tx, own!.participationId) : releaseOwnHold(tx, own, joinedAt(target))

const releaseOwnHold = (tx: Transaction, own: Held | null, joinedIds: number[] = []) =>
  releaseHolds(tx, [own?.placeholder ?? null], joinedIds)

/**
 * The existing Appointment at the target. It may be empty between two statements, and must not be deleted in
 * between.
 */
const joinedAt = (target: MoveTarget): number[] =>
  target.kind === 'held' ? [target.appointmentId] : joinedBy([target])

/** Whether this is the first booking of the Appointment, which so far had holds at most. */
async function isFirstParticipation(
  tx: Transaction,
  { target, own }: Move,
  participationId: number,
): Promise<boolean> {
  if (target.kind === 'new') return true
  if (target.kind === 'held') return own!.isFirst
  const [there] = await findBookingsById(tx, [participationId])
  return there!.isFirst
}

async function recordMove(
  tx: Transaction,
  { service, request, booking, loaded }: Move,
  events: EventsByKind,
) {
  const { providerId, crmId, email } = booking
  if (request.client !== null) await countBooked(tx, service, [{ resourceId: loaded.resource.id, email }])
  await recordEvents(tx, service, {
    actor: request.actor ?? consumerActor,
    provider: { id: providerId, crmId },
    events,
    previousTimes: () => booking,
    now: loaded.now,
  })
}

/** The booking after the move. */
async function answerOf(
  tx: Transaction,
  service: Service,
  uuid: string,
  before: PreviousPlace,
  who: number[],
): Promise<Moved> {
  const [booking] = await findBookingsByUuid(tx, uuid)
  const data = bookingData(service, booking!, null, clockNow())
  return { completion: toCompletion(service, { booking: booking!, data }), before, who }
}
