import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { ownPlaces } from './own-places.ts'

/** A booking whose consumer may still correct a mistyped email address. */
export type Correctable = {
  /** The booking and, if there is one, the pending request to move it. */
  ids: number[]
  name: string
  email: string
  mobile: string | null
  language: string | null
  customerId: number
  customerUuid: string
  customerReference: string
  userUuid: string
  /** The person exists only because of this booking, so they can be renamed or deleted with it. */
  isAlone: boolean
}

/**
 * Allowed once, within ten minutes of the first email about it. Never for a Customer or User created by the
 * CRM: a stranger must not rename them.
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

export const isStillCorrectable = (db: Queryable, participationUuid: string) =>
  db.any(sql`
    select participation.id from ${tables} where participation.uuid = ${participationUuid} and ${isCorrectable}
  `)

/** A booking and the request to move it have the same address. */
const placesOf = (participationUuid: string) => sql`
  select place.id from participation as place
  where place.id = any (array (${ownPlaces(sql`${participationUuid}::uuid`)})) and place.state in ('BOOKED', 'REQUESTED')
    and place.customer_id = participation.customer_id and lower(place.email) = lower(participation.email)
`

/**
 * Blocks other corrections, cancellations and bookings of the same person until the transaction ends. Null if
 * it is too late.
 */
export async function lockCorrectable(tx: Queryable, participationUuid: string): Promise<Correctable | null> {
  // A separate statement, so that the next one reads the state after all locks are held.
  await tx.query(sql`
    select from participation join customer on customer.id = participation.customer_id
    where participation.id = any (array (${ownPlaces(sql`${participationUuid}::uuid`)}))
    order by participation.id for update
  `)
  return tx.first<Correctable>(sql`
    select places.ids, participation.name, participation.email, participation.mobile, participation.language,
      customer.id as customer_id, customer.uuid as customer_uuid, customer.reference as customer_reference, app_user.uuid as user_uuid, lower(customer.email) = lower(participation.email)
      and lower(app_user.email) = lower(participation.email)
      and not exists (select from participation as other where other.customer_id = customer.id and other.id <> all (places.ids))
      and not exists (select from customer as other where other.user_id = app_user.id and other.id <> customer.id) as is_alone
    from ${tables} cross join lateral (select array (${placesOf(participationUuid)}) as ids) as places
    where participation.uuid = ${participationUuid} and ${isCorrectable}
  `)
}

/** Changes the address of the person that this booking created. */
export async function renamePerson(tx: Queryable, { customerId }: Correctable, email: string) {
  await tx.query(sql`
    with renamed as (update customer set email = ${email} where id = ${customerId} returning user_id)
    update app_user set email = ${email} where id = (select user_id from renamed)
  `)
}

/** Assigns the Participations to this Customer and address. */
export async function changeAddress(
  tx: Queryable,
  ids: number[],
  email: string,
  customerUuid: string | null,
) {
  await tx.query(sql`
    update participation set email = ${email}, corrected_at = app_clock(),
      customer_id = coalesce((select id from customer where uuid = ${customerUuid}), customer_id)
    where id = any (${ids}::bigint[])
  `)
}

/** Deletes a person who was created only by a mistyped address. */
export async function deletePerson(tx: Queryable, { customerId }: Correctable) {
  await tx.query(sql`
    with gone as (delete from customer where id = ${customerId} returning user_id)
    delete from app_user where id = (select user_id from gone)
  `)
}

export const customerIdOf = (tx: Queryable, participationId: number) =>
  tx.value<number>(sql`select customer_id from participation where id = ${participationId}`)
