import { type AuditEntry, recordAudits } from '../../db/audit.ts'
import type { Transaction } from '../../db/base/pool.ts'
import { saveCompletions } from '../../db/booking/booking-writes.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { pickLanguage } from '../../languages.ts'
import { cancelLink } from '../../links.ts'
import { bookingData } from '../../mail/booking-data.ts'
import type { BookingKind } from '../../rules/mails.ts'
import type { Service } from '../../service.ts'
import { type Told, writeMails } from '../notify.ts'
import type { Completion } from './wishes.ts'

/**
 * Ends the transaction that books these Participations: their mails, what is kept for repeated requests and the commit
 * travel together, behind whatever is still being written.
 */
export async function finishBookings(
  tx: Transaction,
  service: Service,
  bookings: Booking[],
  now: number,
  writing?: Promise<unknown>,
): Promise<Completion[]> {
  const told = bookings.map(booking => ({ booking, data: bookingData(service, booking, null, now) }))
  const answers = told.map(one => asCompletion(service, one))
  const kept = bookings.map(({ participation_id, provider_id }, index) => ({
    participation_id,
    provider_id,
    answer: answers[index]!,
  }))
  const recording = Promise.all([
    writing,
    writeMails(tx, mailsAbout, told),
    saveCompletions(tx, kept),
    recordAudits(tx, bookings.map(asAudit)),
  ])
  await tx.last(recording)
  return answers
}

const mailsAbout = ({ state }: Booking): BookingKind[] =>
  state === 'BOOKED' ? ['booked', 'booking-notice'] : ['requested', 'request-notice']

const asAudit = (booking: Booking): AuditEntry => ({
  actor: { kind: 'consumer', name: 'consumer' },
  crmId: booking.crm_id,
  providerId: booking.provider_id,
  action: `booking.${booking.state.toLowerCase()}`,
  reference: `${booking.participation_uuid}@consumer`,
})

function asCompletion(service: Service, { booking, data }: Told): Completion {
  const [channel] = data.contact.channels
  return {
    appointmentUuid: booking.appointment_uuid,
    timeslotUuid: booking.timeslot_uuid ?? booking.appointment_uuid,
    productUuid: booking.product_uuid,
    productName: booking.product_name,
    resourceUuid: booking.resource_uuid,
    resourceName: booking.resource_name,
    start: booking.start_at,
    end: booking.end_at,
    timeZone: booking.time_zone,
    language: pickLanguage(booking.language, booking.provider_language),
    capacity: booking.capacity,
    capacityLeft: Math.max(0, booking.capacity - booking.taken),
    cancelLink: cancelLink(service, booking),
    contactChannel: channel ? { type: channel.type, value: channel.value } : null,
  }
}
