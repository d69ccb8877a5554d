import type { Booking } from '../db/booking/bookings.ts'
import type { NewMail } from '../db/mails.ts'
import { proposalLink } from '../links.ts'
import type { Service } from '../service.ts'
import { heldEmail } from './waiting-emails.ts'

/**
 * Asks a person to confirm what an agent proposes. `booking` is the hold. Once a mail server has accepted it, nothing is kept of an
 * address that only the agent has entered.
 */
export const proposalEmail = (
  service: Service,
  booking: Booking,
  expiresAt: number,
  now: number,
): NewMail[] =>
  heldEmail(service, 'proposal', booking, { link: proposalLink(service, booking), expiresAt }, now).map(
    mail => ({ ...mail, eraseWhenDone: service.config.smtpUrl !== null }),
  )
