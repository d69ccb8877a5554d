import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { Queryable } from '../base/pool.ts'
import type { UserRow } from './users.ts'

// Invitations of addresses that have a login elsewhere. They wait beside it until the person opens the link.

type PendingInvitation = {
  uuid: string
  email: string
  name: string
  role: 'administrator' | 'staff'
  crmId: number
  userId: number | null
  language: Language
}

type Link = { hash: Buffer; minutes: number }

/** Inviting again replaces the link. */
export async function saveInvitation(
  tx: Queryable,
  { crmId, userId, email, name, role, language }: Omit<PendingInvitation, 'uuid'>,
  { hash, minutes }: Link,
) {
  await tx.query(sql`
    insert into invitation (crm_id, user_id, email, name, role, language, hash, expires_at)
    values (${crmId}, ${userId}, ${email}, ${name}, ${role}, ${language}, ${hash},
      app_now() + make_interval(mins => ${minutes}))
    on conflict (crm_id, lower(email)) do update set user_id = excluded.user_id, name = excluded.name,
      role = excluded.role, language = excluded.language, hash = excluded.hash, expires_at = excluded.expires_at
  `)
}

export const hasInvitation = (db: Queryable, hash: Buffer) =>
  db.any(sql`select from invitation where hash = ${hash} and expires_at > app_now()`)

/** Works once: the row is gone if the transaction commits. */
export const takeInvitation = (tx: Queryable, hash: Buffer) =>
  tx.first<PendingInvitation>(sql`
    delete from invitation where hash = ${hash} and expires_at > app_now() returning *
  `)

/** A login that was never used makes room for the invitation that is accepted; its own latest link stays valid. */
export async function setLoginAside(tx: Queryable, loginId: number) {
  await tx.query(sql`
    insert into invitation (crm_id, user_id, email, name, role, language, hash, expires_at)
    select crm_id, user_id, email, name, role, language, hash, expires_at
    from console_user join login_link on console_user_id = console_user.id
    where console_user.id = ${loginId} and used_at is null
    order by expires_at desc limit 1
    on conflict do nothing
  `)
  await tx.query(sql`delete from console_user where id = ${loginId}`)
}

export const findInvitation = (db: Queryable, uuid: string) =>
  db.first<PendingInvitation>(sql`select * from invitation where uuid = ${uuid}`)

export async function deleteInvitation(tx: Queryable, uuid: string) {
  await tx.query(sql`delete from invitation where uuid = ${uuid}`)
}

/** After the address has got its login in this CRM. */
export async function deleteInvitationOf(tx: Queryable, crmId: number, email: string) {
  await tx.query(sql`delete from invitation where crm_id = ${crmId} and lower(email) = lower(${email})`)
}

/** After they left a Provider: of people who work for no other one. */
export async function endInvitationsOf(tx: Queryable, userId: number) {
  await tx.query(sql`
    delete from invitation where user_id = ${userId} and not exists (select from staff where user_id = ${userId})
  `)
}

/** The address that a User logs in or was invited with, which can differ from that of the User. */
export const findLoginEmail = (db: Queryable, userId: number) =>
  db.value<string | null>(sql`
    select email from console_user where user_id = ${userId}
    union all select email from invitation where user_id = ${userId} limit 1
  `)

/** The User of this CRM who logs in or was invited with the address. */
export const findInvitedUser = (db: Queryable, crmId: number, email: string) =>
  db.first<UserRow>(sql`
    select app_user.* from app_user where crm_id = ${crmId} and reference is not null and id in (
      select user_id from console_user where lower(email) = lower(${email})
      union all select user_id from invitation where crm_id = ${crmId} and lower(email) = lower(${email})
    ) limit 1
  `)

export const providerIdsOf = (db: Queryable, userId: number) =>
  db.column<number>(sql`select provider_id from staff where user_id = ${userId}`)

/** Counts one more for the rest of the day. Returns how many there were today, and the seconds until the next day. */
export async function countToday(tx: Queryable, name: string) {
  // Kept under the end of the day: windows that began two hours ago are deleted.
  return tx.one<{ hits: number; wait: number }>(sql`
    insert into rate_window (bucket, window_start, hits)
    values (${name}, date_trunc('day', app_now(), 'UTC') + interval '1 day', 1)
    on conflict (bucket, window_start) do update set hits = rate_window.hits + 1
    returning hits, ceil(extract(epoch from window_start - app_now()))::int as wait
  `)
}
