import { violates } from '../../db/base/postgres-errors.ts'
import { secondsToWait } from '../../db/base/rates.ts'
import { alreadyBooked, channelHidden, type Refusal, slotTaken, tooManyRequests } from '../../errors.ts'
import type { Refused } from '../../rules/offers/slots.ts'
import type { Closure } from '../../rules/offers/window.ts'

/**
 * The refusal for the consumer. Widgets show one sentence for all reasons; logs need the details. Every
 * conflict says that it overlaps with another Appointment, because integrators match on that text.
 */
export function toRefusal({ reason, isPast, closure }: Refused): Refusal {
  if (reason === 'channel') return channelHidden()
  if (closure) return slotTaken(closedBecause(closure), 'closed')
  return isPast ? slotTaken(past, 'past') : slotTaken(sentences[reason], reason)
}

const sentences: Partial<Record<Refused['reason'], string>> = {
  archived: 'This Resource can no longer be booked: it is archived.',
  'not-bookable': 'This Timeslot is not open for bookings.',
  product: 'This Product is not offered here. Load the list with prdRef to see where it is.',
  raster: 'No slot starts at this time. Load the list again.',
  duration:
    'This Product cannot be booked for this length of time: it has a shortest and a longest duration.',
  rest: 'The slot would end after the Timeslot does. Choose an earlier start or a shorter time.',
  notice: 'It is too late to book this slot: it starts sooner than bookings are taken.',
  horizon: 'It is too early to book this slot: it is further ahead than bookings are taken.',
  capacity: 'This Timeslot has no places.',
  full: 'The last place is taken: it overlaps with another Appointment.',
  'too few places': 'There are not enough places left: it overlaps with another Appointment.',
  buffer: 'There is no room for the time before and after: it overlaps with another Appointment.',
  closed: 'This Appointment is not open for bookings.',
  busy: 'The provider is busy then: it overlaps with another Appointment.',
}

/** The reason of a staff block is private. */
const closedBecause = ({ reason, isBlock }: Closure) =>
  isBlock || !reason ? 'This time is closed. Load the list again.' : `This time is closed: ${reason}`

export const appointmentGone = 'This Appointment is gone or cancelled. Load the list again.'

/** No such Timeslot is open at this time: it may have ended, or changed since the list was loaded. */
export const notOpenAt = (start: number, now: number) =>
  slotTaken(start <= now ? past : 'This Timeslot is not open for bookings at this time. Load the list again.')

const past = 'This time has passed. Load the list again and choose a later one.'

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
