import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

export type Logo = { type: string; bytes: Buffer }

/** Each new image gets a new uuid, so that caches never show the old one for it. */
export async function putLogo(tx: Queryable, providerId: number, { type, bytes }: Logo): Promise<string> {
  const rows = await tx.query<{ uuid: string }>(sql`
    insert into logo (provider_id, type, bytes) values (${providerId}, ${type}, ${bytes})
    on conflict (provider_id) do update
    set uuid = case when logo.bytes = excluded.bytes then logo.uuid else gen_random_uuid() end, type = excluded.type, bytes = excluded.bytes
    returning uuid
  `)
  return rows[0]!.uuid
}

export async function findLogo(db: Queryable, uuid: string): Promise<Logo | null> {
  const rows = await db.query<Logo>(sql`select type, bytes from logo where uuid = ${uuid}`)
  return rows[0] ?? null
}

export async function deleteLogo(tx: Queryable, providerId: number) {
  await tx.query(sql`delete from logo where provider_id = ${providerId}`)
}
