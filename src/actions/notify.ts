import { type Booking, findBookings, raiseIcsSequence } from '../db/bookings.ts'
import { insertMails, type NewMail } from '../db/mails.ts'
import type { Queryable } from '../db/pool.ts'
import { pickLanguage } from '../languages.ts'
import { bookingData, contactAddress } from '../mail/booking-data.ts'
import { type BookingKind, mails } from '../mail/kinds.ts'
import type { Service } from '../service.ts'

type Options = {
  /** Words of the provider, or the consumer's reason. */
  message?: string | null
  now: number
  /** The last mail to somebody who is being erased. */
  eraseWhenDone?: boolean
}

/**
 * Queues this mail about each of the Participations, in the caller's transaction. Whoever has no address gets none.
 * Sent to consumers in their language, to providers in the Provider's.
 */
export async function notify(
  tx: Queryable,
  service: Service,
  kind: BookingKind,
  participationIds: number[],
  { message = null, now, eraseWhenDone = false }: Options,
) {
  if (participationIds.length === 0) return
  if (mails[kind].ics) await raiseIcsSequence(tx, participationIds)
  const bookings = await findBookings(tx, participationIds)
  const letters = bookings.flatMap((booking): NewMail[] => {
    const to = mails[kind].to === 'consumer' ? booking.email : contactAddress(booking)
    if (!to) return []
    return [
      {
        kind,
        to,
        crmId: booking.crm_id,
        providerId: booking.provider_id,
        participationId: booking.participation_id,
        customerId: booking.customer_id,
        language: languageFor(kind, booking),
        data: bookingData(service, booking, message, now),
        eraseWhenDone,
      },
    ]
  })
  await insertMails(tx, letters)
}

function languageFor(kind: BookingKind, booking: Booking) {
  const provider = booking.provider_language
  return mails[kind].to === 'consumer' ? pickLanguage(booking.language, provider) : provider
}
