import { markChangedAppointments } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { type Booking, findBookingsById, raiseIcsSequence } from '../../../db/booking/bookings.ts'
import { isUndecided } from '../../../db/scheduling/appointments.ts'
import { savePlaces } from '../../../db/scheduling/participations.ts'
import { capacityExceeded, invalidField, notBooked } from '../../../errors.ts'
import { bookingData } from '../../../messages/booking-data.ts'
import { messagesAbout } from '../../../messages/compose.ts'
import type { Actor } from '../../../rules/messages/events.ts'
import { takesPlace } from '../../../rules/states/participations.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'
import { offerFreedPlaces } from '../waiting/offer-freed.ts'

/** What is not sent stays; with fewer places, the last names go. */
export type PlacesChange = { places?: number | null; placeNames?: string[] | null }

type Context = { service: Service; actor: Actor }
type Flags = { ignoreCapacity: boolean; sendMails: boolean; message?: string | null; now: number }

/** Call with its Resource locked. Returns false if nothing changes. */
export async function changePlaces(
  tx: Queryable,
  { service, actor }: Context,
  participationId: number,
  change: PlacesChange,
  { ignoreCapacity, sendMails, message, now }: Flags,
): Promise<boolean> {
  const [booking] = await findBookingsById(tx, [participationId])
  const { places, placeNames } = placesAfter(booking!, change)
  const more = places - booking!.places
  if (more === 0 && `${placeNames}` === `${booking!.placeNames}`) return false
  const { appointmentId, state, providerId, crmId } = booking!
  if (!takesPlace(state)) throw notBooked(state)
  const isTooMany = more > 0 && booking!.taken + more > booking!.capacity
  if (!ignoreCapacity && (isTooMany || (more > 0 && (await isUndecided(tx, appointmentId)))))
    throw capacityExceeded()
  await markChangedAppointments(tx, [appointmentId])
  await savePlaces(tx, participationId, places, placeNames)
  await recordEvents(tx, service, {
    actor,
    provider: { id: providerId, crmId },
    events: { 'participation.changed': [participationId] },
    extraEmails: sendMails ? await emailsAbout(tx, service, actor, booking!, message, now) : [],
    now,
  })
  if (more < 0) await offerFreedPlaces(tx, service, [appointmentId])
  return true
}

function placesAfter(booking: Booking, { places: wanted, placeNames }: PlacesChange) {
  const places = wanted ?? booking.places
  const names = placeNames ?? booking.placeNames?.slice(0, places) ?? []
  if (names.length > places) throw invalidField('placeNames', 'max:places', { limit: places })
  return { places, placeNames: names.length > 0 ? names : null }
}

/** A request is confirmed as a request; the provider's contact gets an email about what a consumer changes. */
async function emailsAbout(
  tx: Queryable,
  service: Service,
  actor: Actor,
  { participationId, state, places: before }: Booking,
  message: string | null | undefined,
  now: number,
) {
  if (state === 'BOOKED') await raiseIcsSequence(tx, [participationId])
  const [booking] = await findBookingsById(tx, [participationId])
  const isConsumer = actor.kind === 'consumer'
  const changed = before === booking!.places ? {} : { places: booking!.places, placesBefore: before }
  const data = (toConsumer: boolean) => ({
    ...bookingData(service, booking!, toConsumer !== isConsumer ? (message ?? null) : null, now),
    ...changed,
  })
  const own = state === 'BOOKED' ? 'changed' : 'requested'
  const notice = state === 'BOOKED' ? 'change-notice' : 'request-notice'
  return [
    ...messagesAbout(own, { booking: booking!, data: data(true) }),
    ...(isConsumer ? messagesAbout(notice, { booking: booking!, data: data(false) }) : []),
  ]
}
