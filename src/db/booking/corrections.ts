import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

/** A booking whose consumer may still say that they mistyped their address. */
export type Correctable = {
  id: number
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

/** Until the transaction ends nobody else corrects or cancels it, or books as the same person. Null when it is too late. */
export async function lockCorrectable(tx: Queryable, participationUuid: string): Promise<Correctable | null> {
  // By itself: what is asked next is answered as it is once both are ours.
  await tx.query(sql`
    select from participation join customer on customer.id = participation.customer_id
    where participation.uuid = ${participationUuid} for update
  `)
  const rows = await tx.query<Correctable>(sql`
    select participation.id, participation.name, participation.email, participation.mobile, participation.language,
      customer.id as customer_id, app_user.uuid as user_uuid, lower(customer.email) = lower(participation.email)
      and lower(app_user.email) = lower(participation.email)
      and not exists (select from participation as other where other.customer_id = customer.id and other.id <> participation.id)
      and not exists (select from customer as other where other.user_id = app_user.id and other.id <> customer.id) as is_alone
    from ${tables} where participation.uuid = ${participationUuid} and ${isCorrectable}
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

/** The booking is that of this Customer, under this address. */
export async function readdress(tx: Queryable, id: number, email: string, customerUuid: string | null) {
  await tx.query(sql`
    update participation set email = ${email}, corrected_at = app_clock(),
      customer_id = coalesce((select id from customer where uuid = ${customerUuid}), customer_id)
    where id = ${id}
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
