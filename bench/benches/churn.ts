import { forgetGoneAppointments, lockById, resourcesToTidy } from '../../src/db/base/ledger.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { short } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { holdRequest } from './reserve.ts'

/** HOLDS=60000 makes a shorter run of it. */
const wanted = Number(process.env.HOLDS ?? 300_000)
const [mostGrowth, mostSlower] = [2, 1.15]
const hotTables = ['appointment', 'participation', 'resource']

/**
 * Holds that nobody completes, again and again at the same Resources. Between the rounds the clock of the housekeeping is
 * moved on: what takes an hour there takes a moment here, and no time to rest for the autovacuum.
 */
export const churn = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load }) => {
    const requests = (await freeSlots(service, seeded)).map(holdRequest)
    const clock = { shiftMs: 0 }
    const db = openDb(service.database, clock)
    const rates: number[] = []
    const totals: number[] = []
    let made = 0
    while (made < wanted) {
      const plan = {
        port: service.port,
        connections: 16,
        seconds: 60,
        work: { kind: 'once' as const, requests },
      }
      const outcome = expectOnly(await load.run(plan), 200)
      made += outcome.count
      clock.shiftMs += 2 * 3_600_000
      for (const id of await resourcesToTidy(db, 1000)) await db.transaction(tx => lockById(tx, id))
      clock.shiftMs += 2 * 3_600_000
      await forgetGoneAppointments(db)
      clock.shiftMs = 0
      rates.push(outcome.perSecond)
      totals.push((await sizes(service)).total)
      progress(
        `  ${made} holds: ${short(outcome.perSecond)} a second, ${(totals.at(-1)! / 1e6).toFixed(1)} MB`,
      )
    }
    await db.close()
    const { each } = await sizes(service)
    const growth = totals.at(-1)! / totals[0]!
    const slower = rates[0]! / rates.at(-1)!
    return [
      {
        ...reported(
          `${made} holds made and expired: tables and indexes to those after the first ${requests.length}`,
          growth.toFixed(2),
          `at most ${mostGrowth}`,
        ),
        reached: growth <= mostGrowth,
      },
      {
        ...reported(
          'reserve at first to reserve at last',
          `${short(rates[0]!)} and ${short(rates.at(-1)!)} a second: ${slower.toFixed(2)}`,
          `at most ${mostSlower}`,
        ),
        reached: slower <= mostSlower,
      },
      reported('the tables', each),
    ]
  })

const sizes = (service: Running) =>
  withSql(service, async client => {
    const { rows } = await client.query(
      `select relname, pg_relation_size(relid)::float8 / 1e6 as heap, pg_indexes_size(relid)::float8 / 1e6 as indexes,
        n_tup_hot_upd::float8 / greatest(n_tup_upd, 1) as hot, autovacuum_count::int as vacuums
      from pg_stat_user_tables where relname = any ($1) order by relname`,
      [hotTables],
    )
    return {
      total: rows.reduce((sum, one) => sum + (one.heap + one.indexes) * 1e6, 0),
      each: rows
        .map(
          one =>
            `${one.relname} ${one.heap.toFixed(1)} + ${one.indexes.toFixed(1)} MB, ${Math.round(one.hot * 100)} % HOT, ${one.vacuums} vacuums`,
        )
        .join('; '),
    }
  })
