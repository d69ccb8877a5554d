import { closeIfEmpty, lockById, markChangedAppointments } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { moveParticipation } from '../../db/scheduling/participations.ts'
import { invalidToken, tooLateToChange } from '../../errors.ts'
import { contactOf } from '../../messages/booking-data.ts'
import { type Actor, consumerActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { changePlaces, type PlacesChange } from '../scheduling/appointments/change-places.ts'
import { offerFreedPlaces } from '../scheduling/waiting/offer-freed.ts'

type Purpose = 'cancel' | 'move'

/** The booking behind a link, if it is still active. */
export async function bookingToChange(
  service: Service,
  token: string,
  purpose: Purpose = 'cancel',
): Promise<Booking | null> {
  const booking = await bookingOfToken(service, token, purpose)
  return booking && isActive(booking) ? booking : null
}

/** The booking may be cancelled or over: the page explains that. */
export async function bookingOfToken(
  service: Service,
  token: string,
  purpose: Purpose = 'cancel',
): Promise<Booking | null> {
  const uuid = service.signer.open(purpose, token)
  if (uuid === null) return null
  const [booking] = await findBookingsByUuid(service.db, uuid)
  service.suspensions.refuseProvider(booking?.providerId)
  return booking ?? null
}

export const isActive = ({ isToCome, state }: Booking) =>
  isToCome && (state === 'BOOKED' || state === 'REQUESTED')

/**
 * The provider relies on bookings that are this close, so consumers have to call. A request can always be
 * withdrawn.
 */
export function refuseTooLate(booking: Booking) {
  if (booking.isChangeable || booking.state === 'REQUESTED') return
  const { name, channels } = contactOf(booking)
  throw tooLateToChange([name, ...channels.map(one => one.value)].join(', '))
}

/** Cancels a consumer's booking, frees the place, and emails the consumer and the provider's contact. */
export async function cancelByConsumer(
  service: Service,
  token: string,
  message: string | null,
  actor: Actor = consumerActor,
  /** Set if some of several places stay. */
  kept: PlacesChange | null = null,
): Promise<Booking> {
  const uuid = service.signer.open('cancel', token)
  if (uuid === null) throw invalidToken()
  return service.db.transaction(async tx => {
    const [seen] = await findBookingsByUuid(tx, uuid)
    if (!seen || !isActive(seen)) throw invalidToken()
    const { now } = await lockById(tx, seen.resourceId)
    const [booking] = await findBookingsByUuid(tx, uuid)
    if (!booking || !isActive(booking)) throw invalidToken()
    // Another transaction has moved it to a Resource that is not locked.
    if (booking.resourceId !== seen.resourceId) throw new RestartTransaction()
    refuseTooLate(booking)

    if (kept?.places) {
      // Repeated: so many were kept before, so nothing is left to cancel.
      const options = { ignoreCapacity: false, sendMails: true, message, now }
      if (kept.places < booking.places)
        await changePlaces(tx, { service, actor }, booking.participationId, kept, options)
    } else await leaveAppointment(tx, service, booking, message, now, actor)
    return booking
  })
}

/** Call with its Resource locked. */
export async function leaveAppointment(
  tx: Queryable,
  service: Service,
  { participationId, appointmentId, state, providerId, crmId }: Booking,
  message: string | null,
  now: number,
  actor: Actor,
) {
  await markChangedAppointments(tx, [appointmentId])
  await moveParticipation(tx, participationId, state, 'CANCELED', message)
  const closed = await closeIfEmpty(tx, [appointmentId])
  const kind = state === 'REQUESTED' ? 'participation.declined' : 'participation.cancelled'
  const recording = recordEvents(tx, service, {
    actor,
    provider: { id: providerId, crmId },
    events: { [kind]: [participationId], 'appointment.cancelled': closed },
    message,
    now,
  })
  // Shares the round trip: most Providers have no waiting list.
  await Promise.all([recording, offerFreedPlaces(tx, service, [appointmentId])])
}
