import type { Queryable } from '../../db/base/pool.ts'
import type { AvailabilityCache, CachedAvailability } from './availability-cache.ts'
import {
  checkOwnership,
  findNamedRefs,
  type lockForRequests,
  readSnapshots,
  type Snapshot,
} from './lock-and-read.ts'
import type { PreparedReserve } from './requests.ts'

type Locking = ReturnType<typeof lockForRequests>

/**
 * The snapshot for each request, under a lock that is on its way: from the cache if that suffices to grant
 * it, else read. A request that waits for the lock always reads.
 */
export async function snapshotsFor(
  tx: Queryable,
  offers: AvailabilityCache,
  wishes: PreparedReserve[],
  locking: Locking,
  how: { waiting: boolean },
): Promise<Snapshot[]> {
  const pictures = new Map<PreparedReserve, Snapshot>()
  const readMissing = async (isMissing: (wish: PreparedReserve) => boolean) => {
    const missing = wishes.filter(isMissing)
    const read = missing.length > 0 ? await readSnapshots(tx, missing.map(asLooking), locking, how) : []
    for (const [index, wish] of missing.entries()) {
      const picture = read[index]!
      if (picture.kind === 'loaded') offers.miss(wish, picture.loaded)
      pictures.set(wish, picture)
    }
  }
  const known = new Map(how.waiting ? [] : wishes.flatMap(wish => withOffer(wish, offers.find(wish))))
  await Promise.all([
    readMissing(wish => !known.has(wish)),
    lookAtKnown(tx, offers, known, locking).then(some => {
      for (const [wish, picture] of some) pictures.set(wish, picture)
    }),
  ])
  await readMissing(wish => !pictures.has(wish))
  return wishes.map(wish => pictures.get(wish)!)
}

const withOffer = (
  wish: PreparedReserve,
  offer: CachedAvailability | null,
): [PreparedReserve, CachedAvailability][] => (offer ? [[wish, offer]] : [])

const asLooking = (wish: PreparedReserve) => (wish.moving === null ? wish : { ...wish, leaving: wish.moving })

/** Leaves out requests for which the cache does not suffice. Names are looked up even so. */
async function lookAtKnown(
  tx: Queryable,
  offers: AvailabilityCache,
  known: Map<PreparedReserve, CachedAvailability>,
  locking: Locking,
): Promise<Map<PreparedReserve, Snapshot>> {
  const [locked, named] = await Promise.all([locking, findNamedRefs(tx, [...known.keys()])])
  const pictures = new Map<PreparedReserve, Snapshot>()
  for (const [index, [wish, offer]] of [...known].entries()) {
    const { resource, provider } = offer.sold.loaded
    const at = locked.get(resource.id)
    const isTheirs = !named || !checkOwnership(named[index]!, wish.refs, provider.id)
    const loaded = at && isTheirs ? offers.pictureFor(wish, offer, at) : null
    if (!at) offers.lockedOut.add(wish)
    if (!at) pictures.set(wish, { kind: 'locked' })
    else if (loaded) pictures.set(wish, { kind: 'loaded', loaded })
  }
  return pictures
}
