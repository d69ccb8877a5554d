import sql from 'sql-template-tag'
import { type FieldsOf, pick, type RowOf } from '../../entities/entity.ts'
import { user } from '../../entities/user.ts'
import type { Language } from '../../languages.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { assignmentsOf, erasure, insertion } from '../base/columns.ts'
import { columnOf } from '../base/driver/names.ts'
import type { Queryable } from '../base/pool.ts'

export type UserRow = RowOf<typeof user>
export type UserFields = FieldsOf<typeof user> & { mobileKey?: string | null }

export const findUser = (db: Queryable, crmId: number, reference: string) =>
  db.first<UserRow>(sql`select * from app_user where crm_id = ${crmId} and reference = ${reference}`)

/** Finds the User and prevents its deletion until the transaction ends. */
export const lockUserForUse = (tx: Queryable, crmId: number, reference: string) =>
  tx.first<UserRow>(
    sql`select * from app_user where crm_id = ${crmId} and reference = ${reference} for key share`,
  )

type Page = { after: number[] | null; limit: number | null }

/** Those with a reference, in order of creation. The fence keeps the planner from walking all people by id. */
export const listUsers = (db: Queryable, crmId: number, { after, limit }: Page) =>
  db.query<UserRow>(sql`
    select * from (
      select * from app_user where crm_id = ${crmId} and reference is not null offset 0
    ) as app_user
    where id > ${after?.[0] ?? 0} order by id limit ${limit}
  `)

export const findUserByUuid = (db: Queryable, uuid: string) =>
  db.first<UserRow>(sql`select * from app_user where uuid = ${uuid}`)

/** Serialises creates with the same reference: the second one finds the User instead of a taken username. */
export async function lockReference(tx: Queryable, crmId: number, reference: string) {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('user-reference:' || ${crmId}::text || ':' || ${reference}, 0))
  `)
}

/** Serialises creates with the same email, so that each finds the next free variant at once. */
export async function lockEmail(tx: Queryable, email: string) {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('user-email:' || lower(${email}), 0))`)
}

export const isEmailOfReferencedUser = (tx: Queryable, email: string) =>
  tx.any(sql`select from app_user where lower(email) = lower(${email}) and reference is not null`)

/** A User of this CRM with a reference. */
export const findUserByEmail = (db: Queryable, crmId: number, email: string) =>
  db.first<UserRow>(sql`
    select * from app_user where lower(email) = lower(${email}) and reference is not null and crm_id = ${crmId}
  `)

/** A person who has booked with this CRM and has no reference yet. */
export const findConsumerByEmail = (tx: Queryable, crmId: number, email: string) =>
  tx.first<UserRow>(sql`
    select * from app_user where crm_id = ${crmId} and lower(email) = lower(${email}) and reference is null
    for update
  `)

export const isUsernameOfAnother = (tx: Queryable, username: string, id: number | null) =>
  tx.any(sql`
    select from app_user where lower(username) = lower(${username}) and id is distinct from ${id}::bigint
  `)

/**
 * The smallest n for which before + n + after is not in use, neither by a User nor by a person who has booked
 * with this CRM: they would receive the new User's emails.
 */
export async function firstFreeVariant(
  tx: Queryable,
  crmId: number,
  before: string,
  after: string,
): Promise<string> {
  // One index probe per number, up to the first free one; a plain generate_series would be computed to its
  // end first.
  return tx.value<string>(sql`
    with recursive tried (n) as (
      select 1
      union all
      select n + 1 from tried
      where exists (
        select from app_user
        where lower(email) = lower(${before}::text || n || ${after}::text) and reference is not null
      ) or exists (
        select from app_user
        where lower(email) = lower(${before}::text || n || ${after}::text) and crm_id = ${crmId} and reference is null
      )
    )
    select ${before}::text || max(n) || ${after}::text as email from tried
  `)
}

export const insertUser = (tx: Queryable, crmId: number, fields: UserFields, language: Language) =>
  tx.one<UserRow>(sql`
    insert into app_user ${insertion(user, fields, { crmId, mobileKey: fields.mobileKey, language })}
    returning *
  `)

const { reference: _, email: _email, username: _username, ...contact } = user.inputs
const contactFields = Object.keys(contact) as (keyof typeof contact)[]

/** Changes only the given fields; null clears. Values that are sent count as confirmed. */
export async function updateContactFields(tx: Queryable, id: number, sent: UserFields): Promise<UserRow> {
  const changed = omitUndefined(pick(sent, contactFields))
  const key = sent.mobile === undefined ? {} : { mobileKey: sent.mobileKey }
  await tx.query(sql`
    update app_user set ${assignmentsOf(user, { ...changed, ...key })},
      unconfirmed = array (
        select field from unnest(unconfirmed) field where field <> all (${Object.keys(changed).map(columnOf)}::text[])
      )
    where id = ${id}
  `)
  // Read afterwards, because a trigger sets the time of the change.
  return (await usersById(tx, [id]))[0]!
}

/**
 * Turns a consumer into a User of the CRM: earlier verifications no longer count, and details they entered
 * are treated as unconfirmed.
 */
export async function attachReference(tx: Queryable, id: number, user: UserFields, language: Language) {
  await tx.query(sql`
    update app_user set reference = ${user.reference}, email = ${user.email}, username = ${user.username},
      language = ${language}, verified_at = null, verification_nonce = gen_random_uuid(),
      unconfirmed = array_remove(array [case when first_name is not null then 'first_name' end,
        case when mobile is not null then 'mobile' end], null)
    where id = ${id}
  `)
  return updateContactFields(tx, id, user)
}

export const lockUser = (tx: Queryable, crmId: number, reference: string) =>
  tx.first<UserRow>(
    sql`select * from app_user where crm_id = ${crmId} and reference = ${reference} for update`,
  )

/** Accounts and Providers that the User owns, and what else depends on them. */
export async function usesOfUser(tx: Queryable, id: number): Promise<{ owned: string[]; others: string[] }> {
  const rows = await tx.query<{ name: string; isOwned: boolean }>(sql`
    select 'Account ' || reference as name, true as is_owned from account where owner_id = ${id}
    union all select 'Provider ' || reference, true from provider where owner_id = ${id} and deleted_at is null
    union all select 'staff of the Provider ' || reference, false from staff
      cross join lateral (select reference from provider where id = provider_id offset 0) as provider where user_id = ${id}
    union all select 'contact of the Resource ' || reference, false from resource
      where contact_user_id = ${id} and deleted_at is null
    union all select 'contact of the Appointment ' || reference, false from (
      select * from appointment where contact_user_id = ${id} offset 0
    ) as appointment where state = 'ACTIVE' and deleted_at is null and end_at > app_clock()
  `)
  const named = (isOwned: boolean) => rows.filter(row => row.isOwned === isOwned).map(row => row.name)
  return { owned: named(true), others: named(false) }
}

/** A person who has booked stays a consumer; of others nothing personal is left. */
export async function detachReference(tx: Queryable, id: number) {
  await tx.query(sql`update app_user set reference = null, username = null where id = ${id}`)
  await tx.query(sql`
    update app_user set ${erasure(user)}
    where id = ${id} and not exists (select from customer where user_id = ${id})
  `)
}

export const markVerified = (db: Queryable, uuid: string, nonce: string) =>
  db.any(sql`
    update app_user set verified_at = coalesce(verified_at, app_now())
    where uuid = ${uuid} and verification_nonce = ${nonce} returning 1 as done
  `)

export const usersById = (db: Queryable, ids: number[]) =>
  db.query<UserRow>(sql`select * from app_user where id = any (${ids}::bigint[])`)
