import { secondsToWait } from '../../db/base/rates.ts'
import { findBookingsOf } from '../../db/booking/bookings.ts'
import { bookingData } from '../../mail/booking-data.ts'
import { letterAbout } from '../../mail/letters.ts'
import { aConsumer } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { countSentAgain } from './limits.ts'

/**
 * Somebody has lost the mail with the links to their booking. They go to the address of the booking and to nobody else,
 * seldom enough to be no nuisance; and whoever asks is told nothing, since anybody may ask about anybody.
 */
export async function sendLinks(service: Service, appointmentUuid: string, email: string): Promise<void> {
  try {
    await service.db.transaction(async tx => {
      const [booking] = await findBookingsOf(tx, appointmentUuid, email)
      if (!booking?.isToCome) return
      await countSentAgain(tx, service, { ...booking, email })
      const told = { booking, data: bookingData(service, booking, null, Date.now()) }
      await happened(tx, service, {
        actor: aConsumer,
        provider: { id: booking.providerId, crmId: booking.crmId },
        news: { 'participation.reminded': [booking.participationId] },
        sendMails: false,
        letters: letterAbout(booking.state === 'BOOKED' ? 'reminder' : 'requested', told),
      })
    })
  } catch (error) {
    if (secondsToWait(error) === null) throw error
  }
}
