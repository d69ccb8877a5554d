import type { Queryable } from '../../../db/base/pool.ts'
import { findHeld, type Held } from '../../../db/booking/held.ts'
import { type Booker, findBookers } from '../../../db/booking/people.ts'
import { lockHolds } from '../../../db/booking/targets.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { completeAlone } from '../complete.ts'
import { completeHeld, type HeldBy } from '../complete-held.ts'
import { decideCompletion } from '../decide-completion.ts'
import { answeredAs } from '../finish-booking.ts'
import { findNamed, whyNotTheirs } from '../lock-and-load.ts'
import { mustBeKnown, whoBooksAs } from '../who-books.ts'
import type { Completion, TargetedWish } from '../wishes.ts'
import { type Answer, grantAll, together } from './together.ts'

// Together goes what nearly all bookings are: a live hold of the caller's own becomes a booking, as it is. That is decided
// on the holds alone; whatever needs a closer look is decided alone.

export const completeTogether = (service: Service) =>
  together<TargetedWish, Completion>({
    all: wishes => completeAll(service, wishes),
    one: wish => completeAlone(service, wish),
    oneAgain: wish => completeAlone(service, wish, { again: true }),
  })

type Decision = { kind: 'ready'; held: HeldBy } | Answer<Completion>
type Ready = Extract<Decision, { kind: 'ready' }>

const isReady = (decision: Decision): decision is Ready => decision.kind === 'ready'

async function completeAll(service: Service, wishes: TargetedWish[]) {
  let locked: Awaited<Locking> = new Map()
  let held: HeldBy[] = []
  const answers = await grantAll<Ready, Completion>(
    service.db,
    async tx => {
      // What was about to be written by a try that collided was not.
      held = []
      const locking = lockHolds(
        tx,
        wishes.map(one => one.placeholder),
      )
      const decisions = await decideAll(tx, service, wishes, locking)
      locked = await locking
      return decisions
    },
    isReady,
    (tx, ready) => {
      held = ready.map(one => one.held)
      return completeHeld(tx, service, held)
    },
  )
  tellOffers(service, locked, held)
  return answers
}

type Locking = ReturnType<typeof lockHolds>

/** What was held is booked: those who hold next need not read that again. */
function tellOffers({ offers }: Service, locked: Awaited<Locking>, held: HeldBy[]) {
  const spans = held.map(({ own }) => ({ own, from: own.blockedFrom, to: own.blockedTo }))
  for (const [id, kept] of Map.groupBy(spans, one => one.own.resourceId))
    offers.changed(kept[0]!.own.resourceUuid, locked.get(id)!, { added: [], kept })
}

const alone = { kind: 'alone' } as const

async function decideAll(
  tx: Queryable,
  service: Service,
  wishes: TargetedWish[],
  locking: Locking,
): Promise<Decision[]> {
  const placeholders = wishes.map(one => one.placeholder)
  const [locked, holds, bookers, named] = await Promise.all([
    locking,
    findHeld(tx, placeholders),
    findBookers(tx, wishes),
    findNamed(tx, wishes),
  ])
  const isFirst = firstOnes()
  return wishes.map((wish, index) => {
    const own = holds[index] ?? null
    const booker = bookers[index] ?? null
    if (!own || !booker || !isFirst(own, booker)) return alone
    if (named && whyNotTheirs(named[index]!, wish.refs, own.providerId)) return alone
    return locked.has(own.resourceId) ? decide(service, wish, own, booker) : { kind: 'locked' }
  })
}

/** Whoever comes second to an Appointment may be the same person, and who comes second is no longer new: to be looked at alone. */
function firstOnes() {
  const seen = new Set<string | number>()
  return ({ appointmentId }: Held, { contact }: Booker) => {
    const marks = [
      appointmentId,
      contact.email.toLowerCase(),
      ...(contact.mobileKey ? [contact.mobileKey] : []),
    ]
    const isFirst = marks.every(mark => !seen.has(mark))
    for (const mark of marks) seen.add(mark)
    return isFirst
  }
}

function decide(service: Service, wish: TargetedWish, own: Held, booker: Booker): Decision {
  const channel = channelFor(wish, own)
  if (!channel) return alone
  const verdict = decideCompletion({ wish, own, around: { kind: 'channel', channel } })
  if (verdict.kind === 'repeated') return { kind: 'done', done: answeredAs(service, verdict.own, wish) }
  if (verdict.kind === 'refused') return verdict
  if (verdict.kind !== 'held' || mustBeKnown(channel, wish)) return alone
  return { kind: 'ready', held: { own: verdict.own, ...whoBooksAs(booker, channel, wish, own) } }
}

/** The one that the path or its name means, if uuids in the path mean the Resource of the hold at all. */
function channelFor({ refs, channelKey }: TargetedWish, { resourceUuid, channels }: Held) {
  const others = refs
    .filter(isUuid)
    .map(ref => ref.toLowerCase())
    .filter(ref => ref !== resourceUuid)
  if (others.length === 0) return channels.find(one => one.key === channelKey)
  return others.length === 1 ? channels.find(one => one.uuid === others[0]) : undefined
}
