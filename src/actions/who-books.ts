import { randomUUID } from 'node:crypto'
import type { NewBooking, Person } from '../db/booking-writes.ts'
import { type CustomerRow, findCustomerByContact, holdCustomer } from '../db/customers.ts'
import type { Hold } from '../db/holds.ts'
import type { Queryable } from '../db/pool.ts'
import type { ResourceWindow } from '../db/windows.ts'
import { notFound, notInvited } from '../errors.ts'
import type { CompleteWish } from './complete.ts'

type Who = { person: Person; booking: NewBooking }

/** Must it be somebody whom the Provider knows already? Then they have to be looked for first. */
export const mustBeKnown = ({ channel }: ResourceWindow, { customerReference }: CompleteWish) =>
  channel.customers_only || customerReference !== null

export async function whoBooks(
  tx: Queryable,
  loaded: ResourceWindow,
  wish: CompleteWish,
  own: Hold | null,
): Promise<Who> {
  const known = mustBeKnown(loaded, wish) ? await knownCustomer(tx, loaded.provider.id, wish) : null
  if (loaded.channel.customers_only && !known) throw notInvited()
  if (wish.customerReference !== null && !known)
    throw notFound('Customer', wish.customerReference, 'customer_id')
  return whoBooksAs(known, loaded, wish, own)
}

export function whoBooksAs(
  known: CustomerRow | null,
  { channel }: ResourceWindow,
  wish: CompleteWish,
  own: Hold | null,
): Who {
  const booking: NewBooking = {
    uuid: randomUUID(),
    state: channel.booking_process === 'REQUESTED' ? 'REQUESTED' : 'BOOKED',
    ...contactOf(wish, known),
    note: wish.message,
    language: wish.language,
    channelKey: channel.key,
    // A placeholder whose booking was cancelled stays with that booking.
    placeholder: own && own.state !== 'RESERVED' ? null : wish.placeholder,
    digest: wish.digest,
  }
  return { person: personOf(wish, known), booking }
}

async function knownCustomer(
  tx: Queryable,
  providerId: number,
  wish: CompleteWish,
): Promise<CustomerRow | null> {
  if (wish.customerReference === null)
    return findCustomerByContact(tx, providerId, wish.consumer!.email, wish.consumer!.mobile)
  return holdCustomer(tx, providerId, wish.customerReference)
}

function personOf({ consumer, language }: CompleteWish, known: CustomerRow | null): Person {
  return consumer ? { ...consumer, language } : { customerId: known!.id }
}

function contactOf({ consumer }: CompleteWish, known: CustomerRow | null) {
  if (!consumer) return { name: known!.name, email: known!.email, mobile: known!.mobile }
  return {
    name: `${consumer.firstName} ${consumer.lastName}`,
    email: consumer.email,
    mobile: consumer.mobile,
  }
}
