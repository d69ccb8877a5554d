import type { Held } from '../../db/booking/held.ts'
import type { TargetWindow } from '../../db/booking/targets.ts'
import { alreadyBooked, notFound, type Refusal, slotTaken, termsNotAccepted } from '../../errors.ts'
import { type Placement, place } from '../../rules/offers/slots.ts'
import { choosePlace, whyNotThroughChannel } from './choose-place.ts'
import { asRefusal } from './refuse-slot.ts'
import type { BookingChannel } from './who-books.ts'
import type { CompleteWish } from './wishes.ts'

// What a completion is, decided on what was read. Alone and in a group it is this one decision; they differ in how much
// they read before and in how they write afterwards. The place comes first: who it is for is nobody's business where
// none could be had.

/** What was read around the hold. A group reads the channel and no more. */
export type Around =
  | { kind: 'channel'; channel: BookingChannel }
  /** `present`: the Appointments at this time in which this person takes part. */
  | { kind: 'window'; loaded: TargetWindow; present: ReadonlySet<number> }
  | { kind: 'unknown target' }

type Seen = {
  wish: CompleteWish
  own: Held | null
  around: Around
  /** The Participations of whoever moves; only they can use a hold that was made for that. */
  movers?: (number | null)[]
}

type Verdict =
  /** It was booked by this very request. */
  | { kind: 'repeated'; own: Held }
  /** The hold becomes the booking, as it is. */
  | { kind: 'held'; own: Held }
  | { kind: 'placed'; placement: Placement }
  | { kind: 'refused'; refusal: Refusal }
  /** Not a Product of this Resource; whether it is one at all has not been read. */
  | { kind: 'other product'; uuid: string }
  /** What was read does not suffice. */
  | { kind: 'undecided' }

export function decideCompletion(seen: Seen): Verdict {
  const verdict = decidePlace(seen)
  const isGranted = verdict.kind === 'held' || verdict.kind === 'placed'
  return isGranted && !seen.wish.hasAgreed && mustAgree(seen) ? refused(termsNotAccepted()) : verdict
}

const mustAgree = ({ own, around }: Seen) =>
  around.kind === 'window' ? around.loaded.provider.termsRequired : own?.termsRequired

function decidePlace({ wish, own, around, movers = [] }: Seen): Verdict {
  if (own && isUsed(own)) return repeated(own, wish)
  if (around.kind === 'unknown target') return refused(notFound('Timeslot', wish.targetUuid, 'timeslot_uuid'))
  const isTheirs = own?.replaces == null || movers.includes(own.replaces)
  if (own && isTheirs && isMeant(own, wish, around)) return keepHold(own, around)
  return around.kind === 'window' ? findPlace(wish, own, around) : { kind: 'undecided' }
}

const refused = (refusal: Refusal): Verdict => ({ kind: 'refused', refusal })

/** A booking was made of it, whatever became of that booking. */
const isUsed = ({ state, completionDigest }: Held) =>
  state === 'BOOKED' || state === 'REQUESTED' || completionDigest !== null

/** The same request again is the same booking, while there is one; another one with a used placeholder is refused. */
function repeated(done: Held, { digest }: CompleteWish): Verdict {
  const isStillThere = done.state === 'BOOKED' || done.state === 'REQUESTED'
  if (!isStillThere || done.appointmentState !== 'ACTIVE') return refused(slotTaken(bookingGone))
  if (done.completionDigest !== digest) return refused(alreadyBooked())
  return { kind: 'repeated', own: done }
}

const bookingGone = 'This booking was made and has been cancelled since. Load the list again and book anew.'

/** A live hold at the Resource, the time and the Product of the wish: then the hold itself is what is wished for. */
function isMeant(own: Held, { targetUuid, productUuid, start, end }: CompleteWish, around: Around): boolean {
  const isHere =
    [own.ownTimeslotUuid, own.timeslotUuid, own.appointmentUuid].includes(targetUuid) ||
    (around.kind === 'window' && around.loaded.resource.id === own.resourceId)
  const isProduct = productUuid === null || productUuid.toLowerCase() === own.productUuid
  return (
    own.live &&
    own.appointmentState === 'ACTIVE' &&
    isHere &&
    isProduct &&
    start === own.startAt &&
    end === own.endAt
  )
}

/** A hold is a promise, whatever was closed or hidden since; but nothing is booked at an archived Resource or in the past. */
function keepHold(own: Held, around: Exclude<Around, { kind: 'unknown target' }>): Verdict {
  if (own.resourceArchived) return refused(asRefusal({ reason: 'archived' }))
  if (own.startAt <= own.now) return refused(asRefusal({ reason: 'notice', isPast: true }))
  const { key } = around.kind === 'channel' ? around.channel : around.loaded.channel
  if (around.kind === 'channel')
    return own.isShared || own.channelKey !== key ? { kind: 'undecided' } : { kind: 'held', own }
  // Held through one channel and completed through another: that one must sell it as well.
  const refusal = own.channelKey === key ? null : whyNotThroughChannel(own, around.loaded)
  if (refusal) return refused(refusal)
  return around.present.has(own.appointmentId) ? refused(alreadyBooked()) : { kind: 'held', own }
}

function findPlace(
  wish: CompleteWish,
  own: Held | null,
  { loaded, present }: Extract<Around, { kind: 'window' }>,
): Verdict {
  const chosen = choosePlace(wish, own, loaded)
  if (chosen.kind !== 'wish') return chosen
  const results = chosen.wishes.map(one => place(loaded.window, one, loaded.now))
  const result = results.find(one => !('reason' in one)) ?? results[0] ?? { reason: 'product' as const }
  if ('reason' in result) return refused(asRefusal(result))
  const isPresent =
    result.kind === 'join' && result.appointment.id !== null && present.has(result.appointment.id)
  return isPresent ? refused(alreadyBooked()) : { kind: 'placed', placement: result }
}
