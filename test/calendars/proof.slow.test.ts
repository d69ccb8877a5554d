// What must hold over weeks: idle looks write nothing, many sources, sources that flap, and processes that die.

import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { importCalendar } from '../../src/actions/scheduling/calendars/import-calendar.ts'
import { makeCalendarClient } from '../../src/calendars/request.ts'
import { takeDueSources } from '../../src/db/scheduling/calendar-checks.ts'
import { startCalendarRefresh } from '../../src/start/calendar-refresh.ts'
import { makePractice, makeTimeslot, type Practice } from '../support/build.ts'
import { calendarWith, startCalendarServer } from '../support/calendar-server.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { eventually, useService } from '../support/service.ts'
import { dayIn } from '../support/widget.ts'

vi.setConfig({ testTimeout: 120_000 })

const env = { RATE_LIMIT_PUBLIC: '0', DEFAULT_TIME_ZONE: 'UTC', WEBHOOK_ALLOW_PRIVATE: '1' }
const holdfast = await useService(env)
const server = await startCalendarServer()
afterAll(() => server.close())

const day = dayIn(3)
const span = (from: string, to: string) => ({
  from: Date.parse(`${day}T${from}:00Z`),
  to: Date.parse(`${day}T${to}:00Z`),
})
const pathOf = ({ path, resource }: Practice) =>
  `${path}/resources/${encodeURIComponent(resource)}/calendar_sources`

/** Open on one day from 08:00 to 10:00. */
async function makeOpen() {
  const practice = await makePractice(holdfast.crm, { timeZone: 'UTC' })
  await makeTimeslot(holdfast.crm, practice, { start: `${day}T08:00`, end: `${day}T10:00` })
  return practice
}

async function connect(practice: Practice, address: string) {
  const { status, body } = await holdfast.crm.post(pathOf(practice), { kind: 'ics', address })
  expect(status).toBe(201)
  return body.source.uuid as string
}

async function importDue() {
  const worker = randomUUID()
  const taking = { limit: 100, ofOneProvider: 100, busyProviders: [], seconds: 60, worker }
  const due = await takeDueSources(holdfast.service.db, taking)
  for (const source of due) await importCalendar(holdfast.service, source, worker)
}

const consumer = asConsumer(overApp(holdfast.app))
const startsOf = async ({ resourceUuid }: Practice) =>
  slotsOf(await consumer.list(resourceUuid)).map(slot => slot.start.slice(11, 16))
const rows = (query: string, values: unknown[] = []) => holdfast.query(query, values)
const askNow = () => rows('update calendar_check set next_at = now()')
const revisionOf = async ({ resourceUuid }: Practice) =>
  Number((await rows('select revision from resource where uuid = $1', [resourceUuid]))[0].revision)

describe('over time', () => {
  it('1,000 idle looks change no row and no revision', async () => {
    const practice = await makeOpen()
    await connect(practice, server.serve('/idle.ics', calendarWith([span('08:00', '09:00')])))
    await importDue()
    const tables = ['calendar_source', 'busy_span', 'resource', 'event', 'mail']
    const state = () =>
      Promise.all(tables.map(table => rows(`select xmin::text, ctid::text from ${table} order by ctid`)))
    const before = await state()
    const count = server.requests.length
    for (let look = 0; look < 1000; look++) {
      await askNow()
      await importDue()
    }
    expect(server.requests.length - count).toBe(1000)
    expect(await state()).toEqual(before)
  })

  it('a source that flaps ends where it ends, with one revision a change', async () => {
    const practice = await makeOpen()
    await connect(practice, server.serve('/flap.ics', calendarWith([])))
    await importDue()
    const before = await revisionOf(practice)
    for (let turn = 1; turn <= 20; turn++) {
      server.serve('/flap.ics', calendarWith(turn % 2 ? [span('08:00', '09:00')] : []))
      await askNow()
      await importDue()
      expect(await startsOf(practice)).toHaveLength(turn % 2 ? 2 : 4)
    }
    expect(await revisionOf(practice)).toBe(before + 20)
  })

  it('50 sources of one Resource are read, and a 51st is refused', async () => {
    const practice = await makeOpen()
    for (let index = 0; index < 50; index++)
      await connect(
        practice,
        server.serve(`/many-${index}.ics`, calendarWith(index === 49 ? [span('08:00', '08:30')] : [])),
      )
    await importDue()
    expect(await startsOf(practice)).toEqual(['08:30', '09:00', '09:30'])
    const { status, body } = await holdfast.crm.post(pathOf(practice), {
      kind: 'ics',
      address: `${server.url}/x.ics`,
    })
    expect([status, body.errors[0].field]).toEqual([400, 'address'])
  })
})

describe('several processes', () => {
  it('read a source once, and a kept list notices a change within two seconds', async () => {
    const practice = await makeOpen()
    await rows(`update calendar_check set next_at = now() + interval '1 day'`)
    const log = { warn: () => {} }
    const loops = [startCalendarRefresh(holdfast.service, log), startCalendarRefresh(holdfast.service, log)]
    onTestFinished(async () => void (await Promise.all(loops.map(one => one.stop()))))
    const count = server.requests.length
    const uuid = await connect(practice, server.serve('/pair.ics', calendarWith([])))
    await eventually(
      async () => (await holdfast.crm.get(`${pathOf(practice)}/${uuid}`)).body.source.state === 'fresh',
    )
    await pause(1500)
    expect(server.requests.length - count).toBe(1)
    expect(await startsOf(practice)).toHaveLength(4)
    server.serve('/pair.ics', calendarWith([span('08:00', '09:00')]))
    await holdfast.crm.post(`${pathOf(practice)}/${uuid}/refresh`)
    const isImported = async () =>
      (
        await rows('select from busy_span where resource_id = (select id from resource where uuid = $1)', [
          practice.resourceUuid,
        ])
      ).length > 0
    await eventually(isImported)
    const imported = performance.now()
    await eventually(async () => (await startsOf(practice)).length === 2)
    expect(performance.now() - imported).toBeLessThan(2000)
  })

  it('killed while it reads, leaves nothing behind, and another goes on', async () => {
    const practice = await makeOpen()
    await rows(`update calendar_check set next_at = now() + interval '1 day'`)
    let asked = 0
    const address = server.answer('/killed.ics', () => void asked++)
    await connect(practice, address)
    const settings = {
      connection: holdfast.connection,
      env: { ...env, BASE_URL: 'http://holdfast.test', LOG_LEVEL: 'silent' },
    }
    const child = spawn(process.execPath, ['test/support/worker-process.ts'], {
      env: { ...process.env, WORKER: JSON.stringify(settings) },
      stdio: 'ignore',
    })
    await eventually(async () => asked > 0, 60)
    child.kill('SIGKILL')
    server.serve('/killed.ics', calendarWith([span('08:00', '09:00')]))
    expect(await startsOf(practice)).toHaveLength(4)
    await importDue()
    expect(await startsOf(practice), 'still leased').toHaveLength(4)
    await rows(
      `update calendar_check set worked_until = now() - interval '1 second' where worked_by is not null`,
    )
    await importDue()
    expect(await startsOf(practice)).toEqual(['09:00', '09:30'])
  })
})

it('the rows of a large import keep no booking waiting; only its commit does', async () => {
  const practice = await makeOpen()
  const uuid = await connect(practice, server.serve('/rows.ics', calendarWith([])))
  const client = await holdfast.service.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into busy_span (provider_id, resource_id, source_id, from_at, to_at)
       select provider_id, resource_id, id, at, at + interval '30 minutes' from calendar_source,
         generate_series(now() + interval '30 days', now() + interval '238 days', interval '1 hour') as at
       where uuid = $1`,
      [uuid],
    )
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    expect((await consumer.complete(practice.resourceUuid, bookingOf(slot!))).status).toBe(201)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('5,000 busy times are imported in one go', async () => {
  const practice = await makeOpen()
  const first = Date.parse(`${dayIn(30)}T00:00:00Z`)
  const many = Array.from({ length: 5000 }, (_, index) => ({
    from: first + index * 3_600_000,
    to: first + index * 3_600_000 + 1_800_000,
  }))
  await connect(practice, server.serve('/large.ics', calendarWith(many)))
  await importDue()
  const count =
    'select count(*)::int as count from busy_span where resource_id = (select id from resource where uuid = $1)'
  expect(await rows(count, [practice.resourceUuid])).toEqual([{ count: 5000 }])
})

it('an expired certificate is refused, with a reason of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, cert, request] = ['key.pem', 'cert.pem', 'request.pem'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const openssl = (...options: string[]) => execFileSync('openssl', options, { stdio: 'pipe' })
  openssl(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    request,
    '-subj',
    '/CN=localhost',
  )
  const authority = ['[ca]', 'default_ca=d', '[d]', `database=${folder}/index`, `serial=${folder}/serial`]
  const rest = [`new_certs_dir=${folder}`, 'default_md=sha256', 'policy=p', 'x509_extensions=e']
  const config = [
    ...authority,
    ...rest,
    '[p]',
    'commonName=supplied',
    '[e]',
    'subjectAltName=DNS:localhost',
    '',
  ]
  writeFileSync(join(folder, 'config'), config.join('\n'))
  writeFileSync(join(folder, 'index'), '')
  writeFileSync(join(folder, 'serial'), '01\n')
  const past = ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z']
  openssl(
    'ca',
    '-batch',
    '-selfsign',
    '-notext',
    '-config',
    join(folder, 'config'),
    '-keyfile',
    key,
    '-in',
    request,
    '-out',
    cert,
    ...past,
  )
  const listener = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.end(calendarWith([])),
  )
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  const url = `https://localhost:${(listener.address() as AddressInfo).port}/`
  const client = makeCalendarClient({ allowPrivate: true, ca: readFileSync(cert, 'utf8') })
  await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'certificate' })
})
