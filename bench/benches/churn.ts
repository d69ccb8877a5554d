import {
  appointmentsWithExpiredHolds,
  cleanUpIdle,
  deleteGoneAppointments,
} from '../../src/db/base/ledger.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { short } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { holdRequest, pairRequests } from './reserve.ts'

/** HOLDS=60000 makes a shorter run. */
const wanted = Number(process.env.HOLDS ?? 300_000)
const [mostGrowth, mostSlower] = [2, 1.15]
const hotTables = ['appointment', 'participation', 'resource']

/** Holds per booking that is made and cancelled. */
const holdsForEachStay = 6

/**
 * Abandoned holds, again and again at the same Resources, and some bookings that are cancelled. Between
 * rounds the housekeeping clock is advanced, so an hour takes a moment and autovacuum gets no rest. The
 * baseline is the size of the same rows in freshly written tables.
 */
export const churn = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load }) => {
    const slots = await freeSlots(service, seeded)
    const requests = slots.map(holdRequest)
    const stays = slots.map((slot, index) => pairRequests(slot, index))
    const rates: number[] = []
    const { port } = service
    let made = 0
    let stayed = 0
    for (;;) {
      const work = { kind: 'once' as const, requests }
      const outcome = expectOnly(await load.run({ port, connections: 16, seconds: 600, work }), 200)
      made += outcome.count
      rates.push(outcome.perSecond)
      progress(`  ${made} holds: ${short(outcome.perSecond)} a second, ${(await sizes(service)).text}`)
      if (made >= wanted) break
      await tidyAll(service)
      while (stayed < made / holdsForEachStay) {
        const work = { kind: 'stays' as const, stays }
        stayed += expectOnly(await load.run({ port, connections: 16, seconds: 5, work }), 200, 204).count
      }
    }
    const grown = await sizes(service)
    await withSql(service, client => client.query(`vacuum full ${hotTables.join()}`))
    const fresh = await sizes(service)
    const growth = grown.total / fresh.total
    const slower = rates[0]! / rates.at(-1)!
    return [
      {
        ...reported(
          `${made} holds made and expired, ${stayed} booked and cancelled: tables and indexes to the same rows freshly written`,
          `${grown.text} and ${fresh.text}: ${growth.toFixed(2)}`,
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
      reported('the tables before', grown.each),
      reported('the tables freshly written', fresh.each),
    ]
  })

/** Expires all holds; their rows are deleted an hour later. */
async function tidyAll(service: Running) {
  const clock = { shiftMs: 2 * 3_600_000 }
  const db = openDb(service.database, clock)
  const appointments = await appointmentsWithExpiredHolds(db, 1000)
  await db.transaction(tx => cleanUpIdle(tx, appointments))
  clock.shiftMs *= 2
  await deleteGoneAppointments(db)
  await db.close()
}

const sizes = (service: Running) =>
  withSql(service, async client => {
    const { rows } = await client.query(
      `select relname, pg_relation_size(relid)::float8 / 1e6 as heap, pg_indexes_size(relid)::float8 / 1e6 as indexes,
        n_tup_hot_upd::float8 / greatest(n_tup_upd, 1) as hot, autovacuum_count::int as vacuums
      from pg_stat_user_tables where relname = any ($1) order by relname`,
      [hotTables],
    )
    const total = rows.reduce((sum, one) => sum + one.heap + one.indexes, 0)
    return {
      total,
      text: `${total.toFixed(1)} MB`,
      each: rows
        .map(
          one =>
            `${one.relname} ${one.heap.toFixed(1)} + ${one.indexes.toFixed(1)} MB, ${Math.round(one.hot * 100)} % HOT, ${one.vacuums} vacuums`,
        )
        .join('; '),
    }
  })
