import type pg from 'pg'

/** Shifted by tests and sandboxes only; see app_now() in the baseline. */
export type Clock = { shiftMs: number }

const shifts = new WeakMap<pg.PoolClient, number>()

export async function followClock(client: pg.PoolClient, { shiftMs }: Clock) {
  if (shiftMs === (shifts.get(client) ?? 0)) return
  await client.query(`set holdfast.clock_shift = '${shiftMs} milliseconds'`)
  shifts.set(client, shiftMs)
}
