import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { type ConsoleUser, consoleUser } from './console-users.ts'

/** How somebody came in. */
export type Way = 'link' | 'password' | 'oidc'

type SessionRow = {
  hash: Buffer
  uuid: string
  way: Way
  agent: string | null
  seenAt: number
  createdAt: number
}

export async function insertLoginLink(db: Queryable, hash: Buffer, consoleUserId: number, minutes: number) {
  await db.query(sql`
    insert into login_link (hash, console_user_id, expires_at)
    values (${hash}, ${consoleUserId}, app_now() + make_interval(mins => ${minutes}))
  `)
}

/** Whatever link they still have opens nothing any more. */
export async function endLoginLinks(db: Queryable, consoleUserId: number) {
  await db.query(sql`
    update login_link set used_at = app_now() where console_user_id = ${consoleUserId} and used_at is null
  `)
}

export async function isLoginLinkValid(db: Queryable, hash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    select from login_link where hash = ${hash} and used_at is null and expires_at > app_now()
  `)
  return rows.length > 0
}

/** Works once. */
export async function useLoginLink(tx: Queryable, hash: Buffer): Promise<number | null> {
  const rows = await tx.query<{ consoleUserId: number }>(sql`
    update login_link set used_at = app_now()
    where hash = ${hash} and used_at is null and expires_at > app_now()
    returning console_user_id
  `)
  return rows[0]?.consoleUserId ?? null
}

type NewSession = {
  hash: Buffer
  consoleUserId: number
  days: number
  way: Way
  agent: string | null
}

export async function insertSession(tx: Queryable, { hash, consoleUserId, days, way, agent }: NewSession) {
  await tx.query(sql`
    insert into console_session (hash, console_user_id, expires_at, way, agent, created_at, seen_at)
    values (${hash}, ${consoleUserId}, app_now() + make_interval(days => ${days}), ${way}, ${agent}, app_now(), app_now())
  `)
  await tx.query(sql`update console_user set last_login_at = app_now() where id = ${consoleUserId}`)
}

export async function findSession(db: Queryable, hash: Buffer): Promise<ConsoleUser | null> {
  const rows = await db.query<ConsoleUser>(sql`
    ${consoleUser} join console_session on console_session.console_user_id = console_user.id
    where console_session.hash = ${hash} and console_session.expires_at > app_now()
  `)
  return rows[0] ?? null
}

/** At most one write in five minutes: looking at the day must not turn every read into a write. */
export async function touchSession(db: Queryable, hash: Buffer) {
  await db.query(sql`
    update console_session set seen_at = app_now() where hash = ${hash} and seen_at < app_now() - interval '5 minutes'
  `)
}

/** Those that are open, the one used last first. */
export async function listSessions(db: Queryable, consoleUserId: number): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select hash, uuid, way, agent, seen_at, created_at from console_session
    where console_user_id = ${consoleUserId} and expires_at > app_now() order by seen_at desc, uuid
  `)
}

/** Opened by a link from their mailbox a moment ago: whoever did that may choose a new password without the old one. */
export async function isFreshlyLinked(db: Queryable, hash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    select from console_session
    where hash = ${hash} and way <> 'password' and created_at > app_now() - interval '30 minutes'
  `)
  return rows.length > 0
}

export async function deleteSession(db: Queryable, hash: Buffer) {
  await db.query(sql`delete from console_session where hash = ${hash}`)
}

export async function deleteSessionByUuid(db: Queryable, consoleUserId: number, uuid: string) {
  const rows = await db.query(sql`
    delete from console_session where console_user_id = ${consoleUserId} and uuid = ${uuid} returning 1 as done
  `)
  return rows.length > 0
}

/** All of somebody's but this one; the number that ended. */
export async function deleteSessionsOf(db: Queryable, consoleUserId: number, but: Buffer | null = null) {
  const rows = await db.query(sql`
    delete from console_session where console_user_id = ${consoleUserId} and hash is distinct from ${but}::bytea
    returning 1 as done
  `)
  return rows.length
}

export async function forgetExpiredLogins(db: Queryable) {
  await db.query(sql`delete from console_session where expires_at < app_now()`)
  await db.query(sql`delete from login_link where expires_at < app_now() - interval '30 days'`)
}
