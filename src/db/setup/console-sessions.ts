import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { type ConsoleUser, consoleUser } from './console-users.ts'

/** How the user logged in. */
export type LoginMethod = 'link' | 'password' | 'oidc'

type SessionRow = {
  hash: Buffer
  uuid: string
  way: LoginMethod
  agent: string | null
  seenAt: number
  createdAt: number
}

type NewLink = { hash: Buffer; consoleUserId: number; minutes: number; sealed: Buffer | null }

/** `sealed`: the encrypted token, for sending the link again; the key is not in the database. */
export async function insertLoginLink(db: Queryable, { hash, consoleUserId, minutes, sealed }: NewLink) {
  await db.query(sql`
    insert into login_link (hash, console_user_id, expires_at, sealed)
    values (${hash}, ${consoleUserId}, app_now() + make_interval(mins => ${minutes}), ${sealed})
  `)
}

/** The encrypted token of a link that stays valid for at least this many minutes. */
export const findResendableLink = (db: Queryable, consoleUserId: number, minutes: number) =>
  db.value<Buffer | null>(sql`
    select sealed from login_link
    where console_user_id = ${consoleUserId} and used_at is null and sealed is not null
      and expires_at >= app_now() + make_interval(mins => ${minutes})
    order by expires_at desc limit 1
  `)

/** Invalidates all login links of the user. */
export async function endLoginLinks(db: Queryable, consoleUserId: number) {
  await db.query(sql`
    update login_link set used_at = app_now() where console_user_id = ${consoleUserId} and used_at is null
  `)
}

/** The login of the link; null if the link is unknown, used or expired. */
export const findLoginOfLink = (db: Queryable, hash: Buffer) =>
  db.first<{ id: number; hasTotp: boolean }>(sql`
    select console_user.id, totp_secret is not null as has_totp
    from login_link join console_user on console_user.id = login_link.console_user_id
    where hash = ${hash} and used_at is null and expires_at > app_now()
  `)

/** Each link works once. */
export const useLoginLink = (tx: Queryable, hash: Buffer) =>
  tx.value<number | null>(sql`
    update login_link set used_at = app_now()
    where hash = ${hash} and used_at is null and expires_at > app_now()
    returning console_user_id
  `)

type NewSession = {
  hash: Buffer
  consoleUserId: number
  days: number
  way: LoginMethod
  agent: string | null
  isHostBound: boolean
}

export async function insertSession(tx: Queryable, session: NewSession) {
  const { hash, consoleUserId, days, way, agent, isHostBound } = session
  await tx.query(sql`
    insert into console_session (hash, console_user_id, expires_at, way, agent, host_bound, created_at, seen_at)
    values (${hash}, ${consoleUserId}, app_now() + make_interval(days => ${days}), ${way}, ${agent},
      ${isHostBound}, app_now(), app_now())
  `)
  await tx.query(sql`update console_user set last_login_at = app_now() where id = ${consoleUserId}`)
}

/** Those of these sessions that have not ended, in hex. */
export async function liveSessions(db: Queryable, hashes: Buffer[]): Promise<Set<string>> {
  const rows = await db.query<{ hash: string }>(sql`
    select encode(hash, 'hex') as hash from console_session
    where hash = any (${hashes}::bytea[]) and expires_at > app_now()
  `)
  return new Set(rows.map(row => row.hash))
}

export const findSession = (db: Queryable, hash: Buffer, isHostBound: boolean) =>
  db.first<ConsoleUser>(sql`
    ${consoleUser} join console_session on console_session.console_user_id = console_user.id
    where console_session.hash = ${hash} and console_session.expires_at > app_now()
      and (${isHostBound} or not console_session.host_bound)
  `)

/** At most one write in five minutes, so that reads do not become writes. */
export async function touchSession(db: Queryable, hash: Buffer) {
  await db.query(sql`
    update console_session set seen_at = app_now() where hash = ${hash} and seen_at < app_now() - interval '5 minutes'
  `)
}

/** Open sessions, most recently used first. */
export const listSessions = (db: Queryable, consoleUserId: number) =>
  db.query<SessionRow>(sql`
    select hash, uuid, way, agent, seen_at, created_at from console_session
    where console_user_id = ${consoleUserId} and expires_at > app_now() order by seen_at desc, uuid
  `)

/** A session just opened by an emailed link may set a new password without the old one. */
export const isFreshlyLinked = (db: Queryable, hash: Buffer) =>
  db.any(sql`
    select from console_session
    where hash = ${hash} and way <> 'password' and created_at > app_now() - interval '30 minutes'
  `)

export async function deleteSession(db: Queryable, hash: Buffer) {
  await db.query(sql`delete from console_session where hash = ${hash}`)
}

export const deleteSessionByUuid = (db: Queryable, consoleUserId: number, uuid: string) =>
  db.any(sql`
    delete from console_session where console_user_id = ${consoleUserId} and uuid = ${uuid} returning 1 as done
  `)

/** Deletes all sessions of the user except this one and returns their number. */
export async function deleteSessionsOf(db: Queryable, consoleUserId: number, but: Buffer | null = null) {
  const rows = await db.query(sql`
    delete from console_session where console_user_id = ${consoleUserId} and hash is distinct from ${but}::bytea
    returning 1 as done
  `)
  return rows.length
}

export async function deleteExpiredLogins(db: Queryable) {
  await db.query(sql`delete from console_session where expires_at < app_now()`)
  await db.query(sql`delete from login_link where expires_at < app_now() - interval '30 days'`)
}
