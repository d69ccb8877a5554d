import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import { type LoginRole, limitedRoles, type Role } from '../../rules/access.ts'
import type { Queryable } from '../base/pool.ts'

export type ConsoleUser = {
  id: number
  uuid: string
  email: string
  name: string
  role: LoginRole
  crmId: number | null
  language: Language
  passwordHash: string | null
  totpSecret: Buffer | null
  totpPending: Buffer | null
  totpStep: number
  recoveryHashes: Buffer[]
  lastLoginAt: number | null
  createdAt: number
  /** The Providers they may access; not read for operators, who may access all. */
  providerIds: number[]
  /** The role of a staff member at each of them; empty for administrators. */
  providerRoles: Role[]
  /** The uuids of a practitioner's Resources, by Provider. */
  ownResources: Record<number, string[]>
}

/** A console user without access rights. */
export type Login = Omit<ConsoleUser, 'providerIds' | 'providerRoles' | 'ownResources'>

export const consoleUser = sql`
  select console_user.*,
    case role
      when 'administrator' then array(select id::float8 from provider where provider.crm_id = console_user.crm_id and deleted_at is null)
      else array(select provider_id::float8 from staff where staff.user_id = console_user.user_id order by provider_id)
    end as provider_ids,
    array(
      select case when provider.owner_id = staff.user_id then 'owner' else staff.role end
      from staff join provider on provider.id = staff.provider_id
      where staff.user_id = console_user.user_id order by provider_id
    ) as provider_roles,
    (
      select coalesce(json_object_agg(provider_id, array(select uuid from resource where id = any (resource_ids))), '{}')
      from staff where staff.user_id = console_user.user_id and staff.role = any (${limitedRoles})
    ) as own_resources
  from console_user
`

type Named = ConsoleUser & { crm: string | null }

/** Includes the name of the CRM. Finds by row id, or by the uuid used in the API. */
export async function findConsoleUser(db: Queryable, by: number | string): Promise<Named | null> {
  const one = typeof by === 'number' ? sql`console_user.id = ${by}` : sql`console_user.uuid = ${by}`
  return db.first<Named>(sql`
    select console_user.*, crm.name as crm from console_user left join crm on crm.id = console_user.crm_id where ${one}
  `)
}

export const findConsoleUserByEmail = (db: Queryable, email: string) =>
  db.first<ConsoleUser>(sql`${consoleUser} where lower(email) = lower(${email})`)

/** Inviting a person again returns the existing login, locked until the transaction ends. */
export const ensureConsoleUser = (
  db: Queryable,
  user: {
    email: string
    name: string
    role: ConsoleUser['role']
    language: Language
    crmId: number | null
    userId: number | null
  },
) =>
  db.one<Login>(sql`
    insert into console_user (email, name, role, language, crm_id, user_id)
    values (${user.email}, ${user.name}, ${user.role}, ${user.language}, ${user.crmId}, ${user.userId})
    on conflict (lower(email)) do update set name = console_user.name
    returning *
  `)

/** Logins to notify about problems of the CRM: its own logins and the operators. */
export const loginsToNotify = (db: Queryable, crmId: number) =>
  db.query<Pick<ConsoleUser, 'email' | 'name' | 'language'> & { crm: string }>(sql`
    select email, console_user.name, console_user.language, crm.name as crm
    from console_user, crm
    where crm.id = ${crmId} and (role = 'operator' or crm_id = crm.id) order by console_user.id limit 50
  `)

/** Locked so that each one-time code is used only once. */
export const lockConsoleUser = (tx: Queryable, id: number) =>
  tx.first<ConsoleUser>(sql`select * from console_user where id = ${id} for update`)

type LoginChange = Partial<
  Pick<
    ConsoleUser,
    'name' | 'language' | 'passwordHash' | 'totpSecret' | 'totpPending' | 'totpStep' | 'recoveryHashes'
  >
>

/** Requires its lock. Changes only the given fields. */
export async function updateConsoleUser(tx: Queryable, id: number, change: LoginChange) {
  const known = (await lockConsoleUser(tx, id))!
  const now = { ...known, ...change }
  await tx.query(sql`
    update console_user set name = ${now.name}, language = ${now.language}, password_hash = ${now.passwordHash},
      totp_secret = ${now.totpSecret}, totp_pending = ${now.totpPending}, totp_step = ${now.totpStep},
      recovery_hashes = ${now.recoveryHashes}::bytea[]
    where id = ${id}
  `)
}

export type LoginRow = Pick<ConsoleUser, 'uuid' | 'email' | 'name' | 'role' | 'crmId'> & {
  /** Null: the person has not accepted the invitation yet. */
  id: number | null
  crm: string | null
  lastLoginAt: number | null
  sessions: number
  hasPassword: boolean
  hasTotp: boolean
}

/** Of one CRM, or all; with invitations that wait beside a login elsewhere. */
export const listLogins = (db: Queryable, crmId: number | null) =>
  db.query<LoginRow>(sql`
    select * from (
    select console_user.id, console_user.uuid, email, console_user.name, role, crm_id, crm.name as crm, last_login_at,
      (select count(*) from console_session where console_user_id = console_user.id and expires_at > app_now()) as sessions,
      password_hash is not null as has_password, totp_secret is not null as has_totp
    from console_user left join crm on crm.id = console_user.crm_id
    where ${crmId}::bigint is null or crm_id = ${crmId}
    union all
    select null, invitation.uuid, email, invitation.name, role, crm_id, crm.name, null, 0, false, false
    from invitation join crm on crm.id = invitation.crm_id
    where ${crmId}::bigint is null or crm_id = ${crmId}
    ) as login order by role, lower(email) limit 1000
  `)

/** Links and sessions are deleted by cascade. */
export async function deleteConsoleUser(tx: Queryable, id: number) {
  await tx.query(sql`delete from console_user where id = ${id}`)
}

export const hasLogins = (db: Queryable) => db.any(sql`select from console_user limit 1`)

export async function countOperators(tx: Queryable): Promise<number> {
  await tx.query(sql`select id from console_user where role = 'operator' order by id for update`)
  return tx.value<number>(sql`select count(*) as count from console_user where role = 'operator'`)
}

/**
 * Deletes the login of a person who has left their last Provider, with its sessions and links. Other sessions
 * stay open without access to this Provider: otherwise one business could log out another's staff.
 */
export async function endStaffLogin(tx: Queryable, userId: number) {
  await tx.query(sql`
    delete from console_user where user_id = ${userId} and not exists (select from staff where user_id = ${userId})
  `)
}

/** The User of a staff login. */
export const userIdOfLogin = (db: Queryable, uuid: string) =>
  db.value<number | null>(sql`select user_id from console_user where uuid::text = ${uuid}`)

type Acted = { actorKind: string; actor: string | null }

/** Display names of the actors in the log. */
export async function actorNames(db: Queryable, rows: Acted[]): Promise<Map<string, string>> {
  const of = (kind: string) => [
    ...new Set(rows.flatMap(row => (row.actorKind === kind && row.actor ? row.actor : []))),
  ]
  const logins = of('console').filter(name => name.length === 36)
  const found = await db.query<{ actor: string; name: string | null }>(sql`
    select uuid::text as actor, name from console_user where uuid = any (${logins}::uuid[])
    union all
    select prefix, label from api_key where prefix = any (${[...of('key'), ...of('agent')]})
  `)
  return new Map(found.flatMap(({ actor, name }) => (name === null ? [] : [[actor, name] as const])))
}
