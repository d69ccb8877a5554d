import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp, inspect, openBackup } from '../../src/start/backup.ts'
import { book } from '../lib/booking.ts'
import { makePastYear } from '../lib/past-year.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'

/** Shares of a million bookings. */
const scales = [0.05, 0.2]

/** Backs up and verifies databases of two sizes, to show that the time grows with the rows and not faster. */
export const backupVerify = async (): Promise<Row[]> => {
  const rows: Row[] = []
  const perBooking: number[] = []
  for (const scale of scales) {
    const { bookings, written, verified, bytes } = await measure(scale)
    perBooking.push(verified / bookings)
    rows.push(
      reported(
        `${bookings.toLocaleString('en')} bookings: backup, backup verify`,
        `${written.toFixed(1)} s, ${verified.toFixed(1)} s, ${(bytes / 1024 / 1024).toFixed(0)} MB`,
      ),
    )
  }
  const growth = perBooking[1]! / perBooking[0]!
  return [...rows, reported('... time per booking, the larger to the smaller', growth.toFixed(2))]
}

const measure = (scale: number) =>
  onStage(async ({ service, seeded }) => {
    await book(service, (await freeSlots(service, seeded)).shift()!)
    await makePastYear(service, name => progress(`  ${name}`), scale)
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
    try {
      const file = join(folder, 'bench.backup')
      const written = await secondsOf(() => backUp(service.database, file))
      progress(`  backup ${written.toFixed(1)} s`)
      let bookings = 0
      const verified = await secondsOf(async () => {
        const { loaded, findings } = await inspect(await openBackup(file))
        bookings = loaded.rows.get('participation') ?? 0
        const wrong = findings.filter(one => one.violations > 0).map(one => one.name)
        if (wrong.length > 0) throw new Error(`The backup is not valid: ${wrong.join(', ')}.`)
      })
      progress(`  backup verify ${verified.toFixed(1)} s`)
      return { bookings, written, verified, bytes: statSync(file).size }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}
