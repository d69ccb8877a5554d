import type { Held } from '../../db/booking/held.ts'
import type { TargetWindow } from '../../db/booking/targets.ts'
import { alreadyBooked, notFound, type Refusal, slotTaken, termsNotAccepted } from '../../errors.ts'
import { type Placement, place } from '../../rules/offers/slots.ts'
import { channelRefusal, choosePlace } from './choose-place.ts'
import { toRefusal } from './refuse-slot.ts'
import type { CompleteRequest } from './requests.ts'
import type { BookingChannel } from './resolve-booker.ts'

// Decides a completion on what was read. Batches and single requests share this decision; they differ in how
// much they read before and how they write afterwards. The place is checked first, so that a refusal reveals
// nothing about the person.

/** What was read besides the hold. A batch reads only the channel. */
export type CompletionContext =
  | { kind: 'channel'; channel: BookingChannel }
  /** `present`: the Appointments at this time that the person takes part in. */
  | { kind: 'window'; loaded: TargetWindow; present: ReadonlySet<number> }
  | { kind: 'unknown target' }

type Seen = {
  request: CompleteRequest
  own: Held | null
  around: CompletionContext
  /** The Participations that are being moved; only they can use a hold that was made for the move. */
  movers?: (number | null)[]
}

type Verdict =
  /** This very request has already booked it. */
  | { kind: 'repeated'; own: Held }
  /** The hold becomes the booking unchanged. */
  | { kind: 'held'; own: Held }
  | { kind: 'placed'; placement: Placement }
  | { kind: 'refused'; refusal: Refusal }
  /** Not a Product of this Resource; whether it exists at all has not been read. */
  | { kind: 'other product'; uuid: string }
  /** Needs more than was read. */
  | { kind: 'undecided' }

export function decideCompletion(seen: Seen): Verdict {
  const verdict = decidePlace(seen)
  const isGranted = verdict.kind === 'held' || verdict.kind === 'placed'
  return isGranted && !seen.request.hasAgreed && mustAgree(seen) ? refused(termsNotAccepted()) : verdict
}

const mustAgree = ({ own, around }: Seen) =>
  around.kind === 'window' ? around.loaded.provider.termsRequired : own?.termsRequired

function decidePlace({ request, own, around, movers = [] }: Seen): Verdict {
  if (own && isUsed(own)) return repeated(own, request)
  if (around.kind === 'unknown target')
    return refused(notFound('Timeslot', request.targetUuid, 'timeslot_uuid'))
  const isTheirs = own?.replaces == null || movers.includes(own.replaces)
  if (own && isTheirs && isMeant(own, request, around)) return keepHold(own, around)
  return around.kind === 'window' ? findPlace(request, own, around) : { kind: 'undecided' }
}

const refused = (refusal: Refusal): Verdict => ({ kind: 'refused', refusal })

/** It has been booked, even if that booking was changed or cancelled since. */
const isUsed = ({ state, completionDigest }: Held) =>
  state === 'BOOKED' || state === 'REQUESTED' || completionDigest !== null

/**
 * Repeating a request returns the same booking while it exists; a different request with a used placeholder
 * is refused.
 */
function repeated(done: Held, { digest }: CompleteRequest): Verdict {
  const isStillThere = done.state === 'BOOKED' || done.state === 'REQUESTED'
  if (!isStillThere || done.appointmentState !== 'ACTIVE') return refused(slotTaken('cancelled'))
  if (done.completionDigest !== digest) return refused(alreadyBooked())
  return { kind: 'repeated', own: done }
}

/** Whether the hold is live and matches the Resource, time and Product of the request. */
function isMeant(
  own: Held,
  { targetUuid, productUuid, start, end, places }: CompleteRequest,
  around: CompletionContext,
): boolean {
  const isHere =
    [own.ownTimeslotUuid, own.timeslotUuid, own.appointmentUuid].includes(targetUuid) ||
    (around.kind === 'window' && around.loaded.resource.id === own.resourceId)
  const isProduct = productUuid === null || productUuid.toLowerCase() === own.productUuid
  return (
    own.live &&
    own.appointmentState === 'ACTIVE' &&
    isHere &&
    isProduct &&
    (places === null || places === own.places) &&
    start === own.startAt &&
    end === own.endAt
  )
}

/**
 * A hold is a promise, even if the time was closed or hidden since; but nothing is booked at an archived
 * Resource or in the past.
 */
function keepHold(own: Held, around: Exclude<CompletionContext, { kind: 'unknown target' }>): Verdict {
  if (own.resourceArchived) return refused(toRefusal({ reason: 'archived' }))
  if (own.startAt <= own.now) return refused(toRefusal({ reason: 'notice', isPast: true }))
  const { key } = around.kind === 'channel' ? around.channel : around.loaded.channel
  if (around.kind === 'channel')
    return own.isShared || own.channelKey !== key ? { kind: 'undecided' } : { kind: 'held', own }
  // Held through one channel and completed through another: the second one must sell it too.
  const refusal = own.channelKey === key ? null : channelRefusal(own, around.loaded)
  if (refusal) return refused(refusal)
  return around.present.has(own.appointmentId) ? refused(alreadyBooked()) : { kind: 'held', own }
}

function findPlace(
  request: CompleteRequest,
  own: Held | null,
  { loaded, present }: Extract<CompletionContext, { kind: 'window' }>,
): Verdict {
  const chosen = choosePlace(request, own, loaded)
  if (chosen.kind !== 'requests') return chosen
  const results = chosen.requests.map(one => place(loaded.window, one, loaded.now))
  const result = results.find(one => !('reason' in one)) ?? results[0] ?? { reason: 'product' as const }
  if ('reason' in result) return refused(toRefusal(result))
  const isPresent =
    result.kind === 'join' && result.appointment.id !== null && present.has(result.appointment.id)
  return isPresent ? refused(alreadyBooked()) : { kind: 'placed', placement: result }
}
