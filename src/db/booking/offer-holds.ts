import sql from 'sql-template-tag'
import { allNamed } from '../../lib/objects.ts'
import { orderedReference } from '../../lib/ordered-reference.ts'
import { joinedBy, type Placement } from '../../rules/offers/slots.ts'
import type { Queryable } from '../base/pool.ts'
import { appointmentFor } from './booking-writes.ts'
import { removeExpiredHolds } from './consumer-appointments.ts'
import type { ResourceWindow } from './windows.ts'

type OfferHold = {
  appointmentUuid: string
  placeholder: string
  customerId: number
  name: string
  email: string | null
  mobile: string | null
  language: string | null
  locale: string | null
  timeZone: string | null
  expiresAt: number
  /** For "earlier than mine": only this booking can move into the hold. */
  replaces: number | null
}

/** Holds a place for a person on the waiting list. It counts like any other hold. */
export async function insertOfferHold(
  tx: Queryable,
  loaded: ResourceWindow,
  placement: Placement,
  hold: OfferHold,
): Promise<{ participationId: number; appointmentId: number }> {
  const inserting = sql`
    with ${appointmentFor(loaded, placement, hold.appointmentUuid)}
    insert into participation (provider_id, appointment_id, customer_id, reference, name, email, mobile, state, expires_at,
      placeholder, channel_key, language, locale, time_zone, replaces, places)
    select ${loaded.provider.id}, id, ${hold.customerId}, ${orderedReference()}, ${hold.name}, ${hold.email}, ${hold.mobile},
      'RESERVED', ${new Date(hold.expiresAt)}, ${hold.placeholder}, ${loaded.channel.key}, ${hold.language}, ${hold.locale},
      ${hold.timeZone}, ${hold.replaces}, ${placement.places}
    from made
    returning id as participation_id, appointment_id
  `
  const { held } = await allNamed({
    removed: removeExpiredHolds(tx, [loaded], joinedBy([placement])),
    held: tx.one<{ participationId: number; appointmentId: number }>(inserting),
  })
  return held
}
