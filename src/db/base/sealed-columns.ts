import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// All columns that are encrypted with a key derived from SECRET_KEY. `holdfast secrets reseal` and `crm move`
// go through this list, so a column that is missing here is lost when the key is replaced.

export type SealedColumn = {
  table: string
  column: string
  /** Names the derived key. */
  purpose: string
  /** The columns of the primary key with their types. */
  key: { name: string; type: string }[]
}

const id = [{ name: 'id', type: 'bigint' }]

export const sealedColumns: SealedColumn[] = [
  { table: 'webhook', column: 'secret', purpose: 'webhooks', key: id },
  { table: 'webhook', column: 'old_secret', purpose: 'webhooks', key: id },
  { table: 'webhook', column: 'signing_key', purpose: 'webhooks', key: id },
  { table: 'webhook', column: 'old_signing_key', purpose: 'webhooks', key: id },
  { table: 'console_user', column: 'totp_secret', purpose: 'totp', key: id },
  { table: 'console_user', column: 'totp_pending', purpose: 'totp', key: id },
  { table: 'login_link', column: 'sealed', purpose: 'login-link', key: [{ name: 'hash', type: 'bytea' }] },
  { table: 'event', column: 'former_reference', purpose: 'events', key: id },
  { table: 'calendar_source', column: 'sealed', purpose: 'calendars', key: id },
  { table: 'calendar_mirror', column: 'sealed', purpose: 'calendars', key: id },
  {
    table: 'crm_origin',
    column: 'link_keys',
    purpose: 'former-links',
    key: [
      { name: 'crm_id', type: 'bigint' },
      { name: 'move', type: 'uuid' },
    ],
  },
]

/** Key values as text, in the order of `key`. */
export type SealedValue = { key: string[]; sealed: Buffer }

/** The next values in the order of their keys. */
export async function readSealed(
  db: Queryable,
  { table, column, key }: SealedColumn,
  { after, limit }: { after: string[] | null; limit: number },
): Promise<SealedValue[]> {
  const names = key.map(({ name }) => name)
  const texts = raw(names.map(name => `${name}::text`).join(', '))
  const columns = raw(names.join(', '))
  const later = after === null ? sql`true` : sql`(${columns}) > (${valuesOf(key, after)})`
  return db.query<SealedValue>(sql`
    select array[${texts}] as key, ${raw(column)} as sealed from ${raw(table)}
    where ${raw(column)} is not null and ${later} order by ${columns} limit ${limit}
  `)
}

/** Returns false if the value has changed since it was read. */
export async function replaceSealed(
  db: Queryable,
  { table, column, key }: SealedColumn,
  value: SealedValue,
  replacement: Buffer,
): Promise<boolean> {
  const columns = raw(key.map(({ name }) => name).join(', '))
  return db.any(sql`
    update ${raw(table)} set ${raw(column)} = ${replacement}
    where (${columns}) = (${valuesOf(key, value.key)}) and ${raw(column)} = ${value.sealed} returning true
  `)
}

const valuesOf = (key: SealedColumn['key'], values: string[]): Sql =>
  join(key.map(({ type }, index) => sql`${values[index]}::text::${raw(type)}`))
