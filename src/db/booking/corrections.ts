import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { ownPlaces } from './own-places.ts'

/** A booking whose consumer may still say that they mistyped their address. */
export type Correctable = {
  /** Of whoever has asked to move, the booking and the request. */
  ids: number[]
  name: string
  email: string
  mobile: string | null
  language: string | null
  customerId: number
  userUuid: string
  /** Nobody but this booking made this person: with it they can be renamed or forgotten. */
  isAlone: boolean
}

/**
 * For ten minutes after the first mail about it, once, and never where the CRM made the Customer or the User: whom it
 * knows is not renamed by a stranger.
 */
const isCorrectable = sql`
  participation.state in ('BOOKED', 'REQUESTED') and participation.channel_key is not null
  and participation.email is not null and participation.corrected_at is null
  and not customer.invited and customer.erased_at is null and app_user.reference is null
  and (select min(created_at) from mail where participation_id = participation.id) > now() - interval '10 minutes'
`

const tables = sql`
  participation join customer on customer.id = participation.customer_id join app_user on app_user.id = customer.user_id
`

export async function isStillCorrectable(db: Queryable, participationUuid: string): Promise<boolean> {
  const rows = await db.query(sql`
    select participation.id from ${tables} where participation.uuid = ${participationUuid} and ${isCorrectable}
  `)
  return rows.length > 0
}

/** The booking and the request of whoever has asked to move bear one address. */
const placesOf = (participationUuid: string) => sql`
  select place.id from participation as place
  where place.id = any (array (${ownPlaces(sql`${participationUuid}::uuid`)})) and place.state in ('BOOKED', 'REQUESTED')
    and place.customer_id = participation.customer_id and lower(place.email) = lower(participation.email)
`

/** Until the transaction ends nobody else corrects or cancels it, or books as the same person. Null when it is too late. */
export async function lockCorrectable(tx: Queryable, participationUuid: string): Promise<Correctable | null> {
  // By itself: what is asked next is answered as it is once all are ours.
  await tx.query(sql`
    select from participation join customer on customer.id = participation.customer_id
    where participation.id = any (array (${ownPlaces(sql`${participationUuid}::uuid`)}))
    order by participation.id for update
  `)
  const rows = await tx.query<Correctable>(sql`
    select places.ids, participation.name, participation.email, participation.mobile, participation.language,
      customer.id as customer_id, app_user.uuid as user_uuid, lower(customer.email) = lower(participation.email)
      and lower(app_user.email) = lower(participation.email)
      and not exists (select from participation as other where other.customer_id = customer.id and other.id <> all (places.ids))
      and not exists (select from customer as other where other.user_id = app_user.id and other.id <> customer.id) as is_alone
    from ${tables} cross join lateral (select array (${placesOf(participationUuid)}) as ids) as places
    where participation.uuid = ${participationUuid} and ${isCorrectable}
  `)
  return rows[0] ?? null
}

/** The person whom this booking made has another address. */
export async function renamePerson(tx: Queryable, { customerId }: Correctable, email: string) {
  await tx.query(sql`
    with renamed as (update customer set email = ${email} where id = ${customerId} returning user_id)
    update app_user set email = ${email} where id = (select user_id from renamed)
  `)
}

/** They are those of this Customer, under this address. */
export async function readdress(tx: Queryable, ids: number[], email: string, customerUuid: string | null) {
  await tx.query(sql`
    update participation set email = ${email}, corrected_at = app_clock(),
      customer_id = coalesce((select id from customer where uuid = ${customerUuid}), customer_id)
    where id = any (${ids}::bigint[])
  `)
}

/** A person whom a slip of the finger made. */
export async function forgetPerson(tx: Queryable, { customerId }: Correctable) {
  await tx.query(sql`
    with gone as (delete from customer where id = ${customerId} returning user_id)
    delete from app_user where id = (select user_id from gone)
  `)
}

export async function customerIdOf(tx: Queryable, participationId: number): Promise<number> {
  const rows = await tx.query<{ customerId: number }>(
    sql`select customer_id from participation where id = ${participationId}`,
  )
  return rows[0]!.customerId
}
