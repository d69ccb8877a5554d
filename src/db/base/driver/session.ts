import type pg from 'pg'

/** How long to wait for the database, in seconds; 0: as long as it takes. */
export type Limits = { connect: number; statement: number; lock: number; idle: number }

// Our statements are short, and planning one takes ten times as long as running it. PostgreSQL would plan them anew for
// each set of parameters where it believes that this pays; it never does here. And none of them is meant to read a whole
// table, as scans and hash and merge joins do: what looks like the shorter way while a table is small stays planned when it
// has grown.
const planner = `
  set plan_cache_mode = force_generic_plan; set jit = off;
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;`

// A machine of ours that vanishes, without a goodbye, keeps its locks for as long as these allow.
const keepalives = `
  set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;`

/** For each new connection. Set here and not asked for when connecting: poolers refuse settings that they do not know. */
export async function prepareSession(
  client: pg.ClientBase,
  { statement, lock, idle }: Limits,
  planned: boolean,
) {
  const limits = `set statement_timeout = '${statement}s'; set lock_timeout = '${lock}s';
    set idle_in_transaction_session_timeout = '${idle}s';`
  await client.query(`${limits}${keepalives}${planned ? planner : ''}`)
}
