import { completeHolds, type HoldToBook } from '../db/booking-writes.ts'
import { findHolds, type Hold } from '../db/holds.ts'
import type { Queryable } from '../db/pool.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import { type Completion, completeAlone, isSame, type TargetedWish } from './complete.ts'
import { finishBookings } from './finish-booking.ts'
import { lockAndLoad, type Picture } from './lock-and-load.ts'
import { grantAll, together } from './together.ts'
import { mustBeKnown, whoBooksAs } from './who-books.ts'

// Together goes what nearly all bookings are: a live hold of the caller's own becomes a booking, as it is. Nothing needs
// to be looked for or refused then. All else is decided alone.

export const completeTogether = (service: Service) =>
  together<TargetedWish, Completion>({
    all: wishes => completeAll(service, wishes),
    one: wish => completeAlone(service, wish),
  })

type Ready = HoldToBook & { uuid: string }
type Decision = Ready | 'locked' | 'alone'

const isReady = (decision: Decision): decision is Ready => typeof decision !== 'string'

const completeAll = (service: Service, wishes: TargetedWish[]) =>
  grantAll<Decision, Completion>(
    service.db,
    tx => decideAll(tx, wishes),
    isReady,
    async (tx, decisions) => {
      const ready = decisions.filter(isReady)
      const uuids = ready.map(one => one.uuid)
      const done = await finishBookings(tx, service, uuids, ready[0]!.loaded.now, completeHolds(tx, ready))
      return decisions.map(one => (isReady(one) ? done.get(one.uuid)! : one))
    },
  )

async function decideAll(tx: Queryable, wishes: TargetedWish[]): Promise<Decision[]> {
  let finding: Promise<(Hold | null)[]> | undefined
  const underLock = () => {
    finding = findHolds(
      tx,
      wishes.map(one => one.placeholder),
    )
    return finding
  }
  const pictures = await lockAndLoad(tx, wishes, { waiting: false, frameOnly: true, underLock })
  const holds = (await finding) ?? []
  const inUse = new Set<number>()
  return wishes.map((wish, index) => {
    const own = holds[index] ?? null
    // Whoever comes second to an Appointment may be the same person: that is looked at alone.
    const isFirst = own !== null && !inUse.has(own.appointment_id)
    if (own) inUse.add(own.appointment_id)
    return isFirst ? decide(wish, pictures[index]!, own) : 'alone'
  })
}

function decide(wish: TargetedWish, picture: Picture, own: Hold): Decision {
  if (picture === 'locked') return 'locked'
  if (picture === 'unknown' || picture instanceof Refusal) return 'alone'
  const isPlain =
    own.live &&
    !own.is_shared &&
    own.channel_key === picture.channel.key &&
    isSame(own, picture, wish) &&
    !mustBeKnown(picture, wish)
  if (!isPlain) return 'alone'
  return { uuid: own.uuid, holdId: own.id, loaded: picture, ...whoBooksAs(null, picture, wish, own) }
}
