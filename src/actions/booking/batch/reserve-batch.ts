import { randomUUID } from 'node:crypto'
import { bumpForHolds, bumpRevision } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { removeExpiredHolds } from '../../../db/booking/consumer-appointments.ts'
import { insertHolds, type NewHold, releaseHolds } from '../../../db/booking/holds.ts'
import { Refusal } from '../../../errors.ts'
import { blockedByPlacement, joinedBy, withPlacement } from '../../../rules/offers/slots.ts'
import type { Service } from '../../../service.ts'
import { chooseSlot } from '../choose-slot.ts'
import { ClientHolds } from '../client-holds.ts'
import { countHeld } from '../limits.ts'
import { lockForRequests, readSnapshots, type Snapshot } from '../lock-and-read.ts'
import { findMover, type Mover, placesOfMover } from '../mover.ts'
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
    all: wishes => reserveAll(service, wishes, { waiting: false }),
    one: wish => reserveAlone(service, wish),
    // Releases the hold if it was made, then makes it again: no client has received it.
    async retryLostCommit(wish) {
      await letGo(service, wish)
      return reserveAlone(service, wish)
    },
    runsAlone: wish => wish.moving !== null,
  })

/** Under the lock, so that a transaction still in progress is seen after its commit. */
const letGo = ({ db }: Service, wish: PreparedReserve) =>
  db.transaction(async tx => {
    const locking = lockForRequests(tx, [wish], { waiting: true })
    const { placeholder } = wish.hold
    await tx.last(Promise.all([locking, bumpForHolds(tx, [placeholder]), releaseHolds(tx, [placeholder])]))
  })

async function reserveAlone(service: Service, wish: PreparedReserve): Promise<Reserved> {
  const [answer] = await reserveAll(service, [wish], { waiting: true }).catch(refuseConstraint)
  if (answer?.kind === 'done') return answer.done
  throw answer?.kind === 'refused' ? answer.refusal : unknownTarget(wish)
}

async function reserveAll(service: Service, wishes: PreparedReserve[], how: { waiting: boolean }) {
  return commitGranted<Granted, Reserved>(
    service.db,
    tx => decideAll(tx, service, wishes, how),
    isGranted,
    (tx, granted) => writeHolds(tx, service, granted),
  )
}

async function decideAll(
  tx: Queryable,
  { config, suspensions }: Service,
  wishes: PreparedReserve[],
  how: { waiting: boolean },
) {
  const clients = [...new Set(wishes.flatMap(one => one.client ?? []))]
  const replaced = wishes.flatMap(one => one.placeholder ?? [])
  const holds = new ClientHolds(config)
  const [, pictures, mover] = await Promise.all([
    holds.read(tx, clients, replaced),
    readSnapshots(tx, wishes.map(asLooking), lockForRequests(tx, wishes, how), how),
    // A request that moves a booking always runs alone, so the first one is the only one.
    findMover(tx, wishes[0]!.moving),
  ])
  const decisions: Decision[] = []
  for (const [index, wish] of wishes.entries()) {
    const decision = await decide(tx, wish, pictures[index]!, { holds, mover, suspensions })
    decisions.push(decision)
    if (!isGranted(decision)) continue
    holds.granted(wish, decision.hold.loaded.resource.id)
    takeIntoAccount(decision.hold, pictures)
  }
  return decisions
}

const asLooking = (wish: PreparedReserve) => (wish.moving === null ? wish : { ...wish, leaving: wish.moving })

type Deciding = { holds: ClientHolds; mover: Mover | null; suspensions: Service['suspensions'] }

async function decide(
  tx: Queryable,
  wish: PreparedReserve,
  picture: Snapshot,
  { holds, mover, suspensions }: Deciding,
): Promise<Decision> {
  if (picture.kind === 'locked' || picture.kind === 'refused') return picture
  if (picture.kind === 'unknown') return { kind: 'refused', refusal: unknownTarget(wish) }
  try {
    const { loaded } = picture
    suspensions.refuseProvider(loaded.provider.id)
    holds.refuseMore(wish, loaded.resource.id)
    const placement = await chooseSlot(tx, loaded, wish)
    const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
    const start = placement.kind === 'join' ? placement.appointment.start : placement.start
    const renewals = holds.renewalsOf(wish, loaded.resource.id, start)
    const moved = placesOfMover(mover, loaded.provider.id)
    const hold = { loaded, placement, appointmentUuid, ...wish.hold, client: wish.client, renewals, ...moved }
    return { kind: 'granted', hold, replaces: wish.placeholder }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

/** Later decisions in the batch see the hold as if it were written. */
function takeIntoAccount(hold: NewHold, pictures: Snapshot[]) {
  for (const [index, picture] of pictures.entries()) {
    if (picture.kind !== 'loaded' || picture.loaded.resource.id !== hold.loaded.resource.id) continue
    const window = withPlacement(picture.loaded.window, hold.placement, hold.appointmentUuid)
    pictures[index] = { kind: 'loaded', loaded: { ...picture.loaded, window } }
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
  const goals = joinedBy(holds.map(one => one.placement))
  const writing = Promise.all([
    bumpRevision(tx, holds.map(placeOf)),
    replaced.length > 0 && bumpForHolds(tx, replaced),
    releaseHolds(tx, replaced, goals),
    removeExpiredHolds(
      tx,
      holds.map(hold => hold.loaded),
      goals,
    ),
    insertHolds(tx, holds, service.config.holdSeconds),
    countHeld(
      tx,
      service,
      holds.filter(hold => hold.client !== null).map(hold => hold.loaded.resource.id),
    ),
  ])
  const [, , , , written] = await tx.last(writing)
  return holds.map(({ uuid, loaded, placement, appointmentUuid, placeholder }) => {
    const { expiresAt, address } = written.get(uuid)!
    const times = { expiresAt, address }
    return { loaded, placement, participationUuid: uuid, appointmentUuid, placeholder, ...times }
  })
}
