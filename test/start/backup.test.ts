import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { beginning, insertEvents, readEvents } from '../../src/db/events.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { theService } from '../../src/rules/news/events.ts'
import { backUp, openBackup, restore } from '../../src/start/backup.ts'
import { makeService } from '../../src/start/make-service.ts'
import { startWorker } from '../../src/start/worker.ts'
import { makePractice, type Practice } from '../support/build.ts'
import { asConsumer, type Consumer, overApp } from '../support/consumer.ts'
import { addressOf, emptyDatabase } from '../support/databases.ts'
import { newDataDir, run } from '../support/process.ts'
import { roomsOf } from '../support/rooms.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

// A second PostgreSQL is made and thrown away here: a limit that only something that hangs will reach.
vi.setConfig({ testTimeout: 120_000 })

const secret = 's'.repeat(32)
const folder = mkdtempSync(join(tmpdir(), 'holdfast-backup-'))
const file = join(folder, 'all.backup')

let test: TestService
let practice: Practice
let consumer: Consumer
const { roomWith, slots, book } = roomsOf(() => ({ test, practice, consumer }))
beforeAll(async () => {
  test = await startTestService()
  practice = await makePractice(test.crm)
  consumer = asConsumer(overApp(test.app))
  const room = await roomWith()
  for (const slot of await slots(room)) await book(room, slot, { lastname: 'Tab\tand \\ and\nnewline' })
  await backUp(test.connection, file)
})
afterAll(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

async function restored(
  from = file,
): Promise<{ db: Db; connection: Awaited<ReturnType<typeof emptyDatabase>> }> {
  const connection = await emptyDatabase()
  const db = openDb(connection)
  onTestFinished(() => db.close())
  await restore(connection, await openBackup(from))
  return { db, connection }
}

const rowsOf = async (db: Db, table: string) =>
  (await db.pool.query(`select * from ${table} order by 1, 2, 3`)).rows

it('brings every row back as it was, and ids go on where they were', async () => {
  const { db } = await restored()
  for (const table of ['crm', 'api_key', 'app_user', 'resource', 'appointment', 'participation', 'mail'])
    expect(await rowsOf(db, table), table).toEqual(await rowsOf(test.service.db, table))
  const next = async (one: Db) =>
    (await one.pool.query(`select nextval(pg_get_serial_sequence('mail', 'id')) as id`)).rows[0].id
  expect(Number(await next(db))).toBe(Number(await next(test.service.db)))
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([])
})

it('is of one moment, whatever is booked while it is written', async () => {
  const busy = join(folder, 'busy.backup')
  const rooms = await Promise.all([roomWith(), roomWith(), roomWith()])
  const booking = Promise.all(
    rooms.map(async room => {
      for (const slot of await slots(room)) await book(room, slot)
    }),
  )
  await backUp(test.connection, busy)
  await booking
  const { db } = await restored(busy)
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([])
})

it('mails that waited go out after a restore, once', async () => {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.close())
  const { db, connection } = await restored()
  const config = readConfig({ SMTP_URL: smtp.url, BASE_URL: 'http://holdfast.test' })
  const service = makeService({ config, db, signer: makeSigner(secret), baseUrl: config.baseUrl! })
  const { rows } = await db.pool.query(
    `select recipient from mail where kind = 'booked' and state = 'queued'`,
  )
  expect(rows.length).toBe(4)
  const worker = startWorker(service, connection, { warn() {} })
  onTestFinished(() => worker.stop())
  await eventually(async () => rows.every(({ recipient }) => smtp.to(recipient).length === 1), 60)
})

it('the log of events goes on behind what was restored, in a new era', async () => {
  const { db } = await restored()
  const [crm] = await rowsOf(db, 'crm')
  const before = await readEvents(db, crm.id, beginning, 500)
  expect(before.map(event => event.uuid)).toEqual(
    (await readEvents(test.service.db, crm.id, beginning, 500))
      .slice(0, before.length)
      .map(event => event.uuid),
  )
  await insertEvents(db, [
    { kind: 'settings.changed', actor: theService, crmId: crm.id, providerId: null, subject: null },
  ])
  const after = await readEvents(db, crm.id, before.at(-1)!, 500)
  expect(after).toMatchObject([{ kind: 'settings.changed', era: 2 }])
})

it('restores into an empty database only, and leaves it empty when the file is damaged', async () => {
  const { connection } = await restored()
  await expect(restore(connection, await openBackup(file))).rejects.toThrow('The database is not empty')

  const text = zstdDecompressSync(readFileSync(file)).toString()
  const damaged = join(folder, 'damaged.backup')
  const empty = await emptyDatabase()
  const restoreText = async (changed: string) => {
    writeFileSync(damaged, zstdCompressSync(changed))
    await restore(empty, await openBackup(damaged))
  }
  await expect(restoreText(text.replace('Practice', 'Prextice'))).rejects.toThrow('the rows of')
  await expect(restoreText(text.slice(0, text.lastIndexOf('{"end"')))).rejects.toThrow('the file ends early')
  await expect(restoreText(text.replace('"checksum":"', '"checksum":"0'))).rejects.toThrow('does not have')
  await restore(empty, await openBackup(file))

  const packed = readFileSync(file)
  for (const broken of [packed.subarray(0, packed.length - 200), 'something else']) {
    writeFileSync(damaged, broken)
    await expect(openBackup(damaged)).rejects.toThrow('no backup of Holdfast, or it is damaged')
  }
})

it('an oversold slot, a missing mail and a row of another Provider are found', async () => {
  const { db } = await restored()
  // Those that wait would miss the first one of their job, too.
  await db.pool.query(`update mail set state = 'sent'`)
  await db.pool.query(`delete from mail where id = (select max(id) from mail where kind = 'booked')`)
  await db.pool.query(`update appointment set capacity = 0 where id = (select max(id) from appointment)`)
  await db.pool.query(`update mail set crm_id = -1 where id = (select max(id) from mail)`)
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong.map(one => one.name)).toEqual([
    'nothing is oversold',
    'everything is of the Provider that it stands with',
    'every promised mail exists',
  ])
})

it('mails that wait without a job are found, whichever of them names the others', async () => {
  const { db } = await restored()
  const waiting = await db.pool.query(`select id from mail where state = 'queued'`)
  await db.pool.query(`delete from graphile_worker._private_jobs`)
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong).toEqual([{ name: 'every mail that waits will be sent', violations: waiting.rows.length }])
})

it('a booking in an Appointment that is gone is found', async () => {
  const { db } = await restored()
  await db.pool.query(
    `update appointment set deleted_at = now() where id = (select max(appointment_id) from participation where state = 'BOOKED')`,
  )
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong.map(one => one.name)).toEqual(['every Participation has its Appointment'])
})

it('a channel of another Provider is found', async () => {
  const { db } = await restored()
  await db.pool.query(`update channel set provider_id = -1 where id = (select max(id) from channel)`)
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong.map(one => one.name)).toEqual(['everything is of the Provider that it stands with'])
})

it('the command line backs up, verifies and restores, and wants the same SECRET_KEY', async () => {
  const SECRET_KEY = secret
  const target = join(folder, 'cli.backup')
  const made = await run(['backup', target], { DATABASE_URL: addressOf(test.connection), SECRET_KEY })
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining(`Wrote ${target}`) })

  const verified = await run(['backup', 'verify', target], {})
  expect(verified.output).toMatch(/Written 0 minutes ago .*\n +CRMs +2\n/)
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The backup is sound.') })

  // Into the service's own PostgreSQL, in a new folder.
  const DATA_DIR = newDataDir()
  await test.service.db.pool.query(`insert into secret_fingerprint (fingerprint) values ('other')`)
  const strange = join(folder, 'strange.backup')
  await backUp(test.connection, strange)
  const refused = await run(['restore', strange], { DATA_DIR, SECRET_KEY })
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('SECRET_KEY is not the one') })
  const done = await run(['restore', strange, '--new-secret', '--json'], { DATA_DIR, SECRET_KEY })
  expect(JSON.parse(done.output)).toMatchObject({ rows: { crm: 2 }, version: expect.any(String) })
  const listed = await run(['crm', 'list'], { DATA_DIR, SECRET_KEY })
  expect(listed.output).toContain('crm')
})
