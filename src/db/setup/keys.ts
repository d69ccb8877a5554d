import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { Queryable } from '../base/pool.ts'

export type KeyScope = 'setup' | 'scheduling' | 'events' | 'read' | 'settings' | 'consumer' | 'agent'
export const keyScopes: KeyScope[] = [
  'setup',
  'scheduling',
  'events',
  'read',
  'settings',
  'consumer',
  'agent',
]

export type KeyRow = {
  uuid: string
  crm: string
  prefix: string
  label: string | null
  /** The member of staff the key was created for, if any. */
  userReference: string | null
  scopes: KeyScope[]
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
  createdAt: number
}

export type LiveKey = {
  id: number
  hash: Buffer
  prefix: string
  scopes: KeyScope[]
  crmId: number
  crm: string
  language: Language | null
}

export const findLiveKey = (db: Queryable, hash: Buffer) =>
  db.first<LiveKey>(sql`
    select api_key.id, hash, prefix, scopes, crm_id, crm.name as crm, crm.language
    from api_key join crm on crm.id = api_key.crm_id
    where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > app_now())
  `)

export const insertKey = (
  db: Queryable,
  key: {
    crmId: number
    prefix: string
    hash: Buffer
    label: string | null
    scopes: KeyScope[]
    expiresAt: Date | null
    userId?: number | null
  },
) =>
  db.value<number | null>(sql`
    insert into api_key (crm_id, prefix, hash, label, scopes, expires_at, user_id)
    values (${key.crmId}, ${key.prefix}, ${key.hash}, ${key.label}, ${key.scopes}, ${key.expiresAt},
      ${key.userId ?? null})
    on conflict (hash) do nothing
    returning id
  `)

export const crmOfKey = (db: Queryable, hash: Buffer) =>
  db.value<string | null>(sql`
    select crm.name from api_key join crm on crm.id = api_key.crm_id where hash = ${hash}
  `)

/** At most one write per minute and key, so that reads do not become writes. */
export async function touchKey(db: Queryable, id: number) {
  await db.query(sql`
    update api_key set last_used_at = app_now()
    where id = ${id} and (last_used_at is null or last_used_at < app_now() - interval '1 minute')
  `)
}

const keyRow = sql`
  select uuid, crm.name as crm, prefix, label, scopes, expires_at, revoked_at, last_used_at, api_key.created_at,
    (select reference from app_user where app_user.id = api_key.user_id) as user_reference
  from api_key join crm on crm.id = api_key.crm_id
`

export const listKeys = (db: Queryable, crm: string | null) =>
  db.query<KeyRow>(sql`
    ${keyRow} where ${crm}::text is null or crm.name = ${crm} order by api_key.id
  `)

export const findKey = (db: Queryable, crmId: number, id: number) =>
  db.first<KeyRow>(sql`${keyRow} where api_key.crm_id = ${crmId} and api_key.id = ${id}`)

const isLive = sql`revoked_at is null and (expires_at is null or expires_at > app_now())`

/**
 * The key expires after this many hours, or earlier if already set. Returns null if there is no such active
 * key.
 */
export const expireKeySoon = (tx: Queryable, crmId: number, uuid: string, hours: number) =>
  tx.first<{ label: string | null; scopes: KeyScope[]; userId: number | null }>(sql`
    update api_key set expires_at = least(expires_at, app_now() + make_interval(hours => ${hours}))
    where crm_id = ${crmId} and uuid = ${uuid} and ${isLive} returning label, scopes, user_id
  `)

/** Returns its id, or null if there is no active key. */
export const endKey = (tx: Queryable, crmId: number, uuid: string) =>
  tx.value<number | null>(sql`
    update api_key set revoked_at = app_now() where crm_id = ${crmId} and uuid = ${uuid} and revoked_at is null
    returning id
  `)

export const keysById = (db: Queryable, ids: number[]) =>
  db.query<KeyRow & { id: number }>(sql`
    select id, uuid, prefix, label, scopes from api_key where id = any (${ids}::bigint[])
  `)

/** By uuid or unambiguous prefix. Returns all matches, and revokes the key if there is exactly one. */
export const revokeKey = (tx: Queryable, uuidOrPrefix: string) =>
  tx.query<{ id: number; crmId: number }>(sql`
    with meant as (
      select id, crm_id from api_key where revoked_at is null and (uuid::text = ${uuidOrPrefix} or prefix = ${uuidOrPrefix})
    ), revoked as (
      update api_key set revoked_at = app_now()
      where id in (select id from meant) and (select count(*) from meant) = 1
    )
    select id, crm_id from meant
  `)
