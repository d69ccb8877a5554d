import type { Queryable } from '../../db/base/pool.ts'
import type { KnownOffer, KnownOffers } from './known-offers.ts'
import { findNamed, loadPictures, type lockFor, type Picture, whyNotTheirs } from './lock-and-load.ts'
import type { ReserveWish } from './wishes.ts'

type Locking = ReturnType<typeof lockFor>

/**
 * What each wish is decided on, behind the lock that is on its way: what is known, where that is enough to grant it, else what
 * is read. Whoever waits for the lock reads everything behind it.
 */
export async function picturesFor(
  tx: Queryable,
  offers: KnownOffers,
  wishes: ReserveWish[],
  locking: Locking,
  how: { waiting: boolean },
): Promise<Picture[]> {
  const pictures = new Map<ReserveWish, Picture>()
  const readMissing = async (isMissing: (wish: ReserveWish) => boolean) => {
    const missing = wishes.filter(isMissing)
    const read = missing.length > 0 ? await loadPictures(tx, missing.map(asLooking), locking, how) : []
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

const withOffer = (wish: ReserveWish, offer: KnownOffer | null): [ReserveWish, KnownOffer][] =>
  offer ? [[wish, offer]] : []

const asLooking = (wish: ReserveWish) => (wish.moving === null ? wish : { ...wish, leaving: wish.moving })

/** Names are looked up as ever. Those of which too little is known are left out. */
async function lookAtKnown(
  tx: Queryable,
  offers: KnownOffers,
  known: Map<ReserveWish, KnownOffer>,
  locking: Locking,
): Promise<Map<ReserveWish, Picture>> {
  const [locked, named] = await Promise.all([locking, findNamed(tx, [...known.keys()])])
  const pictures = new Map<ReserveWish, Picture>()
  for (const [index, [wish, offer]] of [...known].entries()) {
    const { resource, provider } = offer.sold.loaded
    const at = locked.get(resource.id)
    const isTheirs = !named || !whyNotTheirs(named[index]!, wish.refs, provider.id)
    const loaded = at && isTheirs ? offers.pictureFor(wish, offer, at) : null
    if (!at) offers.lockedOut.add(wish)
    if (!at) pictures.set(wish, { kind: 'locked' })
    else if (loaded) pictures.set(wish, { kind: 'loaded', loaded })
  }
  return pictures
}
