import { violates } from '../../db/base/postgres-errors.ts'
import { alreadyBooked, channelHidden, type Refusal, slotTaken } from '../../errors.ts'
import type { Refused } from '../../rules/slots.ts'

/** What the consumer is told. Widgets show one sentence for all of them; people who read logs want to know more. */
export function asRefusal({ reason }: Refused): Refusal {
  if (reason === 'channel') return channelHidden()
  return slotTaken(sentences[reason])
}

const sentences: Partial<Record<Refused['reason'], string>> = {
  archived: 'This Resource can no longer be booked.',
  'not-bookable': 'This Timeslot is not open for bookings.',
  product: 'This Product is not offered here.',
  raster: 'No slot starts at this time. Load the list again.',
  duration: 'This Product cannot be booked for this length of time.',
  rest: 'The slot would end after the Timeslot.',
  notice: 'It is too late to book this slot.',
  horizon: 'It is too early to book this slot.',
  capacity: 'This Timeslot has no places.',
  full: 'The last place is taken.',
  closed: 'This Appointment is not open for bookings.',
}

/** The lock makes these impossible; should it ever fail, the constraint's no is a taken slot, not an accident. */
export function refuseConstraint(error: unknown): never {
  if (violates(error, 'appointment_no_overlap') || violates(error, 'appointment_slot')) throw slotTaken()
  if (violates(error, 'participation_once') || violates(error, 'participation_placeholder_key'))
    throw alreadyBooked()
  throw error
}
