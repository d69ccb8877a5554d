import { purge } from '../../src/actions/scheduling/retention.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { book } from '../lib/booking.ts'
import { compare } from '../lib/compare.ts'
import { insideService } from '../lib/inside-service.ts'
import { makePastYear } from '../lib/past-year.ts'
import { progress } from '../lib/progress.ts'
import { atMost, type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { busyMs, busySince } from '../lib/usage.ts'
import { bookPairs } from './reserve.ts'

/** A tenth of the year is 100,000 bookings, 200,000 emails and 20,000 Customers: what a month leaves. */
const month = 0.1

const most = 1.1

/**
 * Whole bookings while old emails are cleared and old Customers erased, as the nightly job does, compared
 * with bookings alone. Measured in CPU time of both together: on a busy machine, what the purge uses is
 * missing for bookings.
 */
export const purgeMonth = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const slots = await freeSlots(stage.service, stage.seeded)
      // A template for the emails of the others.
      await book(stage.service, slots.shift()!)
      await makePastYear(stage.service, name => progress(`  ${name}`), month)
      await makePeopleOld(stage.service)
      const booking = bookPairs(slots, stage.service, stage.load)
      const rows: Row[] = []
      for (const [what, config] of Object.entries(kinds)) {
        progress(`  ${what}`)
        const purged = { count: 0, seconds: 0 }
        // Kept open throughout, like the service's own connections.
        const db = openDb(stage.service.database)
        const beside = await compare(
          () => besidePurge(stage, db, booking, config, purged),
          () => cpuMsOfAPair(stage, booking),
        )
        await db.close()
        rows.push(
          atMost(`a pair, and of what old ${what} meanwhile, beside a pair`, 'ms of CPU', beside, most),
          reported(`old ${what} meanwhile`, `${(purged.count / purged.seconds).toFixed(0)} a second`),
        )
      }
      return rows
    },
    // Twenty rounds of two seconds need more slots than the usual 50 Resources have.
    { args: ['--without-jobs'], data: { resources: 80 } },
  )

const kinds = {
  'mails are emptied': { retentionMailDays: 5, retentionCustomerMonths: null },
  'Customers are erased': { retentionMailDays: null, retentionCustomerMonths: 1 },
}

/** The CPU time of the service, its PostgreSQL, and this process, which runs the purge. */
async function cpuMsOfAPair({ service }: Stage, work: () => Promise<{ count: number }>) {
  const before = busyMs(service.pid)
  const own = process.cpuUsage()
  const { count } = await work()
  const { user, system } = process.cpuUsage(own)
  return (busySince(service.pid, before) + (user + system) / 1000) / count
}

/** The nightly job itself: it stops between two steps, as when the service shuts down. */
async function besidePurge(
  stage: Stage,
  db: Db,
  booking: () => Promise<{ count: number }>,
  config: (typeof kinds)[keyof typeof kinds],
  purged: { count: number; seconds: number },
) {
  const inside = insideService(db, config)
  return cpuMsOfAPair(stage, async () => {
    const begun = performance.now()
    const purging = purge(inside, { dryRun: false })
    const outcome = await booking()
    inside.health.isDraining = true
    const { mails, customers } = await purging
    purged.count += mails + customers
    purged.seconds += (performance.now() - begun) / 1000
    return outcome
  })
}

/** Customers whose bookings are past the retention period in half of the cases. */
const makePeopleOld = (service: Running) =>
  withSql(service, async client => {
    await client.query(
      "update customer set created_at = created_at - interval '1 year', invited = false where reference like 'year-%'",
    )
    await client.query('vacuum analyze customer')
  })
