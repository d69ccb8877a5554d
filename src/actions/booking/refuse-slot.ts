import { violates } from '../../db/base/postgres-errors.ts'
import { secondsToWait } from '../../db/base/rates.ts'
import { alreadyBooked, channelHidden, Refusal, slotTaken, tooManyRequests } from '../../errors.ts'
import type { Refused } from '../../rules/offers/slots.ts'
import type { Closure } from '../../rules/offers/window.ts'

/** The refusal for the consumer. */
export function toRefusal({ reason, isPast, closure }: Refused): Refusal {
  if (reason === 'channel') return channelHidden()
  if (closure) return closedBecause(closure)
  if (isPast) return slotTaken('past', 'past')
  if (reason === 'taken') return slotTaken()
  const rule = reason === 'too few places' ? 'too-few-places' : reason
  return slotTaken(rule, reason)
}

/** The reason of a staff block is private. */
const closedBecause = ({ reason, isBlock }: Closure) =>
  isBlock || !reason
    ? slotTaken('closure', 'closed')
    : new Refusal('201', { rule: 'closure:reason', closure: reason, reason: 'closed' })

/** No such Timeslot is open at this time: it may have ended, or changed since the list was loaded. */
export const notOpenAt = (start: number, now: number) => slotTaken(start <= now ? 'past' : 'not-open')

/**
 * The lock prevents these violations; if it ever fails, a constraint violation is answered as a taken slot,
 * not as a 500.
 */
export function refuseConstraint(error: unknown): never {
  const wait = secondsToWait(error)
  if (wait !== null) throw tooManyRequests(wait)
  if (violates(error, 'appointment_no_overlap')) throw slotTaken()
  if (violates(error, 'participation_once') || violates(error, 'participation_placeholder_key'))
    throw alreadyBooked()
  throw error
}
