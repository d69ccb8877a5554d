import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// A sandbox is marked by a setting of its database, so other databases have no trace of it.

export const readSandbox = (db: Queryable) =>
  db.one<{ isSandbox: boolean; isNew: boolean }>(sql`
    select coalesce(current_setting('holdfast.sandbox', true), '') = 'on' as is_sandbox, to_regclass('migration') is null as is_new
  `)

export async function markSandbox(db: Queryable) {
  await db.query(sql`
    do $$ begin
      execute format('alter database %I set holdfast.sandbox = ''on''', current_database());
    end $$
  `)
}

/** Lists that were built at another time must not be shown: their Resources count as changed. */
export const forgetLists = (db: Queryable) => db.query(sql`update resource set revision = revision + 1`)
