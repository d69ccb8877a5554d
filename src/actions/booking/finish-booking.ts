import type { Transaction } from '../../db/base/pool.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { type Booker, isNewCustomer } from '../../db/booking/people.ts'
import { fillsInCustomer, fillsInUnconfirmed, fillsInUser } from '../../db/booking/people-writes.ts'
import { pickLanguage } from '../../languages.ts'
import { cancelLink, confirmationLink, detailsLink, moveLink } from '../../links.ts'
import { bookingData } from '../../mail/booking-data.ts'
import type { Told } from '../../mail/letters.ts'
import { aConsumer } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened, type Story } from '../happened.ts'
import type { CompleteWish, Completion } from './wishes.ts'

type Finishing = {
  now: number
  /** Who books, where that is a stranger's word. */
  bookers: Booker[]
  /** What is still being written. */
  writing?: Promise<unknown>
}

/**
 * Ends the transaction that books these Participations: what happened, the mails and the commit travel together,
 * behind whatever is still being written.
 */
export async function finishBookings(
  tx: Transaction,
  service: Service,
  bookings: Booking[],
  { now, bookers, writing }: Finishing,
): Promise<Completion[]> {
  const byCustomer = new Map(bookers.map(one => [one.customerUuid, one]))
  const toConfirm = new Map(bookers.filter(fillsInUnconfirmed).map(one => [one.customerUuid, one.userUuid]))
  const told = bookings.map(booking => {
    const userUuid = toConfirm.get(booking.customerUuid!)
    const link = userUuid ? detailsLink(service, userUuid) : null
    return { booking, data: { ...bookingData(service, booking, null, now), detailsLink: link } }
  })
  const answers = told.map(one => asCompletion(service, one))
  const stories = told.flatMap(one => asStories(one, byCustomer.get(one.booking.customerUuid!)))
  await tx.last(Promise.all([writing, happened(tx, service, stories)]))
  return answers
}

/** Where the booking filled something in about somebody whom the CRM knows, it hears of that as well. */
function asStories(told: Told, booker: Booker | undefined): Story[] {
  const { booking } = told
  const { crmId } = booking
  const customerUuid = booking.customerUuid!
  const kind = booking.state === 'BOOKED' ? 'participation.booked' : 'participation.requested'
  const story: Story = {
    actor: aConsumer,
    provider: { id: booking.providerId, crmId },
    told: [told],
    news: {
      'customer.created': booker && isNewCustomer(booker) ? [{ customerUuid }] : [],
      'customer.changed': booker && fillsInCustomer(booker) ? [{ customerUuid }] : [],
      'appointment.created': booking.isFirst ? [booking.appointmentId] : [],
      [kind]: [booking.participationId],
    },
  }
  if (!booker || !fillsInUser(booker)) return [story]
  return [{ actor: aConsumer, crmId, news: { 'user.changed': [booker.known.userId!] } }, story]
}

/** What was answered to the request that made this booking, for whoever sends it again; its Timeslot may be gone since. */
export function answeredAs(service: Service, booking: Booking, { targetUuid }: CompleteWish): Completion {
  const answer = asCompletion(service, {
    booking,
    data: bookingData(service, booking, null, Date.now()),
  })
  return { ...answer, timeslotUuid: booking.timeslotUuid ?? targetUuid }
}

export function asCompletion(service: Service, { booking, data }: Told): Completion {
  const [channel] = data.contact.channels
  return {
    appointmentUuid: booking.appointmentUuid,
    timeslotUuid: booking.timeslotUuid ?? booking.appointmentUuid,
    productUuid: booking.productUuid,
    productName: booking.productName,
    resourceUuid: booking.resourceUuid,
    resourceName: booking.resourceName,
    start: booking.startAt,
    end: booking.endAt,
    timeZone: booking.timeZone,
    language: pickLanguage(booking.language, booking.providerLanguage),
    capacity: booking.capacity,
    capacityLeft: Math.max(0, booking.capacity - booking.taken),
    state: booking.state === 'REQUESTED' ? 'REQUESTED' : 'BOOKED',
    // Signed once, for the mails and for this.
    cancelLink: cancelLink(service, booking, data.cancelLink ?? undefined),
    moveLink: data.moveLink ?? moveLink(service, booking),
    confirmationLink: confirmationLink(service, booking),
    contactChannel: channel ? { type: channel.type, value: channel.value } : null,
  }
}
