import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

type KeysInUse = {
  fingerprint: string
  /** The fingerprint of a former key that some values are still encrypted with. */
  stillNeeded: string | null
}

/** Null if the database was never used. */
export const readKeysInUse = (db: Queryable) =>
  db.first<KeysInUse>(sql`select fingerprint, still_needed from secret_fingerprint`)

export const readFingerprint = async (db: Queryable): Promise<string | null> =>
  (await readKeysInUse(db))?.fingerprint ?? null

export async function keepFingerprint(db: Queryable, fingerprint: string, stillNeeded: string | null = null) {
  await db.query(sql`
    insert into secret_fingerprint (fingerprint, still_needed) values (${fingerprint}, ${stillNeeded})
    on conflict (single) do update set fingerprint = excluded.fingerprint, still_needed = excluded.still_needed
  `)
}

/** Returns false if an instance has changed the key meanwhile. */
export const endFormerKey = (db: Queryable, fingerprint: string) =>
  db.any(sql`
    update secret_fingerprint set still_needed = null where fingerprint = ${fingerprint} returning single
  `)
