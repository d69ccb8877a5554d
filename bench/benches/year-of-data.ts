import { openDb } from '../../src/db/base/pool.ts'
import { book } from '../lib/booking.ts'
import { short, spread } from '../lib/compare.ts'
import { makePastYear } from '../lib/past-year.ts'
import { progress } from '../lib/progress.ts'
import { readings } from '../lib/readings.ts'
import { type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots, type Seeded } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { residentMegabytes } from '../lib/usage.ts'

const most = 1.25
const times = 30

/** What people, integrators and jobs do, timed on a small database and on one with a year behind it. */
export const yearOfData = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded }) => {
      const slots = await freeSlots(service, seeded)
      await someOfEach(service, slots)
      const before = await timeAll(service, seeded, slots)
      const memory = residentMegabytes(service.pid)
      const begun = performance.now()
      await makePastYear(service, name => progress(`  ${name}`))
      progress(`  a year in ${Math.round((performance.now() - begun) / 1000)} s`)
      const after = await timeAll(service, seeded, slots)
      return [
        ...[...before].map(([name, small]) => beside(name, small, after.get(name)!)),
        reported(
          'resident memory before and after',
          `${memory.toFixed(0)} and ${residentMegabytes(service.pid).toFixed(0)} MB`,
        ),
      ]
    },
    { args: ['--without-jobs'] },
  )

/** So that what is looked for is there before the year, too: a page of mails that failed and of some that are kept. */
async function someOfEach(service: Running, slots: FreeSlot[]) {
  for (let time = 0; time < 60; time++) await book(service, slots.shift()!)
  await withSql(service, async client => {
    await client.query(
      "update mail set state = case when id % 2 = 0 then 'failed' else 'kept' end where kind in ('booked', 'booking-notice')",
    )
  })
}

const beside = (name: string, small: number, large: number): Row => ({
  ...reported(name, `${short(large)} ms`, `at most ${most}`),
  limit: `${short(small)} ms`,
  ratio: (large / small).toFixed(2),
  // What takes a millisecond is as good as flat.
  reached: large / small <= most || large - small < 1,
})

async function timeAll(service: Running, seeded: Seeded, slots: FreeSlot[]) {
  const db = openDb(service.database)
  const provider = await withSql(service, async client => {
    const { rows } = await client.query('select uuid from provider where reference = $1', [seeded.provider])
    return rows[0].uuid as string
  })
  const figures = new Map<string, number>()
  for (const [name, { prepare, work }] of Object.entries(
    readings({ service, seeded, slots, db, provider }),
  )) {
    const taken: number[] = []
    for (let time = -5; time < times; time++) {
      const prepared = (await prepare?.()) ?? ''
      const begun = performance.now()
      await work(prepared)
      if (time >= 0) taken.push(performance.now() - begun)
    }
    figures.set(name, spread(taken).median)
    progress(`  ${name}: ${short(figures.get(name)!)} ms`)
  }
  await db.close()
  return figures
}
