import { completeHolds, type HoldToBook } from '../db/booking-writes.ts'
import { findHolds, type Hold } from '../db/holds.ts'
import type { Queryable } from '../db/pool.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import { type Completion, completeAlone, isSame, type TargetedWish } from './complete.ts'
import { finishBookings } from './finish-booking.ts'
import { lockAndLoad, type Picture } from './lock-and-load.ts'
import { type Answer, together } from './together.ts'
import { mustBeKnown, whoBooksAs } from './who-books.ts'

// Together goes what nearly all bookings are: a live hold of the caller's own becomes a booking, as it is. Nothing needs
// to be looked for or refused then. All else is decided alone.

export const completeTogether = (service: Service) =>
  together<TargetedWish, Completion>({
    all: wishes => completeAll(service, wishes),
    one: wish => completeAlone(service, wish),
  })

type Ready = HoldToBook & { uuid: string }

async function completeAll(service: Service, wishes: TargetedWish[]): Promise<Answer<Completion>[]> {
  return service.db.transaction(async tx => {
    const ready = await readyOnes(tx, wishes)
    const some = ready.filter(one => one !== null)
    // Thrown and not returned: nothing changes then, not even the revision.
    if (some.length === 0) throw new Error('None of them can be completed together with others.')
    const uuids = some.map(one => one.uuid)
    const done = await finishBookings(tx, service, uuids, some[0]!.loaded.now, completeHolds(tx, some))
    return ready.map(one => (one ? done.get(one.uuid)! : 'alone'))
  })
}

async function readyOnes(tx: Queryable, wishes: TargetedWish[]): Promise<(Ready | null)[]> {
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
  const ready: (Ready | null)[] = []
  const inUse = new Set<number>()
  for (const [index, wish] of wishes.entries()) {
    const own = holds[index] ?? null
    const isFirst = own !== null && !inUse.has(own.appointment_id)
    ready.push(isFirst ? readyOne(wish, pictures[index]!, own) : null)
    // Whoever comes second to an Appointment may be the same person: that is looked at alone.
    if (own) inUse.add(own.appointment_id)
  }
  return ready
}

function readyOne(wish: TargetedWish, picture: Picture, own: Hold): Ready | null {
  if (typeof picture === 'string' || picture instanceof Refusal) return null
  const isPlain =
    own.live &&
    !own.is_shared &&
    own.channel_key === picture.channel.key &&
    isSame(own, picture, wish) &&
    !mustBeKnown(picture, wish)
  if (!isPlain) return null
  return { uuid: own.uuid, holdId: own.id, loaded: picture, ...whoBooksAs(null, picture, wish, own) }
}
