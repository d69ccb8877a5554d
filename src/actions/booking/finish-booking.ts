import { countGroups } from '../../db/base/counted-places.ts'
import type { Transaction } from '../../db/base/pool.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { type Booker, isNewCustomer } from '../../db/booking/people.ts'
import { fillsInCustomer, fillsInUnconfirmed, fillsInUser } from '../../db/booking/people-writes.ts'
import { pickLanguage } from '../../languages.ts'
import { clockNow } from '../../lib/clock.ts'
import { cancelLink, confirmationLink, detailsLink, moveLink } from '../../links.ts'
import { bookingData } from '../../messages/booking-data.ts'
import type { BookingWithData } from '../../messages/compose.ts'
import { type Actor, consumerActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { type EventBatch, recordEvents } from '../record-events.ts'
import type { CompleteRequest, Completion } from './requests.ts'

type Finishing = {
  now: number
  /** The people who book, if the data is a consumer's own. */
  bookers: Booker[]
  /** Writes that are still in progress. */
  pendingWrites?: Promise<unknown>
  /** The dates of one person's series. */
  inOneEmail?: boolean
  actor?: Actor
}

/**
 * Ends the transaction that books these Participations. The events, emails and commit share one round trip,
 * behind any writes still in progress.
 */
export async function finishBookings(
  tx: Transaction,
  service: Service,
  bookings: Booking[],
  { now, bookers, pendingWrites, inOneEmail = false, actor = consumerActor }: Finishing,
): Promise<Completion[]> {
  const byCustomer = new Map(bookers.map(one => [one.customerUuid, one]))
  const toConfirm = new Map(bookers.filter(fillsInUnconfirmed).map(one => [one.customerUuid, one.userUuid]))
  const loadedBookings = bookings.map(booking => {
    const userUuid = toConfirm.get(booking.customerUuid!)
    const link = userUuid ? detailsLink(service, userUuid) : null
    const page = inOneEmail ? { pageLink: confirmationLink(service, booking) } : {}
    return { booking, data: { ...bookingData(service, booking, null, now), ...page, detailsLink: link } }
  })
  const answers = loadedBookings.map(one => toCompletion(service, one))
  const eventBatches = loadedBookings.flatMap((one, index) => {
    // A person who books several dates is created or changed once.
    const isKnown = inOneEmail && index > 0
    const booker = isKnown ? undefined : byCustomer.get(one.booking.customerUuid!)
    return eventBatchesOf(one, booker, actor).map(batch => ({ ...batch, inOneEmail }))
  })
  await tx.last(
    Promise.all([
      pendingWrites,
      countGroups(tx, groupsOf(bookings)),
      recordEvents(tx, service, eventBatches),
    ]),
  )
  return answers
}

const groupsOf = (bookings: Booking[]) =>
  bookings.map(({ appointmentId, capacity }) => ({ id: appointmentId, capacity }))

/** If the booking filled in details of a person whom the CRM knows, it causes an event for that User too. */
function eventBatchesOf(
  loadedBookings: BookingWithData,
  booker: Booker | undefined,
  actor: Actor,
): EventBatch[] {
  const { booking } = loadedBookings
  const { crmId } = booking
  const customerUuid = booking.customerUuid!
  const kind = booking.state === 'BOOKED' ? 'participation.booked' : 'participation.requested'
  const batch: EventBatch = {
    actor,
    provider: { id: booking.providerId, crmId },
    preloaded: [loadedBookings],
    events: {
      'customer.created': booker && isNewCustomer(booker) ? [{ customerUuid }] : [],
      'customer.changed': booker && fillsInCustomer(booker) ? [{ customerUuid }] : [],
      'appointment.created': booking.isFirst ? [booking.appointmentId] : [],
      [kind]: [booking.participationId],
    },
  }
  if (!booker || !fillsInUser(booker)) return [batch]
  return [{ actor, crmId, events: { 'user.changed': [booker.known.userId!] } }, batch]
}

/** The answer to the request that made this booking, for a repeat of it; its Timeslot may be gone since. */
export function completionAnsweredBefore(
  service: Service,
  booking: Booking,
  { targetUuid }: CompleteRequest,
): Completion {
  const answer = toCompletion(service, {
    booking,
    data: bookingData(service, booking, null, clockNow()),
  })
  return { ...answer, timeslotUuid: booking.timeslotUuid ?? targetUuid }
}

export function toCompletion(service: Service, { booking, data }: BookingWithData): Completion {
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
    places: booking.places,
    state: booking.state === 'REQUESTED' ? 'REQUESTED' : 'BOOKED',
    // Signed once, and used in the emails and here.
    cancelLink: cancelLink(service, booking, data.cancelLink ?? undefined),
    moveLink: data.moveLink ?? moveLink(service, booking),
    confirmationLink: confirmationLink(service, booking),
    answersMissing: booking.answersMissing,
    answersLink: data.answersLink,
    contactChannel: channel ? { type: channel.type, value: channel.value } : null,
  }
}
