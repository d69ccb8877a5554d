import type { ProviderContext } from '../../../callers.ts'
import { findBookingsById } from '../../../db/booking/bookings.ts'
import { comingBookings } from '../../../db/scheduling/customer-search.ts'
import type { CustomerRow } from '../../../db/scheduling/customers.ts'
import { clockNow } from '../../../lib/clock.ts'
import { bookingData } from '../../../messages/booking-data.ts'
import { renderEmail } from '../../../messages/email/render.ts'
import { mergeDates } from '../../../rules/messages/messages.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'

// A customer's coming bookings in one list, in the customer's language, to print or to send.

/** The list as a page; null if nothing is booked. Its links are left out: on paper they lead nowhere. */
export async function printList(service: Service, customer: CustomerRow, only: string[] | null) {
  const ids = await comingBookings(service.db, customer.id, only)
  const [first, ...others] = await findBookingsById(service.db, ids)
  if (!first) return null
  const data = [first, ...others].map(booking => ({
    ...bookingData(service, booking, null, clockNow()),
    cancelLink: null,
    moveLink: null,
  }))
  return renderEmail('reminder', first.language, mergeDates(data)).html
}

/** Sends one email about all of them. Returns how many they are: none if there is no address. */
export async function emailList(
  { service, actor, provider }: ProviderContext,
  customer: CustomerRow,
  only: string[] | null,
): Promise<number> {
  if (!customer.email) return 0
  return service.db.transaction(async tx => {
    const ids = await comingBookings(tx, customer.id, only)
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'participation.reminded': ids },
      inOneEmail: true,
    })
    return ids.length
  })
}
