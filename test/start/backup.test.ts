import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { resumeOutgoing } from '../../src/db/base/outgoing-pause.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { keepFingerprint } from '../../src/db/base/secret-fingerprint.ts'
import { insertEvents, logStart, readEvents } from '../../src/db/events.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { serviceActor } from '../../src/rules/messages/events.ts'
import { backUp, openBackup, restore } from '../../src/start/backup.ts'
import { makeService } from '../../src/start/make-service.ts'
import { startWorker } from '../../src/start/worker.ts'
import { makePractice, type Practice } from '../support/build.ts'
import { asConsumer, type Consumer, overApp } from '../support/consumer.ts'
import { addressOf, emptyDatabase } from '../support/databases.ts'
import { importsOf, planOf } from '../support/imports.ts'
import { newDataDir, run } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { roomsOf } from '../support/rooms.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

// Creates and discards a second PostgreSQL; the limit is only reached if something hangs.
vi.setConfig({ testTimeout: 120_000 })

const secret = 's'.repeat(32)
const folder = mkdtempSync(join(tmpdir(), 'holdfast-backup-'))
const file = join(folder, 'all.backup')

let holdfast: TestService
let practice: Practice
let consumer: Consumer
let receiver: Receiver
const { roomWith, slots, book } = roomsOf(() => ({ holdfast, practice, consumer }))
beforeAll(async () => {
  holdfast = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' })
  receiver = await startReceiver()
  await holdfast.crm.post('/webhooks', { url: receiver.url, kinds: ['participation.booked'] })
  practice = await makePractice(holdfast.crm)
  consumer = asConsumer(overApp(holdfast.app))
  const room = await roomWith()
  for (const slot of await slots(room)) await book(room, slot, { lastname: 'Tab\tand \\ and\nnewline' })
  await backUp(holdfast.connection, file)
})
afterAll(async () => {
  await holdfast.close()
  await receiver.close()
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

const jobsWith = async (db: Db, condition: string): Promise<number> =>
  (await db.pool.query(`select from graphile_worker.jobs where ${condition}`)).rowCount ?? 0

const rowsOf = async (db: Db, table: string) =>
  (await db.pool.query(`select * from ${table} order by 1, 2, 3`)).rows

it('continues the imports that were in progress when the backup was made', async () => {
  const { call, upload, check, start } = importsOf(holdfast)
  const list = (name: string) =>
    upload(practice, `First name,Last name,Email\n${name},Row,${name}@example.org\n`)
  const [checking, running, undoing, idle] = [
    await list('ann'),
    await list('bob'),
    await list('cleo'),
    await list('dan'),
  ]
  for (const page of [running, undoing]) await start(await check(page))
  await importsOf(holdfast).work(undoing.uuid)
  expect((await call('POST', `/imports/${undoing.uuid}/undo`)).status).toBe(200)
  expect((await call('POST', `/imports/${checking.uuid}/check`, planOf(checking))).status).toBe(200)
  const from = join(folder, 'importing.backup')
  await backUp(holdfast.connection, from)
  const { db, connection } = await restored(from)
  const stateOf = async ({ uuid }: { uuid: string }) =>
    (await db.pool.query('select state from data_import where uuid = $1', [uuid])).rows[0].state
  const states = () => Promise.all([checking, running, undoing, idle].map(stateOf))
  expect(await states()).toEqual(['CHECKING', 'RUNNING', 'UNDOING', 'UPLOADED'])
  const config = readConfig({ LOG_LEVEL: 'silent', SECRET_KEY: secret })
  const service = makeService({ config, db, signer: makeSigner(secret), baseUrl: '' })
  const worker = startWorker(service, connection, holdfast.app.log)
  onTestFinished(() => worker.stop())
  await eventually(async () => (await states()).join() === 'CHECKED,DONE,UNDONE,UPLOADED')
  const people = await db.pool.query(
    `select email from customer where email in ('bob@example.org', 'cleo@example.org')`,
  )
  expect(people.rows).toEqual([{ email: 'bob@example.org' }])
})

it('restores every row unchanged, and ids continue where they were', async () => {
  const { db } = await restored()
  for (const table of ['crm', 'api_key', 'app_user', 'resource', 'appointment', 'participation', 'mail'])
    expect(await rowsOf(db, table), table).toEqual(await rowsOf(holdfast.service.db, table))
  const next = async (one: Db) =>
    (await one.pool.query(`select nextval(pg_get_serial_sequence('mail', 'id')) as id`)).rows[0].id
  expect(Number(await next(db))).toBe(Number(await next(holdfast.service.db)))
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([])
})

it('is a consistent snapshot, whatever is booked while it is written', async () => {
  const busy = join(folder, 'busy.backup')
  const rooms = await Promise.all([roomWith(), roomWith(), roomWith()])
  const booking = Promise.all(
    rooms.map(async room => {
      for (const slot of await slots(room)) await book(room, slot)
    }),
  )
  await backUp(holdfast.connection, busy)
  await booking
  const { db } = await restored(busy)
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([])
})

it('emails and webhooks are paused after a restore until the operator resumes them, then sent once', async () => {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.close())
  const { db, connection } = await restored()
  const config = readConfig({
    SMTP_URL: smtp.url,
    BASE_URL: 'http://holdfast.test',
    WEBHOOK_ALLOW_PRIVATE: '1',
  })
  const service = makeService({ config, db, signer: makeSigner(secret), baseUrl: config.baseUrl! })
  const { rows } = await db.pool.query(
    `select recipient from mail where kind = 'booked' and state = 'queued'`,
  )
  expect(rows.length).toBe(4)
  const worker = startWorker(service, connection, { warn() {} })
  onTestFinished(() => worker.stop())
  // A later job of another kind has run, so the queue was polled for everything it may hand out.
  await db.pool.query(`select graphile_worker.add_job('tidy', job_key => 'later')`)
  await eventually(async () => (await jobsWith(db, `key = 'later'`)) === 0, 60)
  expect(smtp.tried).toEqual([])
  expect(receiver.received).toEqual([])
  expect(await jobsWith(db, `task_identifier = 'deliver-mail' and attempts > 0`)).toBe(0)

  expect(await resumeOutgoing(db)).toBe(true)
  await eventually(async () => receiver.received.length >= 4, 60)
  await eventually(async () => rows.every(({ recipient }) => smtp.to(recipient).length === 1), 60)
})

it('the event log continues after the restored events, in a new era', async () => {
  const { db } = await restored()
  const [crm] = await rowsOf(db, 'crm')
  const before = await readEvents(db, crm.id, logStart, 500)
  expect(before.map(event => event.uuid)).toEqual(
    (await readEvents(holdfast.service.db, crm.id, logStart, 500))
      .slice(0, before.length)
      .map(event => event.uuid),
  )
  await insertEvents(db, [
    { kind: 'settings.changed', actor: serviceActor, crmId: crm.id, providerId: null, subject: null },
  ])
  const after = await readEvents(db, crm.id, before.at(-1)!, 500)
  expect(after).toMatchObject([{ kind: 'settings.changed', era: 2 }])
})

it('restores into an empty database only, and leaves it empty if the file is damaged', async () => {
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

it('verify finds an oversold slot, a missing email and a row of another Provider', async () => {
  const { db } = await restored()
  // Otherwise waiting emails would also miss the first email of their job.
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

it('verify finds waiting emails without a job', async () => {
  const { db } = await restored()
  const waiting = await db.pool.query(`select id from mail where state = 'queued'`)
  await db.pool.query(`delete from graphile_worker._private_jobs`)
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong).toEqual([{ name: 'every mail that waits will be sent', violations: waiting.rows.length }])
})

it('verify finds a booking whose Appointment is missing', async () => {
  const { db } = await restored()
  await db.pool.query(
    `update appointment set deleted_at = now() where id = (select max(appointment_id) from participation where state = 'BOOKED')`,
  )
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong.map(one => one.name)).toEqual(['every Participation has its Appointment'])
})

it('verify finds a channel of another Provider', async () => {
  const { db } = await restored()
  await db.pool.query(`update channel set provider_id = -1 where id = (select max(id) from channel)`)
  const wrong = (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(wrong.map(one => one.name)).toEqual(['everything is of the Provider that it stands with'])
})

it('verify finds overlapping consumer Appointments, unless they share a claim', async () => {
  const { db } = await restored()
  await db.pool.query('alter table appointment drop constraint appointment_no_overlap')
  const copy = (claim: string) => `
    insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from,
      blocked_to, capacity, accept_bookings, claim)
    select provider_id, resource_id, product_id, 'copy-' || ${claim}::text, origin, start_at, end_at,
      blocked_from, blocked_to, capacity, accept_bookings, nullif(${claim}, 0) from appointment
    where id = (select min(id) from appointment where origin = 'consumer')`
  await db.pool.query(copy('id'))
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([])
  await db.pool.query(copy('0'))
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([
    { name: 'no two Appointments of consumers are at one place at one time', violations: 1 },
  ])
})

it('a restored database has statistics, and each check reads its rows once or twice', async () => {
  const { db, connection } = await restored()
  const { rows: without } = await db.pool.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples < 0`,
  )
  expect(without).toEqual([])

  const many = 3_000
  await db.pool.query(
    `insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from,
      blocked_to, capacity, accept_bookings)
    select provider_id, resource_id, product_id, 'many-' || hour, origin, at, at + interval '1 hour', at, at + interval '1 hour', 1, true
    from (select * from appointment where origin = 'consumer' order by id limit 1) as one, generate_series(1, ${many}) as hour,
      lateral (select date_trunc('day', start_at) + interval '1 year' + hour * interval '1 hour' as at) as free`,
  )
  const client = new pg.Client(connection as pg.ClientConfig)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('analyze')
  await client.query('begin')
  const findings = await checkInvariants(client)
  expect(findings.filter(one => one.violations > 0)).toEqual([])
  const { rows } = await client.query(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_xact_user_tables where relname = 'appointment'`,
  )
  expect(rows[0].count).toBeLessThan(many * 8)
})

it('a full disk is reported, fails the command and leaves no partial file', async () => {
  const env = { DATABASE_URL: addressOf(holdfast.connection), SECRET_KEY: secret }
  const target = join(folder, 'full.backup')
  // Every write to this device fails like on a full disk.
  symlinkSync('/dev/full', `${target}.part`)
  const full = await run(['backup', target], env)
  expect(full).toEqual({
    code: 1,
    output: `Cannot write ${target}: the disk is full. Free some space or choose another disk, then run it again.\n`,
  })
  expect(existsSync(target)).toBe(false)
  expect(lstatSync(`${target}.part`, { throwIfNoEntry: false })).toBeUndefined()

  const exported = join(folder, 'full.crm')
  symlinkSync('/dev/full', exported)
  const tenant = await run(['crm', 'export', 'crm', '--to', exported], env)
  expect(tenant).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Cannot write .*: the disk is full/),
  })
  expect(lstatSync(exported, { throwIfNoEntry: false })).toBeUndefined()
})

it('the commands back up, verify and restore, and require the same SECRET_KEY', async () => {
  const SECRET_KEY = secret
  const target = join(folder, 'cli.backup')
  const made = await run(['backup', target], { DATABASE_URL: addressOf(holdfast.connection), SECRET_KEY })
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining(`Wrote ${target}`) })

  const verified = await run(['backup', 'verify', target], {})
  expect(verified.output).toMatch(/Written 0 minutes ago .*\n +CRMs +2\n/)
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The backup is valid.') })

  // Restores into the embedded PostgreSQL, in a new folder.
  const DATA_DIR = newDataDir()
  await keepFingerprint(holdfast.service.db, 'other')
  const strange = join(folder, 'strange.backup')
  await backUp(holdfast.connection, strange)
  const refused = await run(['restore', strange], { DATA_DIR, SECRET_KEY })
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('SECRET_KEY is not the one') })
  const done = await run(['restore', strange, '--new-secret', '--json'], { DATA_DIR, SECRET_KEY })
  expect(JSON.parse(done.output)).toMatchObject({ rows: { crm: 2 }, version: expect.any(String) })
  const listed = await run(['crm', 'list'], { DATA_DIR, SECRET_KEY })
  expect(listed.output).toContain('crm')
})
