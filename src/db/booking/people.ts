import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { BeginAnew } from '../base/postgres-errors.ts'
import { isNotErased } from '../scheduling/customers.ts'

// Consumers: a person is a User of the CRM or a consumer without a login, known by address or number, and a Customer of
// each Provider they have booked with.

/** Who books, in their own words. */
export type BookerContact = {
  email: string
  mobile: string | null
  /** The number as people are found by it. */
  mobileKey: string | null
  firstName: string
  lastName: string
  language: string | null
}

/** Whom we know with this address or this number. */
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
  /** Made by the CRM: what strangers say of them is not published. */
  isOfCrm: boolean
  isInvited: boolean
  /** The address that they gave is the one that we know the person by: mails to it reach nobody else. */
  isOwnAddress: boolean
}

/** A contact with the person and the Customer that they are; new ones have their uuids already. */
export type Booker = { contact: BookerContact; known: Known; userUuid: string; customerUuid: string }

export const isNewCustomer = ({ known }: Booker) => known.customerUuid === null

type Asked = { target: { uuid: string }; contact: BookerContact | null }

/**
 * Looks the contacts up for the Providers of the targets. An address finds Users before consumers, and either before a
 * number does. A Customer who is found cannot be erased until the transaction ends.
 */
export async function findBookers(tx: Queryable, asked: Asked[]): Promise<(Booker | null)[]> {
  if (asked.every(one => one.contact === null)) return asked.map(() => null)
  // `offset 0` is a fence: each is looked up in its index.
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
        union all select provider_id from appointment where uuid = asked.target limit 1
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
      select id from (
        select id, 1 as rank from customer where user_id = person.id and provider_id = provider.id
        union all
        select id, 2 from customer
        where provider_id = provider.id and lower(email) = lower(asked.email) and user_id is null and ${isNotErased}
        union all
        select id, 3 from customer
        where provider_id = provider.id and mobile_key = asked.mobile_key and user_id is null and ${isNotErased}
        offset 0
      ) as customers
      order by rank, id limit 1
    ) as found on true
    left join lateral (
      -- Asked once more: whoever we waited for may have changed what they were found by.
      select * from customer
      where id = found.id and ${isNotErased} and (user_id = person.id or (
        user_id is null and (lower(email) = lower(asked.email) or mobile_key = asked.mobile_key)
      ))
      for key share
    ) as customer on true
  `)
  // Erased or changed while we waited for them.
  if (rows.some(row => row.isGone)) throw new BeginAnew()
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
