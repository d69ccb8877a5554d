import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

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
