import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// Answers to requests that may be sent again, kept for a day. `id` is a hash of who asks and under which key.

/** False while another transaction, here or on another instance, works on the same request. */
export async function lockRequest(tx: Queryable, id: Buffer): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(${id.readBigInt64BE().toString()}::bigint) as locked
  `)
  return row!.locked
}

type KeptAnswer = { digest: Buffer; answer: Buffer }

export async function findKeptAnswer(tx: Queryable, id: Buffer): Promise<KeptAnswer | null> {
  const rows = await tx.query<KeptAnswer>(sql`
    select digest, answer from kept_answer where id = ${id} and kept_at > app_clock() - interval '24 hours'
  `)
  return rows[0] ?? null
}

/** In the place of one that is older than a day. */
export async function keepAnswer(tx: Queryable, id: Buffer, { digest, answer }: KeptAnswer) {
  await tx.query(sql`
    insert into kept_answer (id, digest, answer, kept_at) values (${id}, ${digest}, ${answer}, app_clock())
    on conflict (id) do update set digest = excluded.digest, answer = excluded.answer, kept_at = excluded.kept_at
  `)
}

export async function forgetOldAnswers(db: Queryable) {
  await db.query(sql`delete from kept_answer where kept_at <= app_now() - interval '24 hours'`)
}
