import { setTimeout as pause } from 'node:timers/promises'
import { startBare } from '../lib/bare.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { bookPairs } from './reserve.ts'

const [mostDisk, mostLog] = [5, 9]
const fewest = 10_000

/** Disk space and write-ahead log per booking, including its two sent emails. */
export async function bytes(): Promise<Row[]> {
  const smtp = await startBare('smtp', {})
  try {
    return await onStage(
      async ({ service, seeded, load }) => {
        const book = bookPairs(await freeSlots(service, seeded), service, load)
        // One-time writes (new pages, full-page images) are not counted.
        await book()
        await allSent(service)
        const before = await sizes(service)
        let count = 0
        // At least this many, however busy the machine is, to spread PostgreSQL's periodic writes over many
        // bookings.
        while (count < fewest) count += (await book()).count
        await allSent(service)
        const after = await sizes(service)
        const grown = [...after.tables]
          .map(([name, size]) => ({ name, each: (size - (before.tables.get(name) ?? 0)) / count }))
          .filter(one => one.each >= 50)
          .sort((a, b) => b.each - a.each)
        const disk = grown.reduce((sum, one) => sum + one.each, 0) / 1024
        const log = (after.log - before.log) / count / 1024
        const row = (bench: string, kilobytes: number, most: number): Row => ({
          ...reported(bench, `${kilobytes.toFixed(2)} KB`, `at most ${most} KB`),
          reached: kilobytes <= most,
        })
        return [
          row('disk of a booking with two mails sent', disk, mostDisk),
          row('its write-ahead log', log, mostLog),
          reported('the disk in bytes', grown.map(one => `${one.name} ${Math.round(one.each)}`).join(', ')),
        ]
      },
      { env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'bench@example.org' } },
    )
  } finally {
    await smtp.stop()
  }
}

async function allSent(service: Running) {
  await withSql(service, async client => {
    for (;;) {
      const { rows } = await client.query("select count(*)::int as waiting from mail where state = 'queued'")
      if (rows[0].waiting === 0) return
      await pause(200)
    }
  })
}

/** The size of all tables with their indexes, after a vacuum and with up-to-date statistics. */
async function sizes(service: Running) {
  return withSql(service, async client => {
    await client.query('vacuum analyze')
    const { rows } = await client.query(
      "select relname as name, pg_total_relation_size(oid)::float8 as size from pg_class where relkind = 'r'",
    )
    const log = await client.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes")
    return {
      tables: new Map<string, number>(rows.map(one => [one.name, one.size])),
      log: log.rows[0].bytes as number,
    }
  })
}
