import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { json } from './json.ts'
import type { Queryable } from './pool.ts'
import { BeginAnew } from './postgres-errors.ts'

// Consumers: a person is a User of the CRM or a consumer without a login, known by address or number, and a Customer of
// each Provider they have booked with.

/** Who books, in their own words. */
export type Contact = {
  email: string
  mobile: string | null
  firstName: string
  lastName: string
  language: string | null
}

/** Whom we know with this address or this number. */
type Known = {
  provider_id: number
  crm_id: number
  provider_language: string
  user_uuid: string | null
  has_all_names: boolean
  user_mobile: string | null
  customer_uuid: string | null
  is_linked: boolean
  customer_mobile: string | null
  customer_language: string | null
}

/** A contact with the person and the Customer that they are; new ones have their uuids already. */
export type Booker = { contact: Contact; known: Known; userUuid: string; customerUuid: string }

type Asked = { target: { uuid: string }; contact: Contact | null }

/**
 * Looks the contacts up for the Providers of the targets. An address finds Users before consumers, and either before a
 * number does. A Customer who is found cannot be erased until the transaction ends.
 */
export async function findBookers(tx: Queryable, asked: Asked[]): Promise<(Booker | null)[]> {
  if (asked.every(one => one.contact === null)) return asked.map(() => null)
  // `offset 0` is a fence: each is looked up in its index.
  const rows = await tx.query<Known & { position: number; is_gone: boolean }>(sql`
    select asked.position, provider.id as provider_id, provider.crm_id, provider.language as provider_language,
      person.uuid as user_uuid, person.first_name is not null and person.last_name is not null as has_all_names,
      person.mobile as user_mobile, customer.uuid as customer_uuid, customer.user_id is not null as is_linked,
      customer.mobile as customer_mobile, customer.language as customer_language,
      found.id is not null and customer.id is null as is_gone
    from unnest(${asked.map(one => one.target.uuid)}::uuid[], ${asked.map(one => one.contact?.email ?? null)}::text[],
      ${asked.map(one => one.contact?.mobile ?? null)}::text[])
      with ordinality as asked (target, email, mobile, position)
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
        union all select *, 3 from app_user where mobile = asked.mobile
        offset 0
      ) as people
      where people.crm_id = provider.crm_id order by rank, id limit 1
    ) as person on true
    left join lateral (
      select id from (
        select id, 1 as rank from customer where user_id = person.id and provider_id = provider.id
        union all
        select id, 2 from customer
        where provider_id = provider.id and lower(email) = lower(asked.email) and user_id is null and erased_at is null
        union all
        select id, 3 from customer
        where provider_id = provider.id and mobile = asked.mobile and user_id is null and erased_at is null
        offset 0
      ) as customers
      order by rank, id limit 1
    ) as found on true
    left join lateral (
      select * from customer where id = found.id and erased_at is null for key share
    ) as customer on true
  `)
  // Erased while we waited for them.
  if (rows.some(row => row.is_gone)) throw new BeginAnew()
  const byPosition = new Map(rows.map(row => [row.position, row]))
  return asked.map(({ contact }, index) => {
    const known = byPosition.get(index + 1)
    return contact && known ? asBooker(contact, known) : null
  })
}

const asBooker = (contact: Contact, known: Known): Booker => ({
  contact,
  known,
  userUuid: known.user_uuid ?? randomUUID(),
  customerUuid: known.customer_uuid ?? randomUUID(),
})

/**
 * Makes whoever is new, and notes what is new about the others. In the order of their addresses: two groups that make the
 * same ones do not wait for each other in a circle.
 */
export async function saveBookers(tx: Queryable, bookers: Booker[]) {
  const all = bookers.toSorted(byAddress)
  const isNewUser = ({ known }: Booker) => known.user_uuid === null
  const isNewCustomer = ({ known }: Booker) => known.customer_uuid === null
  await Promise.all([
    insertUsers(tx, all.filter(isNewUser)),
    completeUsers(
      tx,
      all.filter(one => !isNewUser(one) && isUserIncomplete(one)),
    ),
    insertCustomers(tx, all.filter(isNewCustomer)),
    completeCustomers(
      tx,
      all.filter(one => !isNewCustomer(one) && isCustomerIncomplete(one)),
    ),
  ])
}

const byAddress = (a: Booker, b: Booker) =>
  a.contact.email.toLowerCase().localeCompare(b.contact.email.toLowerCase())

const isUserIncomplete = ({ contact, known }: Booker) =>
  !known.has_all_names || (known.user_mobile === null && contact.mobile !== null)

const isCustomerIncomplete = ({ contact, known }: Booker) =>
  !known.is_linked ||
  (known.customer_mobile === null && contact.mobile !== null) ||
  (known.customer_language === null && contact.language !== null)

async function insertUsers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    insert into app_user (crm_id, uuid, email, first_name, last_name, mobile, language)
    select crm_id, user_uuid, email, first_name, last_name, mobile, coalesce(language, provider_language)
    from ${asRows(bookers)}
  `)
}

async function completeUsers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    update app_user set first_name = coalesce(app_user.first_name, one.first_name),
      last_name = coalesce(app_user.last_name, one.last_name), mobile = coalesce(app_user.mobile, one.mobile)
    from ${asRows(bookers)}
    where app_user.uuid = user_uuid
  `)
}

async function insertCustomers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    insert into customer (provider_id, uuid, reference, user_id, name, email, mobile, language)
    select provider_id, customer_uuid, gen_random_uuid() || '@consumer',
      (select id from app_user where uuid = user_uuid), concat_ws(' ', first_name, last_name), email, mobile, language
    from ${asRows(bookers)}
  `)
}

async function completeCustomers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    update customer set user_id = coalesce(user_id, (select id from app_user where uuid = user_uuid)),
      mobile = coalesce(customer.mobile, one.mobile), language = coalesce(customer.language, one.language)
    from ${asRows(bookers)}
    where customer.uuid = customer_uuid
  `)
}

const asRows = (bookers: Booker[]) => sql`
  jsonb_to_recordset(${json(bookers.map(asRow))}::jsonb) as one (provider_id bigint, crm_id bigint, provider_language text,
    user_uuid uuid, customer_uuid uuid, email text, mobile text, first_name text, last_name text, language text)
`

const asRow = ({ contact, known, userUuid, customerUuid }: Booker) => ({
  provider_id: known.provider_id,
  crm_id: known.crm_id,
  provider_language: known.provider_language,
  user_uuid: userUuid,
  customer_uuid: customerUuid,
  email: contact.email,
  mobile: contact.mobile,
  first_name: contact.firstName,
  last_name: contact.lastName,
  language: contact.language,
})
