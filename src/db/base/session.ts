import type pg from 'pg'

// Our statements are short, and planning one takes ten times as long as running it. PostgreSQL would plan them anew for
// each set of parameters where it believes that this pays; it never does here. And none of them is meant to read a whole
// table, as scans and hash and merge joins do: what looks like the shorter way while a table is small stays planned when it
// has grown.
const planner = `
  set plan_cache_mode = force_generic_plan; set jit = off;
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`

/**
 * For each new connection. Not awaited: it travels with the first statement, and a connection that cannot do this cannot do
 * that either.
 */
export function prepareSession(client: pg.PoolClient) {
  client.query(planner).catch(() => {})
}
