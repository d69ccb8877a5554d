import { closeIfEmpty, lockById } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { moveParticipation } from '../../db/scheduling/participations.ts'
import { invalidToken } from '../../errors.ts'
import { aConsumer } from '../../rules/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

/** The booking behind a cancel link, as long as it can still be cancelled. */
export async function cancelableBooking(service: Service, token: string): Promise<Booking | null> {
  const uuid = service.signer.open('cancel', token)
  return uuid === null ? null : stillOn(service.db, uuid)
}

/** Known, but cancelled or over: the page says so kindly. */
export async function bookingOfToken(service: Service, token: string): Promise<Booking | null> {
  const uuid = service.signer.open('cancel', token)
  if (uuid === null) return null
  const [booking] = await findBookingsByUuid(service.db, uuid)
  return booking ?? null
}

async function stillOn(db: Queryable, participationUuid: string): Promise<Booking | null> {
  const [booking] = await findBookingsByUuid(db, participationUuid)
  const isOn = booking?.is_to_come && (booking.state === 'BOOKED' || booking.state === 'REQUESTED')
  return isOn ? booking : null
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
    const seen = await stillOn(tx, uuid)
    if (!seen) throw invalidToken()
    const { now } = await lockById(tx, seen.resource_id)
    const booking = await stillOn(tx, uuid)
    if (!booking) throw invalidToken()

    await moveParticipation(tx, booking.participation_id, booking.state, 'CANCELED', message)
    const closed = await closeIfEmpty(tx, [booking.appointment_id])
    const kind = booking.state === 'REQUESTED' ? 'participation.declined' : 'participation.cancelled'
    await happened(tx, service, {
      actor: aConsumer,
      provider: { id: booking.provider_id, crm_id: booking.crm_id },
      news: { [kind]: [booking.participation_id], 'appointment.cancelled': closed },
      message,
      now,
    })
    return booking
  })
}
