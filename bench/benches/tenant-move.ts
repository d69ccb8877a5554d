import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/db/base/pool.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { moveTenant } from '../../src/start/move-tenant.ts'
import { book } from '../lib/booking.ts'
import { makePastYear } from '../lib/past-year.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots } from '../lib/seed.ts'
import { crm as crmName, type Running, startService, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'

/** 100,000 bookings, with their people, emails and events. */
const scale = 0.1

/**
 * Moves a CRM while visitors book, and reports how long it was closed and whether each confirmed booking
 * arrived.
 */
export const tenantMove = (): Promise<Row[]> =>
  onStage(async ({ service, seeded }) => {
    const slots = await freeSlots(service, seeded)
    await book(service, slots.shift()!)
    await makePastYear(service, name => progress(`  ${name}`), scale)
    const target = await startService({
      env: { BOOTSTRAP_CRM: 'resident', BOOTSTRAP_API_KEY: `hf_other_${'o'.repeat(32)}` },
    })
    try {
      const db = openDb(service.database)
      const crm = (await findCrm(db, crmName))!
      await db.close()
      const visitors = bookUntilRefused(service, slots)
      const begun = performance.now()
      const moved = await moveTenant({
        crm,
        source: sideOf(service),
        target: sideOf(target),
        address: target.origin,
        pauseSeconds: Number(process.env.PAUSE ?? 5),
        step: (name, detail = '') => progress(`  ${name} ${detail}`),
      })
      const seconds = (performance.now() - begun) / 1000
      const confirmed = await visitors.stop()
      const [before, after] = await Promise.all([countBooked(service), countBooked(target)])
      return [
        reported(
          'a CRM with 100,000 bookings moves: closed',
          `${(moved.suspendedMs / 1000).toFixed(2)} s`,
          'at most 5 s',
        ),
        reported('... altogether', `${seconds.toFixed(0)} s, ${moved.attempts} attempts`),
        reported('... booked meanwhile', `${confirmed}; ${before - after} of ${before} bookings missing`),
      ]
    } finally {
      await target.stop()
    }
  })

const sideOf = ({ database, dataDir }: Running) => ({
  connection: database,
  signer: makeSigner(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()),
  name: dataDir,
})

function bookUntilRefused(service: Running, slots: FreeSlot[]) {
  let isStopped = false
  let confirmed = 0
  const visitor = async () => {
    while (!isStopped) {
      const slot = slots.shift()
      if (!slot) return
      await book(service, slot).then(
        () => confirmed++,
        () => {},
      )
    }
  }
  const running = Promise.all([visitor(), visitor()])
  return {
    async stop() {
      isStopped = true
      await running
      return confirmed
    },
  }
}

const countBooked = (service: Running) =>
  withSql(service, async client => {
    const { rows } = await client.query(
      `select count(*)::integer as count from participation where state = 'BOOKED'`,
    )
    return rows[0].count as number
  })
