import { closeIfEmpty, lockById, tellTouchedAppointments } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { BeginAnew } from '../../db/base/postgres-errors.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { moveParticipation } from '../../db/scheduling/participations.ts'
import { invalidToken, tooLateToChange } from '../../errors.ts'
import { aConsumer } from '../../rules/news/events.ts'
import { shownContact } from '../../rules/people/contacts.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

type Purpose = 'cancel' | 'move'

/** The booking behind a link, as long as it is on. */
export async function bookingToChange(
  service: Service,
  token: string,
  purpose: Purpose = 'cancel',
): Promise<Booking | null> {
  const booking = await bookingOfToken(service, token, purpose)
  return booking && isOn(booking) ? booking : null
}

/** Known, but perhaps cancelled or over: the page says so kindly. */
export async function bookingOfToken(
  service: Service,
  token: string,
  purpose: Purpose = 'cancel',
): Promise<Booking | null> {
  const uuid = service.signer.open(purpose, token)
  if (uuid === null) return null
  const [booking] = await findBookingsByUuid(service.db, uuid)
  return booking ?? null
}

export const isOn = ({ isToCome, state }: Booking) =>
  isToCome && (state === 'BOOKED' || state === 'REQUESTED')

/** The provider plans with what is so close: consumers have to call. A mere request can always be taken back. */
export function refuseTooLate({ isChangeable, state, contact, ...booking }: Booking) {
  if (isChangeable || state === 'REQUESTED') return
  const provider = {
    name: booking.providerName,
    email: booking.providerEmail,
    phone: booking.providerPhone,
    mobile: booking.providerMobile,
  }
  const { name, channels } = shownContact(contact, provider)
  throw tooLateToChange([name, ...channels.map(one => one.value)].join(', '))
}

/** The consumer cancels alone. They and the provider's contact are told; the place is free again. */
export async function cancelByConsumer(
  service: Service,
  token: string,
  message: string | null,
): Promise<Booking> {
  const uuid = service.signer.open('cancel', token)
  if (uuid === null) throw invalidToken()
  return service.db.transaction(async tx => {
    const [seen] = await findBookingsByUuid(tx, uuid)
    if (!seen || !isOn(seen)) throw invalidToken()
    const { now } = await lockById(tx, seen.resourceId)
    const [booking] = await findBookingsByUuid(tx, uuid)
    if (!booking || !isOn(booking)) throw invalidToken()
    // A rival has moved it to a Resource that is not locked.
    if (booking.resourceId !== seen.resourceId) throw new BeginAnew()
    refuseTooLate(booking)

    await leave(tx, service, booking, message, now)
    return booking
  })
}

/** Under the lock of its Resource. */
export async function leave(
  tx: Queryable,
  service: Service,
  { participationId, appointmentId, state, providerId, crmId }: Booking,
  message: string | null,
  now: number,
) {
  await tellTouchedAppointments(tx, [appointmentId])
  await moveParticipation(tx, participationId, state, 'CANCELED', message)
  const closed = await closeIfEmpty(tx, [appointmentId])
  const kind = state === 'REQUESTED' ? 'participation.declined' : 'participation.cancelled'
  await happened(tx, service, {
    actor: aConsumer,
    provider: { id: providerId, crmId },
    news: { [kind]: [participationId], 'appointment.cancelled': closed },
    message,
    now,
  })
}
