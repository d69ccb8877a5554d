import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { Queryable } from '../base/pool.ts'

/** Details that strangers entered about a person, as a User and as a Customer of Providers. */
export type OwnDetails = {
  userId: number
  crmId: number
  language: Language
  /** Null if not filled in by a stranger, or confirmed. */
  firstName: string | null
  lastName: string | null
  mobile: string | null
  customers: { id: number; providerId: number; mobile: string | null }[]
}

/** Prevents new details until the transaction ends. */
export async function lockOwnDetails(tx: Queryable, userUuid: string): Promise<OwnDetails | null> {
  await tx.query(sql`select from app_user where uuid = ${userUuid} for update`)
  return findOwnDetails(tx, userUuid)
}

export const findOwnDetails = (db: Queryable, userUuid: string) =>
  db.first<OwnDetails>(sql`
    select id as user_id, crm_id, language,
      case when 'first_name' = any (unconfirmed) then first_name end as first_name,
      case when 'last_name' = any (unconfirmed) then last_name end as last_name,
      case when 'mobile' = any (unconfirmed) then mobile end as mobile,
      coalesce((
        select json_agg(json_build_object('id', id, 'providerId', provider_id, 'mobile', mobile) order by id)
        from customer where user_id = app_user.id and unconfirmed <> '{}'
      ), '[]'::json) as customers
    from app_user where uuid = ${userUuid}
  `)

export async function confirmDetails(tx: Queryable, { userId, customers }: OwnDetails) {
  await tx.query(sql`update app_user set unconfirmed = '{}' where id = ${userId}`)
  await tx.query(sql`update customer set unconfirmed = '{}' where id = any (${idsOf(customers)}::bigint[])`)
}

const idsOf = (customers: OwnDetails['customers']) => customers.map(({ id }) => id)

/** Removes the details, as if they had never been entered. */
export async function dropDetails(tx: Queryable, { userId, customers }: OwnDetails) {
  await tx.query(sql`
    update app_user set first_name = case when 'first_name' = any (unconfirmed) then null else first_name end,
      last_name = case when 'last_name' = any (unconfirmed) then null else last_name end,
      mobile = case when 'mobile' = any (unconfirmed) then null else mobile end,
      mobile_key = case when 'mobile' = any (unconfirmed) then null else mobile_key end, unconfirmed = '{}'
    where id = ${userId}
  `)
  await tx.query(sql`
    update customer set mobile = null, mobile_key = null, unconfirmed = '{}'
    where id = any (${idsOf(customers)}::bigint[]) and 'mobile' = any (unconfirmed)
  `)
}
