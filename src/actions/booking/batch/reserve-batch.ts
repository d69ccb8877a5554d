import { randomUUID } from 'node:crypto'
import { bumpForHolds, bumpRevision } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { type Booking, findBookingsByUuid } from '../../../db/booking/bookings.ts'
import { removeExpiredHolds } from '../../../db/booking/consumer-appointments.ts'
import { insertHolds, type NewHold, releaseHolds } from '../../../db/booking/holds.ts'
import { findOwnPlaces } from '../../../db/booking/own-places.ts'
import { invalidToken, Refusal } from '../../../errors.ts'
import { allNamed } from '../../../lib/objects.ts'
import { blockedByPlacement, joinedBy, withPlacement } from '../../../rules/offers/slots.ts'
import type { Service } from '../../../service.ts'
import { chooseSlot } from '../choose-slot.ts'
import { ClientHolds } from '../client-holds.ts'
import { isActive, refuseTooLate } from '../consumer-cancel.ts'
import { countHeld } from '../limits.ts'
import { lockForRequests, readSnapshots, type Snapshot } from '../lock-and-read.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import type { PreparedReserve, Reserved } from '../requests.ts'
import { unknownTarget } from '../reserve.ts'
import { type BatchResult, commitGranted, runBatch } from './run-batch.ts'

// Requests are decided in order, each on the window that the ones before it left.

type Decision = Granted | BatchResult<Reserved>
type Granted = { kind: 'granted'; hold: NewHold; replaces: string | null }

const isGranted = (decision: Decision): decision is Granted => decision.kind === 'granted'

export const reserveBatch = (service: Service) =>
  runBatch<PreparedReserve, Reserved>({
    all: requests => reserveAll(service, requests, { waiting: false }),
    one: request => reserveAlone(service, request),
    // Releases the hold if it was made, then makes it again: no client has received it.
    async retryLostCommit(request) {
      await releaseHold(service, request)
      return reserveAlone(service, request)
    },
    runsAlone: request => request.moving !== null,
  })

/** Under the lock, so that a transaction still in progress is seen after its commit. */
const releaseHold = ({ db }: Service, request: PreparedReserve) =>
  db.transaction(async tx => {
    const locking = lockForRequests(tx, [request], { waiting: true })
    const { placeholder } = request.hold
    await tx.last(Promise.all([locking, bumpForHolds(tx, [placeholder]), releaseHolds(tx, [placeholder])]))
  })

async function reserveAlone(service: Service, request: PreparedReserve): Promise<Reserved> {
  const [answer] = await reserveAll(service, [request], { waiting: true }).catch(refuseConstraint)
  if (answer?.kind === 'done') return answer.done
  throw answer?.kind === 'refused' ? answer.refusal : unknownTarget(request)
}

async function reserveAll(service: Service, requests: PreparedReserve[], how: { waiting: boolean }) {
  return commitGranted<Granted, Reserved>(
    service.db,
    tx => decideAll(tx, service, requests, how),
    isGranted,
    (tx, granted) => writeHolds(tx, service, granted),
  )
}

async function decideAll(
  tx: Queryable,
  { config, suspensions }: Service,
  requests: PreparedReserve[],
  how: { waiting: boolean },
) {
  const clients = [...new Set(requests.flatMap(one => one.client ?? []))]
  const replaced = requests.flatMap(one => one.placeholder ?? [])
  const holds = new ClientHolds(config)
  const { snapshots, mover } = await allNamed({
    read: holds.read(tx, clients, replaced),
    snapshots: readSnapshots(tx, requests.map(asLooking), lockForRequests(tx, requests, how), how),
    // A request that moves a booking always runs alone, so the first one is the only one.
    mover: findMover(tx, requests[0]!.moving),
  })
  const decisions: Decision[] = []
  for (const [index, request] of requests.entries()) {
    const decision = await decide(tx, request, snapshots[index]!, { holds, mover, suspensions })
    decisions.push(decision)
    if (!isGranted(decision)) continue
    holds.granted(request, decision.hold.loaded.resource.id)
    applyToSnapshots(decision.hold, snapshots)
  }
  return decisions
}

const asLooking = (request: PreparedReserve) =>
  request.moving === null ? request : { ...request, leaving: request.moving }

type Deciding = { holds: ClientHolds; mover: Mover | null; suspensions: Service['suspensions'] }

async function decide(
  tx: Queryable,
  request: PreparedReserve,
  snapshot: Snapshot,
  { holds, mover, suspensions }: Deciding,
): Promise<Decision> {
  if (snapshot.kind === 'locked' || snapshot.kind === 'refused') return snapshot
  if (snapshot.kind === 'unknown') return { kind: 'refused', refusal: unknownTarget(request) }
  try {
    const { loaded } = snapshot
    suspensions.refuseProvider(loaded.provider.id)
    holds.refuseMore(request, loaded.resource.id)
    const moved = placesOfMover(mover, loaded.provider.id)
    const placement = await chooseSlot(tx, loaded, request, moved.movedPlaces)
    const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
    const start = placement.kind === 'join' ? placement.appointment.start : placement.start
    const renewals = holds.renewalsOf(request, loaded.resource.id, start)
    const { replaces, beside } = moved
    const hold = {
      loaded,
      placement,
      appointmentUuid,
      ...request.hold,
      client: request.client,
      renewals,
      replaces,
      beside,
    }
    return { kind: 'granted', hold, replaces: request.placeholder }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

/** Later decisions in the batch see the hold as if it were written. */
function applyToSnapshots(hold: NewHold, snapshots: Snapshot[]) {
  for (const [index, snapshot] of snapshots.entries()) {
    if (snapshot.kind !== 'loaded' || snapshot.loaded.resource.id !== hold.loaded.resource.id) continue
    const window = withPlacement(snapshot.loaded.window, hold.placement, hold.appointmentUuid)
    snapshots[index] = { kind: 'loaded', loaded: { ...snapshot.loaded, window } }
  }
}

const placeOf = ({ loaded, placement }: NewHold) => ({
  resourceId: loaded.resource.id,
  ...blockedByPlacement(placement),
})

async function writeHolds(tx: Transaction, service: Service, granted: Granted[]): Promise<Reserved[]> {
  const holds = granted.map(one => one.hold)
  const replaced = granted.flatMap(one => one.replaces ?? [])
  // One request of the batch may join an Appointment that another one leaves.
  const joinedIds = joinedBy(holds.map(one => one.placement))
  const writes = allNamed({
    bumped: bumpRevision(tx, holds.map(placeOf)),
    bumpedForReplaced: replaced.length > 0 && bumpForHolds(tx, replaced),
    released: releaseHolds(tx, replaced, joinedIds),
    removed: removeExpiredHolds(
      tx,
      holds.map(hold => hold.loaded),
      joinedIds,
    ),
    written: insertHolds(tx, holds, service.config.holdSeconds),
    counted: countHeld(
      tx,
      service,
      holds.filter(hold => hold.client !== null).map(hold => hold.loaded.resource.id),
    ),
  })
  const { written } = await tx.last(writes)
  return holds.map(({ uuid, loaded, placement, appointmentUuid, placeholder }) => {
    const { expiresAt, address } = written.get(uuid)!
    const times = { expiresAt, address }
    return { loaded, placement, participationUuid: uuid, appointmentUuid, placeholder, ...times }
  })
}

/** A hold made for a move: the booking that moves, and all Participations that belong to it. */
type Mover = { booking: Booking; places: number[] }

/** Refuses what the move itself would refuse, so that no useless hold is made. */
async function findMover(tx: Queryable, uuid: string | null): Promise<Mover | null> {
  if (uuid === null) return null
  const [[booking], places] = await Promise.all([findBookingsByUuid(tx, uuid), findOwnPlaces(tx, uuid)])
  if (!booking || !isActive(booking)) throw invalidToken()
  refuseTooLate(booking)
  return { booking, places }
}

/** A link moves a booking within its Provider only. */
const placesOfMover = (mover: Mover | null, providerId: number) =>
  mover?.booking.providerId === providerId
    ? { replaces: mover.booking.participationId, beside: mover.places, movedPlaces: mover.booking.places }
    : { replaces: null, beside: [], movedPlaces: null }
