import { bumpRevision } from '../../db/base/ledger.ts'
import type { Transaction } from '../../db/base/pool.ts'
import { completeHolds, firstSequence } from '../../db/booking/booking-writes.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import type { Held } from '../../db/booking/held.ts'
import { saveBookers } from '../../db/booking/people-writes.ts'
import type { Language } from '../../languages.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { finishBookings } from './finish-booking.ts'
import { countBooked } from './limits.ts'
import type { Completion } from './requests.ts'
import type { BookingParty } from './resolve-booker.ts'

export type HeldBy = BookingParty & { own: Held }

/**
 * Turns holds into bookings unchanged. The result is known before it is written, so nothing is read again.
 */
export function completeHeld(
  tx: Transaction,
  service: Service,
  held: HeldBy[],
  { inOneEmail = false, actor = consumerActor } = {},
): Promise<Completion[]> {
  const bookers = held.flatMap(({ booker }) => booker ?? [])
  const holds = held.map(({ own, ...rest }) => ({ participationId: own.participationId, ...rest }))
  const writes = Promise.all([
    // The whole blocked span: a reader may have seen the hold as expired and the time around it as free.
    bumpRevision(tx, held.map(timeOf)),
    saveBookers(tx, bookers),
    completeHolds(tx, holds),
    countBooked(tx, service, held.filter(one => one.isCounted).map(asCounted)),
  ])
  return finishBookings(tx, service, held.map(asBooking), {
    now: held[0]!.own.now,
    bookers,
    pendingWrites: writes,
    inOneEmail,
    actor,
  })
}

const timeOf = ({ own }: HeldBy) => ({ resourceId: own.resourceId, from: own.blockedFrom, to: own.blockedTo })

const asCounted = ({ own, booking }: HeldBy) => ({ resourceId: own.resourceId, email: booking.email })

const asBooking = ({ own, customerUuid, customerLanguage, userLanguage, booking }: HeldBy): Booking => ({
  ...own,
  state: booking.state,
  name: booking.name,
  email: booking.email,
  mobile: booking.mobile,
  note: booking.note,
  // The language of this booking comes first, before the stored ones.
  language: (booking.language ?? customerLanguage ?? userLanguage ?? own.providerLanguage) as Language,
  locale: booking.locale,
  consumerZone: booking.timeZone,
  icsSequence: own.icsSequence + firstSequence(booking),
  customerUuid,
  answers: booking.answers,
  answersMissing: booking.answersMissing,
  placeNames: booking.placeNames,
})
