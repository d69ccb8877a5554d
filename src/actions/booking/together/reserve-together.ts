import { randomUUID } from 'node:crypto'
import { raiseTouched, raiseTouchedHolds } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { clearTheWay } from '../../../db/booking/consumer-appointments.ts'
import { insertHolds, type NewHold, releaseHolds } from '../../../db/booking/holds.ts'
import { Refusal } from '../../../errors.ts'
import { blockedByPlacement, joinedBy, withPlacement } from '../../../rules/offers/slots.ts'
import type { Service } from '../../../service.ts'
import { choose } from '../choose-slot.ts'
import { HoldsOfClients } from '../holds-of-clients.ts'
import { learnOffers } from '../learn-offers.ts'
import { countHeld } from '../limits.ts'
import { lockFor, type Picture } from '../lock-and-load.ts'
import { findMover, type Mover, placesOfMover } from '../mover.ts'
import { picturesFor } from '../pictures.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import { unknownTarget } from '../reserve.ts'
import type { Reserved, ReserveWish } from '../wishes.ts'
import { type Answer, grantAll, together } from './together.ts'

// Wishes are decided one after the other, each on what the ones before it left.

type Decision = Granted | Answer<Reserved>
type Granted = { kind: 'granted'; hold: NewHold; replaces: string | null }

const isGranted = (decision: Decision): decision is Granted => decision.kind === 'granted'

export const reserveTogether = (service: Service) =>
  together<ReserveWish, Reserved>({
    all: wishes => reserveAll(service, wishes, { waiting: false }),
    one: wish => reserveAlone(service, wish),
    // The hold, if it was made, is let go and made again: nobody has heard of it but us.
    async oneAgain(wish) {
      await letGo(service, wish)
      return reserveAlone(service, wish)
    },
    isApart: wish => wish.moving !== null,
    isQuick: wish => service.offers.find(wish) !== null,
  })

/** Behind the lock: what is still under way there is seen once it is done. */
const letGo = ({ db }: Service, wish: ReserveWish) =>
  db.transaction(async tx => {
    const locking = lockFor(tx, [wish], { waiting: true })
    const { placeholder } = wish.hold
    await tx.last(
      Promise.all([locking, raiseTouchedHolds(tx, [placeholder]), releaseHolds(tx, [placeholder])]),
    )
  })

async function reserveAlone(service: Service, wish: ReserveWish): Promise<Reserved> {
  const [answer] = await reserveAll(service, [wish], { waiting: true }).catch(refuseConstraint)
  if (answer?.kind === 'done') return answer.done
  throw answer?.kind === 'refused' ? answer.refusal : unknownTarget(wish)
}

async function reserveAll(service: Service, wishes: ReserveWish[], how: { waiting: boolean }) {
  let locked: Awaited<Locking> = new Map()
  const answers = await grantAll<Granted, Reserved>(
    service.db,
    async tx => {
      const locking = lockFor(tx, wishes, how)
      const decisions = await decideAll(tx, service, wishes, locking, how)
      locked = await locking
      return decisions
    },
    isGranted,
    (tx, granted) => writeHolds(tx, service, granted),
  )
  tellOffers(service, locked, answers)
  void learnOffers(service)
  return answers
}

type Locking = ReturnType<typeof lockFor>

/** Whoever comes next need not read what we have written. */
function tellOffers({ offers }: Service, locked: Awaited<Locking>, answers: Answer<Reserved>[]) {
  const done = answers.flatMap(one => (one.kind === 'done' ? [one.done] : []))
  for (const [id, held] of Map.groupBy(done, one => one.loaded.resource.id))
    offers.changed(held[0]!.loaded.resource.uuid, locked.get(id)!, { added: held.flatMap(asAdded), kept: [] })
}

const asAdded = ({ placement, expiresAt }: Reserved) =>
  placement.kind === 'new' ? [{ ...placement.blocked, until: expiresAt }] : []

async function decideAll(
  tx: Queryable,
  { config, offers }: Service,
  wishes: ReserveWish[],
  locking: Locking,
  how: { waiting: boolean },
) {
  const clients = [...new Set(wishes.flatMap(one => one.client ?? []))]
  const replaced = wishes.flatMap(one => one.placeholder ?? [])
  const holds = new HoldsOfClients(config)
  const [, pictures, mover] = await Promise.all([
    holds.read(tx, clients, replaced),
    picturesFor(tx, offers, wishes, locking, how),
    // Whoever moves comes alone.
    findMover(tx, wishes[0]!.moving),
  ])
  const decisions: Decision[] = []
  for (const [index, wish] of wishes.entries()) {
    const decision = await decide(tx, wish, pictures[index]!, holds, mover)
    decisions.push(decision)
    if (!isGranted(decision)) continue
    holds.granted(wish, decision.hold.loaded.resource.id)
    takeIntoAccount(decision.hold, pictures)
  }
  return decisions
}

async function decide(
  tx: Queryable,
  wish: ReserveWish,
  picture: Picture,
  holds: HoldsOfClients,
  mover: Mover | null,
): Promise<Decision> {
  if (picture.kind === 'locked' || picture.kind === 'refused') return picture
  if (picture.kind === 'unknown') return { kind: 'refused', refusal: unknownTarget(wish) }
  try {
    const { loaded } = picture
    holds.refuseMore(wish, loaded.resource.id)
    const placement = await choose(tx, loaded, wish)
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

/** Those that are decided after it see it as if it were written already. */
function takeIntoAccount(hold: NewHold, pictures: Picture[]) {
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
  // One of us may come into what another of us leaves.
  const goals = joinedBy(holds.map(one => one.placement))
  const writing = Promise.all([
    raiseTouched(tx, holds.map(placeOf)),
    replaced.length > 0 && raiseTouchedHolds(tx, replaced),
    releaseHolds(tx, replaced, goals),
    clearTheWay(
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
