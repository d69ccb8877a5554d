import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// Stored answers to requests that may be repeated, kept for a day. `id` is a hash of the caller and its key.

/** False while another transaction, on any instance, works on the same request. */
export const lockRequest = (tx: Queryable, id: Buffer) =>
  tx.value<boolean>(sql`
    select pg_try_advisory_xact_lock(${id.readBigInt64BE().toString()}::bigint) as locked
  `)

type KeptAnswer = { digest: Buffer; answer: Buffer }

export const findKeptAnswer = (tx: Queryable, id: Buffer) =>
  tx.first<KeptAnswer>(sql`
    select digest, answer from kept_answer where id = ${id} and kept_at > app_clock() - interval '24 hours'
  `)

/** Replaces an answer older than a day. */
export async function keepAnswer(tx: Queryable, id: Buffer, { digest, answer }: KeptAnswer) {
  await tx.query(sql`
    insert into kept_answer (id, digest, answer, kept_at) values (${id}, ${digest}, ${answer}, app_clock())
    on conflict (id) do update set digest = excluded.digest, answer = excluded.answer, kept_at = excluded.kept_at
  `)
}

/**
 * Reserves the name while its work waits for something outside the database, for which no transaction may
 * stay open. A claim is a row without an answer, dated a day back, so no version of the program takes it for
 * an answer. False while another request has claimed it.
 */
export const claimRequest = (tx: Queryable, id: Buffer, digest: Buffer) =>
  tx.any(sql`
    insert into kept_answer as known (id, digest, answer, kept_at)
    values (${id}, ${digest}, '', app_clock() - interval '24 hours')
    on conflict (id) do update set digest = excluded.digest, answer = excluded.answer, kept_at = excluded.kept_at
    where known.answer <> '' or known.kept_at <= app_clock() - interval '24 hours 1 minute'
    returning true
  `)

export async function endClaim(db: Queryable, id: Buffer) {
  await db.query(sql`delete from kept_answer where id = ${id} and answer = ''`)
}

/** The claim of a dead process lasts one minute. */
export async function deleteOldAnswers(db: Queryable) {
  await db.query(sql`
    delete from kept_answer where kept_at <= app_now() - interval '24 hours'
      and (answer <> '' or kept_at <= app_now() - interval '24 hours 1 minute')
  `)
}
