import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

export async function readFingerprint(db: Queryable): Promise<string | null> {
  const rows = await db.query<{ fingerprint: string }>(sql`select fingerprint from secret_fingerprint`)
  return rows[0]?.fingerprint ?? null
}

export async function keepFingerprint(db: Queryable, fingerprint: string) {
  await db.query(sql`
    insert into secret_fingerprint (fingerprint) values (${fingerprint})
    on conflict (single) do update set fingerprint = excluded.fingerprint
  `)
}
