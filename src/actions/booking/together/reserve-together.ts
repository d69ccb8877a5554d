import { randomUUID } from 'node:crypto'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { clearTheWay } from '../../../db/booking/consumer-appointments.ts'
import {
  countHolds,
  insertHolds,
  type NewHold,
  releaseHolds,
  type Written,
} from '../../../db/booking/holds.ts'
import { Refusal, tooManyRequests } from '../../../errors.ts'
import { withPlacement } from '../../../rules/slots.ts'
import type { Service } from '../../../service.ts'
import { lockAndLoad, type Picture } from '../lock-and-load.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import { choose, unknownTarget } from '../reserve.ts'
import type { Reserved, ReserveWish } from '../wishes.ts'
import { grantAll, together } from './together.ts'

// Wishes are decided one after the other, each on what the ones before it left.

type Decision = NewHold | Refusal | 'locked'

export const reserveTogether = (service: Service) =>
  together<ReserveWish, Reserved>({
    all: wishes => reserveAll(service, wishes, { waiting: false }),
    async one(wish) {
      const [answer] = await reserveAll(service, [wish], { waiting: true }).catch(refuseConstraint)
      if (answer instanceof Refusal) throw answer
      return answer as Reserved
    },
  })

const reserveAll = (service: Service, wishes: ReserveWish[], locking: { waiting: boolean }) =>
  grantAll<Decision, Reserved>(
    service.db,
    tx => decideAll(tx, wishes, locking),
    isHold,
    async (tx, decisions) => {
      const written = await writeHolds(tx, wishes, decisions, service.config.holdSeconds)
      return decisions.map(one => (isHold(one) ? asReserved(one, written.get(one.uuid)!) : one))
    },
  )

const isHold = (decision: Decision): decision is NewHold =>
  decision !== 'locked' && !(decision instanceof Refusal)

async function decideAll(tx: Queryable, wishes: ReserveWish[], locking: { waiting: boolean }) {
  const clients = [...new Set(wishes.flatMap(one => one.client ?? []))]
  const replaced = wishes.flatMap(one => one.placeholder ?? [])
  let counting: Promise<Map<string, number>> | undefined
  const underLock = () => {
    counting = countHolds(tx, clients, replaced)
    return counting
  }
  const pictures = await lockAndLoad(tx, wishes, { ...locking, underLock })
  const holds = (await counting) ?? new Map<string, number>()
  const decisions: Decision[] = []
  for (const [index, wish] of wishes.entries()) {
    const decision = await decide(tx, wish, pictures[index]!, holds)
    decisions.push(decision)
    if (isHold(decision)) takeIntoAccount(decision, pictures, holds)
  }
  return decisions
}

async function decide(
  tx: Queryable,
  wish: ReserveWish,
  picture: Picture,
  holds: Map<string, number>,
): Promise<Decision> {
  if (picture === 'locked' || picture instanceof Refusal) return picture
  try {
    if (picture === 'unknown') throw unknownTarget(wish)
    if (wish.client !== null && (holds.get(wish.client) ?? 0) >= maximumHolds) throw tooManyRequests(60)
    const placement = await choose(tx, picture, wish)
    return {
      loaded: picture,
      placement,
      appointmentUuid: placement.kind === 'join' ? placement.appointment.uuid : randomUUID(),
      uuid: randomUUID(),
      placeholder: randomUUID(),
      client: wish.client,
    }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const maximumHolds = 20

/** Those that are decided after it see it as if it were written already. */
function takeIntoAccount(hold: NewHold, pictures: Picture[], holds: Map<string, number>) {
  if (hold.client !== null) holds.set(hold.client, (holds.get(hold.client) ?? 0) + 1)
  for (const [index, picture] of pictures.entries()) {
    if (typeof picture === 'string' || picture instanceof Refusal) continue
    if (picture.resource.id !== hold.loaded.resource.id) continue
    const window = withPlacement(picture.window, hold.placement, hold.appointmentUuid)
    pictures[index] = { ...picture, window }
  }
}

async function writeHolds(
  tx: Transaction,
  wishes: ReserveWish[],
  decisions: Decision[],
  holdSeconds: number,
): Promise<Map<string, Written>> {
  const holds = decisions.filter(isHold)
  const replaced = wishes.filter((_, index) => isHold(decisions[index]!)).map(wish => wish.placeholder)
  const writing = Promise.all([
    releaseHolds(tx, replaced),
    clearTheWay(
      tx,
      holds.map(hold => hold.loaded),
    ),
    insertHolds(tx, holds, holdSeconds),
  ])
  const [, , written] = await tx.last(writing)
  return written
}

const asReserved = (hold: NewHold, { expires_at, address }: Written): Reserved => ({
  loaded: hold.loaded,
  placement: hold.placement,
  participationUuid: hold.uuid,
  appointmentUuid: hold.appointmentUuid,
  placeholder: hold.placeholder,
  expiresAt: expires_at,
  address,
})
