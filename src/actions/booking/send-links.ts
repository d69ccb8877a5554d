import { secondsToWait } from '../../db/base/rates.ts'
import { findBookingsOf } from '../../db/booking/bookings.ts'
import { clockNow } from '../../lib/clock.ts'
import { bookingData } from '../../messages/booking-data.ts'
import { messagesAbout } from '../../messages/compose.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { countSentAgain } from './limits.ts'

/**
 * Resends the links of a booking whose email was lost. They go only to the address of the booking, and rarely
 * enough not to annoy. The answer reveals nothing, because anyone may ask about any booking.
 */
export async function sendLinks(service: Service, appointmentUuid: string, email: string): Promise<void> {
  try {
    await service.db.transaction(async tx => {
      const [booking] = await findBookingsOf(tx, appointmentUuid, email)
      if (!booking?.isToCome) return
      await countSentAgain(tx, service, { ...booking, email })
      const loadedBooking = { booking, data: bookingData(service, booking, null, clockNow()) }
      await recordEvents(tx, service, {
        actor: consumerActor,
        provider: { id: booking.providerId, crmId: booking.crmId },
        events: { 'participation.reminded': [booking.participationId] },
        sendMails: false,
        extraEmails: messagesAbout(booking.state === 'BOOKED' ? 'reminder' : 'requested', loadedBooking),
      })
    })
  } catch (error) {
    if (secondsToWait(error) === null) throw error
  }
}
