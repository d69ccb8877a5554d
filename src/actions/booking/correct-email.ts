import type { Transaction } from '../../db/base/pool.ts'
import {
  type Booking,
  findBookingsById,
  findBookingsByUuid,
  raiseIcsSequence,
} from '../../db/booking/bookings.ts'
import {
  type Correctable,
  customerIdOf,
  forgetPerson,
  isStillCorrectable,
  lockCorrectable,
  readdress,
  renamePerson,
} from '../../db/booking/corrections.ts'
import { findBookers, isNewCustomer } from '../../db/booking/people.ts'
import { fillsInUser, saveBookers } from '../../db/booking/people-writes.ts'
import { dropWaitingMails } from '../../db/mails.ts'
import { invalidToken, tooLateToCorrect } from '../../errors.ts'
import { bookingData } from '../../mail/booking-data.ts'
import { letterAbout } from '../../mail/letters.ts'
import { aConsumer } from '../../rules/news/events.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { happened, type News } from '../happened.ts'
import { countBooked } from './limits.ts'
import { mobileKeyAt } from './mobile-key.ts'
import { refuseConstraint } from './refuse-slot.ts'

/** May the consumer of this booking still say that they mistyped their address? */
export const mayCorrect = ({ db }: Service, { participationUuid, isToCome }: Booking) =>
  isToCome ? isStillCorrectable(db, participationUuid) : Promise.resolve(false)

/**
 * A consumer mistyped their address: the booking gets the right one, and its mails are sent there. Nothing more goes to
 * the other one, and whoever the slip made is forgotten.
 */
export async function correctEmail(
  service: Service,
  token: string,
  email: string,
  client: string | null,
): Promise<Booking> {
  const uuid = service.signer.open('booked', token)
  const [seen] = uuid === null ? [] : await findBookingsByUuid(service.db, uuid)
  if (!seen) throw invalidToken()
  const mobileKey = await mobileKeyAt(service, seen.resourceUuid, seen.mobile)
  return service.db
    .transaction(async tx => {
      const found = await lockCorrectable(tx, seen.participationUuid)
      const [before] = await findBookingsById(tx, [seen.participationId])
      // Sent again, perhaps because no answer came.
      if (before?.email?.toLowerCase() === email.toLowerCase()) return before
      if (!found || !before?.isToCome) throw tooLateToCorrect()
      if (client !== null) await countBooked(tx, service, [{ resourceId: before.resourceId, email }])
      await dropWaitingMails(tx, found.ids, found.email)
      const outcome = await giveTo(tx, found, { email, mobileKey, target: before.appointmentUuid })
      await raiseIcsSequence(tx, found.ids)
      const bookings = await findBookingsById(tx, found.ids)
      await tellAgain(tx, service, bookings, outcome)
      return bookings.find(one => one.participationId === seen.participationId)!
    })
    .catch(refuseConstraint)
}

type Given = { email: string; mobileKey: string | null; target: string }

/** Who came and went, and of which User of the CRM something was filled in. */
type Outcome = { people: News; users: number[] }

/** To whoever has that address; where nobody has it, the person whom the booking made gets it. */
async function giveTo(
  tx: Transaction,
  found: Correctable,
  { email, mobileKey, target }: Given,
): Promise<Outcome> {
  const [firstName = '', ...others] = found.name.split(' ')
  const contact = { email, mobile: found.mobile, mobileKey, firstName, lastName: others.join(' ') }
  const asked = { target: { uuid: target }, contact: { ...contact, language: found.language } }
  const [booker] = await findBookers(tx, [asked])
  const isKnown = booker!.known.userUuid !== null && booker!.known.userUuid !== found.userUuid
  if (found.isAlone && !isKnown) {
    await renamePerson(tx, found, email)
    await readdress(tx, found.ids, email, null)
    return { people: {}, users: [] }
  }
  await saveBookers(tx, [booker!])
  await readdress(tx, found.ids, email, booker!.customerUuid)
  if (found.isAlone) await forgetPerson(tx, found)
  const { customerUuid, known } = booker!
  const people = {
    'customer.created': isNewCustomer(booker!) ? [{ customerUuid }] : [],
    'customer.erased': found.isAlone ? [found.customerId] : [],
  }
  return { people, users: fillsInUser(booker!) ? [known.userId!] : [] }
}

async function tellAgain(tx: Transaction, service: Service, bookings: Booking[], { people, users }: Outcome) {
  const [first] = bookings
  const { crmId } = first!
  const story = {
    actor: aConsumer,
    provider: { id: first!.providerId, crmId },
    news: {
      ...people,
      'customer.changed': [await customerIdOf(tx, first!.participationId)],
      // The address, and perhaps the Customer, of somebody in it.
      'appointment.changed': bookings.map(one => one.appointmentId),
    },
    letters: bookings.flatMap(booking => lettersOf(service, booking)),
  }
  await happened(tx, service, [{ actor: aConsumer, crmId, news: { 'user.changed': users } }, story])
}

/** A request to move says which booking stays until it is answered. */
function lettersOf(service: Service, booking: Booking) {
  const { kept, state } = booking
  const previous = kept && { start: toUtcText(kept.start), end: toUtcText(kept.end) }
  const told = { booking, data: { ...bookingData(service, booking, null, Date.now()), previous } }
  const kinds =
    state === 'BOOKED' ? (['booked', 'booking-notice'] as const) : (['requested', 'request-notice'] as const)
  return kinds.flatMap(kind => letterAbout(kind, told))
}
