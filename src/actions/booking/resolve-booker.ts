import type { Queryable } from '../../db/base/pool.ts'
import type { NewBooking } from '../../db/booking/booking-writes.ts'
import type { Held } from '../../db/booking/held.ts'
import type { Booker } from '../../db/booking/people.ts'
import { findRefs } from '../../db/booking/refs.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findInvitedCustomer, type KnownCustomer, lockCustomerForUse } from '../../db/scheduling/customers.ts'
import { notFound, notInvited } from '../../errors.ts'
import { countryOfZone, mobileKey, namesCountry } from '../../rules/people/phones.ts'
import type { TakenAnswers } from '../../rules/questions/sent.ts'
import type { Service } from '../../service.ts'
import type { CompleteRequest, TargetedRequest } from './requests.ts'
import type { TakenPlaces } from './take-places.ts'

/** Who the booking is for, and what is written about them. */
export type BookingParty = {
  customerUuid: string
  customerLanguage: string | null
  userLanguage: string | null
  /** Null if the request only names a Customer. */
  booker: Booker | null
  booking: NewBooking
  /** Booked by a consumer, so limits count it. */
  isCounted: boolean
}

export type BookingChannel = Pick<ResourceWindow['channel'], 'key' | 'bookingProcess' | 'customersOnly'>

/** Whether only Customers that the Provider already knows may book; they have to be looked up first. */
export const requiresKnownCustomer = (
  { customersOnly }: BookingChannel,
  { customerReference }: CompleteRequest,
) => customersOnly || customerReference !== null

export async function resolveBooker(
  tx: Queryable,
  { channel, provider }: { channel: BookingChannel; provider: { id: number } },
  request: TargetedRequest,
  own: Held | null,
  booker: Booker | null,
  taken: TakenAnswers & TakenPlaces,
): Promise<BookingParty> {
  const known = requiresKnownCustomer(channel, request) ? await knownCustomer(tx, provider.id, request) : null
  if (channel.customersOnly && !known) throw notInvited()
  if (request.customerReference !== null && !known)
    throw notFound('Customer', request.customerReference, 'customer_id')
  return resolveBookerFrom(booker ?? known!, channel, request, own, taken)
}

export function resolveBookerFrom(
  who: Booker | KnownCustomer,
  channel: BookingChannel,
  request: TargetedRequest,
  own: Held | null,
  taken: TakenAnswers & TakenPlaces,
): BookingParty {
  const { contact, ...customer } = 'known' in who ? ofBooker(who) : ofCustomer(who)
  const booking: NewBooking = {
    uuid: request.bookingUuid,
    state: channel.bookingProcess === 'REQUESTED' ? 'REQUESTED' : 'BOOKED',
    ...contact,
    note: request.message,
    language: request.language,
    locale: request.locale,
    timeZone: request.timeZone,
    channelKey: channel.key,
    // A placeholder whose booking was cancelled stays with that booking.
    placeholder: own && own.state !== 'RESERVED' ? null : request.placeholder,
    digest: request.digest,
    ...taken,
  }
  return { ...customer, booking, isCounted: request.client !== null }
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
  request: CompleteRequest,
): Promise<KnownCustomer | null> {
  if (request.customerReference === null)
    return findInvitedCustomer(tx, providerId, request.consumer!.email, request.consumer!.mobileKey)
  return lockCustomerForUse(tx, providerId, request.customerReference)
}

/**
 * The key for matching people by number. A number without a prefix belongs to the country of the Provider's
 * time zone, which is usually cached since the list was shown.
 */
export async function mobileKeyAt(service: Service, ref: string, mobile: string | null) {
  if (mobile === null || namesCountry(mobile)) return mobileKey(mobile, null)
  const zone = service.refs.known.get(ref)?.timeZone ?? (await findRefs(service.db, [ref])).found[0]?.timeZone
  return mobileKey(mobile, zone === undefined ? null : countryOfZone(zone))
}
