import { openDb } from '../../src/db/base/pool.ts'
import { book } from '../lib/booking.ts'
import { compare } from '../lib/compare.ts'
import { cpuMsOf, flat } from '../lib/flat.ts'
import { makePastYear } from '../lib/past-year.ts'
import { progress } from '../lib/progress.ts'
import { readings } from '../lib/readings.ts'
import { type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { residentMegabytes } from '../lib/usage.ts'

const alone = { args: ['--without-jobs'] }

/** The CPU cost of common operations, in turns on a small database and on one with a year of data. */
export const yearOfData = (): Promise<Row[]> =>
  onStage(small => onStage(large => besideEachOther(small, large), alone), alone)

async function besideEachOther(small: Stage, large: Stage): Promise<Row[]> {
  const sides = [await sideOf(large), await sideOf(small)] as const
  const begun = performance.now()
  await makePastYear(large.service, name => progress(`  ${name}`))
  progress(`  a year in ${Math.round((performance.now() - begun) / 1000)} s`)
  // Like the large database, and like any after a minute.
  await withSql(small.service, client => client.query('vacuum analyze'))
  const memory = sides.map(({ pid }) => residentMegabytes(pid))
  const rows: Row[] = []
  for (const name of Object.keys(sides[0].readings)) {
    progress(`  ${name}`)
    const [ours, limit] = sides.map(side => () => cpuMsOf(side.readings[name]!, side.pid)) as [
      Measure,
      Measure,
    ]
    rows.push(flat(name, await compare(ours, limit)))
  }
  rows.push(
    reported(
      'resident memory before and after all of it',
      sides.map(({ pid }, index) => megabytes(memory[index]!, residentMegabytes(pid))).join('; small: '),
    ),
  )
  for (const { db } of sides) await db.close()
  return rows
}

type Measure = () => Promise<number>

const megabytes = (before: number, after: number) => `${before.toFixed(0)} and ${after.toFixed(0)} MB`

async function sideOf({ service, seeded }: Stage) {
  const slots = await freeSlots(service, seeded)
  await someOfEach(service, slots)
  const db = openDb(service.database)
  const provider = await withSql(service, async client => {
    const { rows } = await client.query('select uuid from provider where reference = $1', [seeded.provider])
    return rows[0].uuid as string
  })
  return { pid: service.pid, db, readings: readings({ service, seeded, slots, db, provider }) }
}

/**
 * Gives the small database what the readings look for: whole pages of Customers, of failed emails and of kept
 * ones.
 */
async function someOfEach(service: Running, slots: FreeSlot[]) {
  for (let time = 0; time < 120; time++) await book(service, slots.shift()!)
  await withSql(service, async client => {
    await client.query(
      "update mail set state = case when id % 2 = 0 then 'failed' else 'kept' end where kind in ('booked', 'booking-notice')",
    )
  })
}
