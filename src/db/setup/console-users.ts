import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { Queryable } from '../base/pool.ts'

export type ConsoleUser = {
  id: number
  uuid: string
  email: string
  name: string
  role: 'operator' | 'administrator' | 'staff'
  crm_id: number | null
  language: Language
  password_hash: string | null
  /** Those that they see; not asked for operators, who see all. */
  provider_ids: number[]
  owned_ids: number[]
}

const consoleUser = sql`
  select console_user.*,
    case role
      when 'administrator' then array(select id::float8 from provider where provider.crm_id = console_user.crm_id)
      else array(select provider_id::float8 from staff where staff.user_id = console_user.user_id)
    end as provider_ids,
    array(select id::float8 from provider where provider.owner_id = console_user.user_id) as owned_ids
  from console_user
`

export async function findConsoleUser(
  db: Queryable,
  id: number,
): Promise<(ConsoleUser & { crm: string | null }) | null> {
  const rows = await db.query<ConsoleUser & { crm: string | null }>(sql`
    select console_user.*, crm.name as crm from console_user left join crm on crm.id = console_user.crm_id
    where console_user.id = ${id}
  `)
  return rows[0] ?? null
}

export async function findConsoleUserByEmail(db: Queryable, email: string): Promise<ConsoleUser | null> {
  const rows = await db.query<ConsoleUser>(sql`${consoleUser} where lower(email) = lower(${email})`)
  return rows[0] ?? null
}

/** An operator, or the staff login of a User; inviting somebody again gives the same login. */
export async function ensureConsoleUser(
  db: Queryable,
  user: {
    email: string
    name: string
    role: ConsoleUser['role']
    language: Language
    crmId: number | null
    userId: number | null
  },
): Promise<number> {
  const rows = await db.query<{ id: number }>(sql`
    insert into console_user (email, name, role, language, crm_id, user_id)
    values (${user.email}, ${user.name}, ${user.role}, ${user.language}, ${user.crmId}, ${user.userId})
    on conflict (lower(email)) do update set name = excluded.name
    returning id
  `)
  return rows[0]!.id
}

export async function insertLoginLink(db: Queryable, hash: Buffer, consoleUserId: number, hours: number) {
  await db.query(sql`
    insert into login_link (hash, console_user_id, expires_at)
    values (${hash}, ${consoleUserId}, app_now() + make_interval(hours => ${hours}))
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
  const rows = await tx.query<{ console_user_id: number }>(sql`
    update login_link set used_at = app_now()
    where hash = ${hash} and used_at is null and expires_at > app_now()
    returning console_user_id
  `)
  return rows[0]?.console_user_id ?? null
}

export async function insertSession(tx: Queryable, hash: Buffer, consoleUserId: number, days: number) {
  await tx.query(sql`
    insert into console_session (hash, console_user_id, expires_at)
    values (${hash}, ${consoleUserId}, app_now() + make_interval(days => ${days}))
  `)
}

export async function findSession(db: Queryable, hash: Buffer): Promise<ConsoleUser | null> {
  const rows = await db.query<ConsoleUser>(sql`
    ${consoleUser} join console_session on console_session.console_user_id = console_user.id
    where console_session.hash = ${hash} and console_session.expires_at > app_now()
  `)
  return rows[0] ?? null
}

export async function deleteSession(db: Queryable, hash: Buffer) {
  await db.query(sql`delete from console_session where hash = ${hash}`)
}

export async function forgetExpiredLogins(db: Queryable) {
  await db.query(sql`delete from console_session where expires_at < app_now()`)
  await db.query(sql`delete from login_link where expires_at < app_now() - interval '30 days'`)
}

/** Who is told when something of the CRM needs a hand: its own logins, and those who run the service. */
export async function loginsToTell(db: Queryable, crmId: number) {
  return db.query<Pick<ConsoleUser, 'email' | 'name' | 'language'> & { crm: string }>(sql`
    select email, console_user.name, console_user.language, crm.name as crm
    from console_user, crm
    where crm.id = ${crmId} and (role = 'operator' or crm_id = crm.id) order by console_user.id limit 50
  `)
}
