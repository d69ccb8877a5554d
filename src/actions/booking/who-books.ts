import type { Queryable } from '../../db/base/pool.ts'
import type { NewBooking } from '../../db/booking/booking-writes.ts'
import type { Held } from '../../db/booking/held.ts'
import type { Booker } from '../../db/booking/people.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findInvitedCustomer, holdCustomer, type KnownCustomer } from '../../db/scheduling/customers.ts'
import { notFound, notInvited } from '../../errors.ts'
import type { CompleteWish, TargetedWish } from './wishes.ts'

/** For whom the booking is, and what is written about it. */
export type Who = {
  customerUuid: string
  customerLanguage: string | null
  userLanguage: string | null
  /** Null where a Customer is only named. */
  booker: Booker | null
  booking: NewBooking
  /** Made by a stranger: limits count it. */
  isCounted: boolean
}

export type BookingChannel = Pick<ResourceWindow['channel'], 'key' | 'bookingProcess' | 'customersOnly'>

/** Must it be somebody whom the Provider knows already? Then they have to be looked for first. */
export const mustBeKnown = ({ customersOnly }: BookingChannel, { customerReference }: CompleteWish) =>
  customersOnly || customerReference !== null

export async function whoBooks(
  tx: Queryable,
  { channel, provider }: ResourceWindow,
  wish: TargetedWish,
  own: Held | null,
  booker: Booker | null,
): Promise<Who> {
  const known = mustBeKnown(channel, wish) ? await knownCustomer(tx, provider.id, wish) : null
  if (channel.customersOnly && !known) throw notInvited()
  if (wish.customerReference !== null && !known)
    throw notFound('Customer', wish.customerReference, 'customer_id')
  return whoBooksAs(booker ?? known!, channel, wish, own)
}

export function whoBooksAs(
  who: Booker | KnownCustomer,
  channel: BookingChannel,
  wish: TargetedWish,
  own: Held | null,
): Who {
  const { contact, ...customer } = 'known' in who ? ofBooker(who) : ofCustomer(who)
  const booking: NewBooking = {
    uuid: wish.bookingUuid,
    state: channel.bookingProcess === 'REQUESTED' ? 'REQUESTED' : 'BOOKED',
    ...contact,
    note: wish.message,
    language: wish.language,
    locale: wish.locale,
    timeZone: wish.timeZone,
    channelKey: channel.key,
    // A placeholder whose booking was cancelled stays with that booking.
    placeholder: own && own.state !== 'RESERVED' ? null : wish.placeholder,
    digest: wish.digest,
  }
  return { ...customer, booking, isCounted: wish.client !== null }
}

const ofBooker = (booker: Booker) => ({
  customerUuid: booker.customerUuid,
  customerLanguage: booker.known.customerLanguage,
  userLanguage: booker.known.userLanguage,
  booker,
  contact: {
    name: `${booker.contact.firstName} ${booker.contact.lastName}`,
    email: booker.contact.email,
    mobile: booker.contact.mobile,
  },
})

const ofCustomer = ({ uuid, language, userLanguage, name, email, mobile, unconfirmed }: KnownCustomer) => ({
  customerUuid: uuid,
  customerLanguage: language,
  userLanguage,
  booker: null,
  contact: { name, email, mobile: unconfirmed.includes('mobile') ? null : mobile },
})

async function knownCustomer(
  tx: Queryable,
  providerId: number,
  wish: CompleteWish,
): Promise<KnownCustomer | null> {
  if (wish.customerReference === null)
    return findInvitedCustomer(tx, providerId, wish.consumer!.email, wish.consumer!.mobileKey)
  return holdCustomer(tx, providerId, wish.customerReference)
}
