import type pg from 'pg'
import sql from 'sql-template-tag'
import { ourMigrations } from './migrations.ts'

// Only tables of this program: a newer version may have created more.

const made = /^create (?:unlogged )?table (?:if not exists )?(\w+)/gm
/** Only read while the service runs. */
const migrations = 'migration'
const queue = ['_private_jobs', '_private_job_queues', '_private_tasks'].map(
  name => `graphile_worker.${name}`,
)

let known: Promise<string[]> | undefined

const ourTables = () => {
  known ??= readTables()
  return known
}

async function readTables(): Promise<string[]> {
  const texts = (await ourMigrations()).map(one => one.text)
  return [
    migrations,
    ...texts.flatMap(text => [...text.matchAll(made)].map(([_match, name]) => name!)),
    ...queue,
  ]
}

/** Existing tables that our database user may not read or write. */
export async function tablesWithoutRights(probe: pg.Pool): Promise<string[]> {
  const { rows } = await probe.query<{ name: string }>(sql`
    select name from unnest(${await ourTables()}::text[]) as name
    where to_regclass(name) is not null and not (
      has_table_privilege(name, 'select') and (name = ${migrations} or (
        has_table_privilege(name, 'insert') and has_table_privilege(name, 'update') and has_table_privilege(name, 'delete')
      ))
    )
  `)
  return rows.map(one => one.name)
}
