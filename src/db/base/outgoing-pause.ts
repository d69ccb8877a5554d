import type pg from 'pg'
import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

export type OutgoingPause = { reason: string; since: number }

/** Null unless emails and webhooks are paused. */
export const readPause = (db: Queryable) =>
  db.first<OutgoingPause>(sql`select reason, since from outgoing_pause`)

/** The same on the connection of `/readyz`. */
export async function probePause(probe: pg.Pool): Promise<OutgoingPause | null> {
  const { rows } = await probe.query<{ reason: string; since: Date }>(
    'select reason, since from outgoing_pause',
  )
  return rows[0] ? { reason: rows[0].reason, since: Number(rows[0].since) } : null
}

/** An existing pause keeps its reason and start. */
export async function pauseOutgoing(db: Queryable, reason: string) {
  await db.query(sql`insert into outgoing_pause (reason) values (${reason}) on conflict (single) do nothing`)
}

/** False if nothing was paused. */
export const resumeOutgoing = (db: Queryable) => db.any(sql`delete from outgoing_pause returning single`)
