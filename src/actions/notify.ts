import sql from 'sql-template-tag'
import type { Queryable } from '../db/base/pool.ts'
import { type Booking, findBookings, raiseIcsSequence } from '../db/booking/bookings.ts'
import { insertMails, type NewMail } from '../db/mails.ts'
import { pickLanguage } from '../languages.ts'
import { bookingData, contactOfNotices } from '../mail/booking-data.ts'
import { type BookingKind, mails } from '../rules/mails.ts'
import type { Service } from '../service.ts'

type Options = {
  /** Words of the provider, or the consumer's reason. */
  message?: string | null
  now: number
  /** The last mail to somebody who is being erased. */
  eraseWhenDone?: boolean
}

/** Queues this mail about each of the Participations, in the caller's transaction. */
export async function notify(
  tx: Queryable,
  service: Service,
  kind: BookingKind,
  participationIds: number[],
  options: Options,
) {
  if (participationIds.length === 0) return
  const which = sql`participation.id = any (${participationIds})`
  if (mails[kind].ics) await raiseIcsSequence(tx, which)
  const { message = null, now, eraseWhenDone } = options
  const told = (await findBookings(tx, which)).map(booking => ({
    booking,
    data: bookingData(service, booking, message, now),
  }))
  await writeMails(tx, () => [kind], told, { eraseWhenDone })
}

/** A booking and what is told about it. */
export type Told = { booking: Booking; data: ReturnType<typeof bookingData> }

/** One mail of each kind that belongs to the booking. Whoever has no address gets none. */
export function writeMails(
  tx: Queryable,
  kindsFor: (booking: Booking) => BookingKind[],
  told: Told[],
  { eraseWhenDone = false } = {},
) {
  const letters = told.flatMap(({ booking, data }) =>
    kindsFor(booking).flatMap(kind => letter(kind, booking, { data, eraseWhenDone })),
  )
  return insertMails(tx, letters)
}

function letter(
  kind: BookingKind,
  booking: Booking,
  rest: Pick<NewMail, 'data' | 'eraseWhenDone'>,
): NewMail[] {
  const reader = mails[kind].to === 'consumer' ? consumerOf(booking) : contactOfNotices(booking)
  if (!reader?.email) return []
  return [
    {
      ...rest,
      kind,
      to: reader.email,
      crmId: booking.crm_id,
      providerId: booking.provider_id,
      participationId: booking.participation_id,
      language: reader.language,
    },
  ]
}

const consumerOf = ({ email, language, provider_language }: Booking) => ({
  email,
  language: pickLanguage(language, provider_language),
})
