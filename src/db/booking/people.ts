import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { RestartTransaction } from '../base/postgres-errors.ts'
import { isNotErased } from '../scheduling/customers.ts'

// Consumers: a person is a User of the CRM or a consumer without a login, identified by address or number,
// and a Customer of each Provider they have booked with.

/** The contact details as entered. */
export type BookerContact = {
  email: string
  mobile: string | null
  /** The number in the form used for lookups. */
  mobileKey: string | null
  firstName: string
  lastName: string
  language: string | null
}

/** The person known by this address or number. */
type Known = {
  providerId: number
  crmId: number
  providerLanguage: string
  userId: number | null
  userUuid: string | null
  hasAllNames: boolean
  userMobile: string | null
  userLanguage: string | null
  customerUuid: string | null
  isLinked: boolean
  customerMobile: string | null
  customerLanguage: string | null
  /** Created by the CRM: details entered by strangers are not published. */
  isOfCrm: boolean
  isInvited: boolean
  /** The address given is the one on record, so emails to it reach only this person. */
  isOwnAddress: boolean
}

/** A contact with its User and Customer; new ones already have their uuids. */
export type Booker = { contact: BookerContact; known: Known; userUuid: string; customerUuid: string }

export const isNewCustomer = ({ known }: Booker) => known.customerUuid === null

type BookerLookup = { target: { uuid: string }; contact: BookerContact | null }

/**
 * Looks up the contacts for the Providers of the targets. Users by address come before consumers by address,
 * and both before a match by number. A Customer found here cannot be erased until the transaction ends.
 */
export async function findBookers(tx: Queryable, asked: BookerLookup[]): Promise<(Booker | null)[]> {
  if (asked.every(one => one.contact === null)) return asked.map(() => null)
  // `offset 0` is a fence: each row is looked up in its index.
  const rows = await tx.query<Known & { position: number; isGone: boolean }>(sql`
    select asked.position, provider.id as provider_id, provider.crm_id, provider.language as provider_language,
      person.id as user_id, person.uuid as user_uuid, person.first_name is not null and person.last_name is not null as has_all_names,
      person.mobile as user_mobile, person.language as user_language, customer.uuid as customer_uuid, customer.user_id is not null as is_linked,
      customer.mobile as customer_mobile, customer.language as customer_language,
      person.reference is not null as is_of_crm, coalesce(customer.invited, false) as is_invited,
      coalesce(lower(person.email) = lower(asked.email), false) as is_own_address,
      found.id is not null and customer.id is null as is_gone
    from unnest(${asked.map(one => one.target.uuid)}::uuid[], ${asked.map(one => one.contact?.email ?? null)}::text[],
      ${asked.map(one => one.contact?.mobileKey ?? null)}::text[])
      with ordinality as asked (target, email, mobile_key, position)
    cross join lateral (
      select id, crm_id, language from provider where id = (
        select provider_id from timeslot where uuid = asked.target
        union all select provider_id from appointment where uuid = asked.target
        -- A person who joins a waiting list names no time yet.
        union all select id from provider where uuid = asked.target and deleted_at is null limit 1
      ) offset 0
    ) as provider
    left join lateral (
      select * from (
        select *, 1 as rank from app_user where lower(email) = lower(asked.email) and reference is not null
        union all select *, 2 from app_user where lower(email) = lower(asked.email) and reference is null
        union all select *, 3 from app_user where mobile_key = asked.mobile_key
        offset 0
      ) as people
      where people.crm_id = provider.crm_id order by rank, id limit 1
    ) as person on true
    left join lateral (
      select id, rank in (2, 4) as is_merged from (
        select id, 1 as rank from customer where user_id = person.id and provider_id = provider.id
        union all
        -- Their Customer was merged into another one.
        select into_id, 2 from customer_merge where user_id = person.id and provider_id = provider.id
        union all
        select id, 3 from customer
        where provider_id = provider.id and lower(email) = lower(asked.email) and user_id is null and ${isNotErased}
        union all
        select into_id, 4 from customer_merge where provider_id = provider.id and email = lower(asked.email)
        union all
        select id, 5 from customer
        where provider_id = provider.id and mobile_key = asked.mobile_key and user_id is null and ${isNotErased}
        offset 0
      ) as customers
      order by rank, id limit 1
    ) as found on true
    left join lateral (
      -- Checked again under the lock: the transaction that held it may have changed the address or number.
      select * from customer
      where id = found.id and ${isNotErased} and (found.is_merged or user_id = person.id or (
        user_id is null and (lower(email) = lower(asked.email) or mobile_key = asked.mobile_key)
      ))
      for key share
    ) as customer on true
  `)
  // Erased or changed while the lock was awaited.
  if (rows.some(row => row.isGone)) throw new RestartTransaction()
  const byPosition = new Map(rows.map(row => [row.position, row]))
  return asked.map(({ contact }, index) => {
    const known = byPosition.get(index + 1)
    return contact && known ? asBooker(contact, known) : null
  })
}

const asBooker = (contact: BookerContact, known: Known): Booker => ({
  contact,
  known,
  userUuid: known.userUuid ?? randomUUID(),
  customerUuid: known.customerUuid ?? randomUUID(),
})
