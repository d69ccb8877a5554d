import { lockRecords } from '../../db/base/ledger.ts'
import type { Transaction } from '../../db/base/pool.ts'
import {
  type Booking,
  findBookingsById,
  findBookingsByUuid,
  raiseIcsSequence,
} from '../../db/booking/bookings.ts'
import {
  type Correctable,
  changeAddress,
  customerIdOf,
  deletePerson,
  isStillCorrectable,
  lockCorrectable,
  renamePerson,
} from '../../db/booking/corrections.ts'
import { findBookers, isNewCustomer } from '../../db/booking/people.ts'
import { fillsInUser, saveBookers } from '../../db/booking/people-writes.ts'
import { deleteWaitingMails } from '../../db/mails.ts'
import { invalidToken, tooLateToCorrect } from '../../errors.ts'
import { clockNow } from '../../lib/clock.ts'
import { bookingData } from '../../messages/booking-data.ts'
import { messagesAbout } from '../../messages/compose.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { type EventsByKind, formerReference, recordEvents } from '../record-events.ts'
import { countBooked } from './limits.ts'
import { refuseConstraint } from './refuse-slot.ts'
import { mobileKeyAt } from './resolve-booker.ts'

/** Whether the consumer may still correct a mistyped address. */
export const mayCorrect = ({ db }: Service, { participationUuid, isToCome }: Booking) =>
  isToCome ? isStillCorrectable(db, participationUuid) : Promise.resolve(false)

/**
 * Corrects a mistyped email address: moves the booking to the right one and sends its emails there. Nothing
 * more is sent to the wrong address, and a person created by the mistake is deleted.
 */
export async function correctEmail(
  service: Service,
  token: string,
  { email, client, actor }: { email: string; client: string | null; actor: Actor },
): Promise<Booking> {
  const uuid = service.signer.open('booked', token)
  const [seen] = uuid === null ? [] : await findBookingsByUuid(service.db, uuid)
  if (!seen) throw invalidToken()
  service.suspensions.refuseProvider(seen.providerId)
  const mobileKey = await mobileKeyAt(service, seen.resourceUuid, seen.mobile)
  return service.db
    .transaction(async tx => {
      await lockRecords(tx, [seen.participationId])
      const found = await lockCorrectable(tx, seen.participationUuid)
      const [before] = await findBookingsById(tx, [seen.participationId])
      // A repeated request, possibly because no answer arrived.
      if (before?.email?.toLowerCase() === email.toLowerCase()) return before
      if (!found || !before?.isToCome) throw tooLateToCorrect()
      if (client !== null) await countBooked(tx, service, [{ resourceId: before.resourceId, email }])
      await deleteWaitingMails(tx, found.ids, found.email)
      const outcome = await assignTo(tx, service, found, { email, mobileKey, target: before.appointmentUuid })
      await raiseIcsSequence(tx, found.ids)
      const bookings = await findBookingsById(tx, found.ids)
      await recordCorrection(tx, service, actor, bookings, outcome)
      return bookings.find(one => one.participationId === seen.participationId)!
    })
    .catch(refuseConstraint)
}

type NewAddress = { email: string; mobileKey: string | null; target: string }

/** The Customers created and deleted, and the Users of the CRM that got new details. */
type Outcome = { people: EventsByKind; users: number[] }

/**
 * Assigns the booking to the person with that address; if there is none, changes the address of the person
 * that the booking created.
 */
async function assignTo(
  tx: Transaction,
  service: Service,
  found: Correctable,
  { email, mobileKey, target }: NewAddress,
): Promise<Outcome> {
  const [firstName = '', ...others] = found.name.split(' ')
  const contact = { email, mobile: found.mobile, mobileKey, firstName, lastName: others.join(' ') }
  const lookup = { target: { uuid: target }, contact: { ...contact, language: found.language } }
  const [booker] = await findBookers(tx, [lookup])
  const isKnown = booker!.known.userUuid !== null && booker!.known.userUuid !== found.userUuid
  if (found.isAlone && !isKnown) {
    await renamePerson(tx, found, email)
    await changeAddress(tx, found.ids, email, null)
    return { people: {}, users: [] }
  }
  await saveBookers(tx, [booker!])
  await changeAddress(tx, found.ids, email, booker!.customerUuid)
  if (found.isAlone) await deletePerson(tx, found)
  const { customerUuid, known } = booker!
  const extra = { uuid: found.customerUuid, ...formerReference(service, found.customerReference) }
  const people = {
    'customer.created': isNewCustomer(booker!) ? [{ customerUuid }] : [],
    'customer.erased': found.isAlone ? [{ subject: found.customerId, extra }] : [],
  }
  return { people, users: fillsInUser(booker!) ? [known.userId!] : [] }
}

async function recordCorrection(
  tx: Transaction,
  service: Service,
  actor: Actor,
  bookings: Booking[],
  { people, users }: Outcome,
) {
  const [first] = bookings
  const { crmId } = first!
  const batch = {
    actor,
    provider: { id: first!.providerId, crmId },
    events: {
      ...people,
      'customer.changed': [await customerIdOf(tx, first!.participationId)],
      // The address, and possibly the Customer, of a participant.
      'appointment.changed': bookings.map(one => one.appointmentId),
    },
    extraEmails: bookings.flatMap(booking => emailsOf(service, booking)),
  }
  await recordEvents(tx, service, [{ actor, crmId, events: { 'user.changed': users } }, batch])
}

/** The email about a request to move names the booking that stays until it is answered. */
function emailsOf(service: Service, booking: Booking) {
  const { kept, state } = booking
  const previous = kept && { start: toUtcText(kept.start), end: toUtcText(kept.end) }
  const loadedBooking = { booking, data: { ...bookingData(service, booking, null, clockNow()), previous } }
  const kinds =
    state === 'BOOKED' ? (['booked', 'booking-notice'] as const) : (['requested', 'request-notice'] as const)
  return kinds.flatMap(kind => messagesAbout(kind, loadedBooking))
}
