// Database outages: silent networks, locks that are never released, standbys, full disks.

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Counter } from 'prom-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { usualLimits } from '../../src/db/base/driver/connection.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { makeService } from '../../src/start/make-service.ts'
import { makePractice, makeRoom, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, overHttp, slotsOf } from '../support/consumer.ts'
import { captureLog } from '../support/logs.ts'
import { refusalsOf } from '../support/metrics.ts'
import { startProxy } from '../support/proxy.ts'
import { expectRefusal } from '../support/refusals.ts'
import {
  type Answer,
  call,
  eventually,
  runJobs,
  startTestService,
  type TestService,
  useService,
} from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { whileLocked } from '../support/transactions.ts'

const holdfast = await useService({ LOG_LEVEL: 'warn', DATABASE_LOCK_SECONDS: '3', TRUST_PROXY: 'true' })
const room = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, room)

const consumer = () => asConsumer(overApp(holdfast.app))
const origin = holdfast.app.listen({ port: 0, host: '127.0.0.1' })

/** The parts of a response that depend neither on the time nor on the connection. */
const lasting = ({ headers: { date, connection, 'keep-alive': _, ...headers }, text }: Answer) => ({
  headers,
  text,
})

// Runs first: each cause is logged once a minute, and later tests may have the same one.
describe('a database that cannot write', () => {
  it('returns 503, never 500, and is logged once, then counted', async () => {
    const log = captureLog(holdfast.app)
    const slots = slotsOf(await consumer().list(room.resource))
    const { pool } = holdfast.service.db
    for (const [code, cause] of [
      ['53100', 'the disk of the database is full'],
      ['53300', 'the database has too many connections'],
      ['25006', 'the database is read-only'],
      ['57014', 'a statement took too long'],
      ['42501', 'our user of the database lacks a right'],
    ]) {
      await pool.query(`create or replace function fail() returns trigger language plpgsql as
        $$ begin raise exception 'injected' using errcode = '${code}'; end $$;
        create or replace trigger fail before insert on participation execute function fail()`)
      const answers = [
        await consumer().reserve(room.resource, holdOf(slots[1]!)),
        await consumer().reserve(room.resource, holdOf(slots[1]!)),
      ]
      await pool.query('drop trigger fail on participation')
      for (const answer of answers) expectRefusal(answer, 503, 'unavailable')
      if (code === '57014') expect(answers[0]!.text).toContain('This took too long and was stopped.')
      expect(log.text().split(`"cause":"${cause}`)).toHaveLength(2)
    }
    // Taking the instance out of service would not help: reads are still answered.
    expect(await call(holdfast.app, 'GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'degraded', database: 'full' },
    })
    holdfast.service.health.diskFullAt! -= 60_000
    expect((await call(holdfast.app, 'GET', '/readyz')).body).toMatchObject({ status: 'ok', database: 'ok' })
  })
})

describe('an overload', () => {
  const standing = () => ({ inside: 200, calmAt: performance.now() - 5_000 })
  const refused = async () => {
    const { metrics } = holdfast.service
    const requests = metrics.registry.getSingleMetric('holdfast_http_requests_total') as Counter
    const answers = (await requests.get()).values.filter(
      ({ labels }) => /reserve/.test(String(labels.route)) && labels.status === 503,
    )
    return {
      answers: answers.reduce((sum, one) => sum + one.value, 0),
      refusals: await refusalsOf(metrics, 'overloaded'),
    }
  }

  it('is refused at once and logged; later requests succeed', async () => {
    const { admission } = holdfast.service
    const log = captureLog(holdfast.app)
    const [slot] = slotsOf(await consumer().list(room.resource))
    // Two hundred requests have been waiting for a while.
    Object.assign(admission, standing())
    for (const body of [holdOf(slot!), {}]) {
      const answer = await consumer().reserve(room.resource, body)
      expectRefusal(answer, 503, 'unavailable')
      expect(answer.headers['retry-after']).toBe('1')
    }
    expect(log.text().split('"cause":"more requests arrive than can be processed"')).toHaveLength(2)
    expect((await consumer().list(room.resource)).status).toBe(200)
    admission.inside = 0
    expect((await consumer().reserve(room.resource, holdOf(slot!))).status).toBe(200)
    // Answered requests no longer count.
    expect(admission.inside).toBe(0)
  })

  it('is refused before Fastify with the response of the route, and counted', async () => {
    const { admission, health } = holdfast.service
    const path = `/resources/${room.resource}/reserve_appointment`
    const headers = { origin: 'https://www.example.org', 'x-request-id': 'mine' }
    const senders = [overApp(holdfast.app), overHttp(await origin)]
    Object.assign(admission, standing())
    const entering = vi.spyOn(admission, 'enter')
    onTestFinished(() => entering.mockRestore())
    const answers: Answer[] = []
    for (const isDraining of [false, true])
      for (const send of senders)
        for (const url of [path, `/rest/1${path}?channelKey=x`]) {
          const before = await refused()
          health.isDraining = isDraining
          const answer = await send('POST', url, { any: 'thing' }, { headers })
          health.isDraining = false
          answers.push(answer)
          await eventually(async () => (await refused()).answers === before.answers + 1)
          expect((await refused()).refusals).toBe(before.refusals + 1)
        }
    admission.inside = 0
    // Requests without a connection reached the route.
    expect(entering).toHaveBeenCalledTimes(4)
    for (const answer of answers) {
      expectRefusal(answer, 503, 'unavailable')
      expect(lasting(answer)).toEqual(lasting(answers[0]!))
    }
    expect(answers.map(({ headers }) => headers.connection)).toEqual(
      ['keep-alive', 'keep-alive', 'close', 'close'].flatMap(one => [one, one]),
    )
  })

  it('keeps the connection usable though the request body was not read', async () => {
    const { admission } = holdfast.service
    const { port } = new URL(await origin)
    Object.assign(admission, standing())
    const body = 'x'.repeat(300_000)
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(
      `POST /resources/x/reserve_appointment HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (text.includes('"ok"')) break
    }
    admission.inside = 0
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200'])
  })
})

describe('a network that has gone silent', () => {
  it('returns 503 within the time limit, also from /readyz, and does not block shutdown', async () => {
    const proxy = await startProxy(holdfast.connection)
    const connection = { ...proxy.connection, limits: { ...usualLimits, connect: 1, statement: 1 } }
    const db = openDb(connection)
    const app = await buildApp(makeService({ ...holdfast.service, db }))
    onTestFinished(() => app.close())
    expect((await call(app, 'GET', '/readyz')).status).toBe(200)
    expect((await asConsumer(overApp(app)).list(room.resource)).status).toBe(200)
    const log = captureLog(app)
    proxy.silence()
    const [list, ready] = await Promise.all([
      asConsumer(overApp(app)).list(room.resource),
      call(app, 'GET', '/readyz'),
    ])
    expectRefusal(list, 503, 'unavailable')
    expect(ready.status).toBe(503)
    expect(log.text()).toMatch(/"cause":"the database is away".*"msg":"outage began: the database is away"/)
    proxy.speak()
    await eventually(async () => (await asConsumer(overApp(app)).list(room.resource)).status === 200)
    proxy.silence()
    await db.close()
  })

  it('leaves no lock behind: an idle transaction is ended', async () => {
    const touch = 'update resource set revision = revision where uuid = $1'
    const [vanishing, waiting] = [1, 10].map(idle =>
      openDb({ ...holdfast.connection, limits: { ...usualLimits, idle } }),
    ) as [Db, Db]
    const vanished = await vanishing.pool.connect()
    onTestFinished(async () => {
      vanished.release(true)
      await Promise.all([vanishing.close(), waiting.close()])
    })
    vanished.on('error', () => {})
    await vanished.query('begin')
    await vanished.query(touch, [room.resourceUuid])
    await waiting.pool.query(touch, [room.resourceUuid])
  })
})

describe('a locked Resource', () => {
  it('returns 503 to requests that wait for it, without affecting lists and other Resources', async () => {
    const other = await makeRoom(holdfast.crm, room)
    await makeTimeslot(holdfast.crm, other)
    const slots = slotsOf(await consumer().list(room.resource))
    const elsewhere = slotsOf(await consumer().list(other.resource))
    await whileLocked(holdfast, room.resourceUuid, async () => {
      const waiting = Array.from({ length: 14 }, (_, at) =>
        consumer().reserve(room.resource, holdOf(slots[at % slots.length]!)),
      )
      const first = Promise.race(waiting)
      await pause(200)
      expect((await consumer().reserve(other.resource, holdOf(elsewhere[0]!))).status).toBeLessThan(300)
      expect((await consumer().list(other.resource)).status).toBe(200)
      expect((await call(holdfast.app, 'GET', '/readyz')).status).toBe(200)
      expect(await Promise.race([first, 'all of them wait'])).toBe('all of them wait')
      const answers = await Promise.all(waiting)
      for (const answer of answers) {
        expectRefusal(answer, 503, 'unavailable')
        expect(answer.headers['retry-after']).toBe('1')
      }
    })
    expect((await consumer().reserve(room.resource, holdOf(slots[0]!))).status).toBeLessThan(300)
  })
})

describe('a failover through a standby that cannot write yet', () => {
  it('returns 503 meanwhile; bookings and emails continue without a restart', async () => {
    const smtp = await startSmtp()
    onTestFinished(() => smtp.close())
    const mine = await startTestService({ SMTP_URL: smtp.url, TRUST_PROXY: 'true' })
    onTestFinished(() => mine.close())
    const practice = await makePractice(mine.crm)
    await makeTimeslot(mine.crm, practice)
    const slots = slotsOf(await asConsumer(overApp(mine.app)).list(practice.resource))
    const reserve = () => asConsumer(overApp(mine.app)).reserve(practice.resource, holdOf(slots[0]!))
    runJobs(mine)
    await eventually(async () => mine.service.health.jobsSeenAt !== null)
    await standby(mine, 'on')
    expectRefusal(await eventually(async () => reserve()), 503, 'unavailable')
    expect((await call(mine.app, 'GET', '/readyz')).status).toBe(503)
    await pause(3_000)
    await standby(mine, 'off', false)
    await eventually(async () => (await reserve()).status < 300)
    await mine.crm.post('/user', { reference: 'u@x', email: 'u@example.org', username: 'u', lastName: 'U' })
    // No outage may delay an email by more.
    await eventually(async () => smtp.to('u@example.org').length > 0, 30)
  })

  /** Existing connections end with the primary; those of the standby stay. */
  async function standby({ connection }: TestService, setting: 'on' | 'off', cut = true) {
    const admin = new pg.Client({ ...connection, database: 'postgres' })
    await admin.connect()
    await admin.query(`alter database ${connection.database} set default_transaction_read_only = ${setting}`)
    if (cut)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        connection.database,
      ])
    await admin.end()
  }
})

describe('a process whose jobs do not run', () => {
  it('is not ready after a minute', async () => {
    const { health } = holdfast.service
    health.jobsSeenAt = performance.now() - 59_000
    expect((await call(holdfast.app, 'GET', '/readyz')).status).toBe(200)
    health.jobsSeenAt = performance.now() - 61_000
    const { status, body } = await call(holdfast.app, 'GET', '/readyz')
    health.jobsSeenAt = null
    expect([status, body.status]).toEqual([503, 'jobs stopped'])
  })
})

describe('pages while the database is unavailable', () => {
  const asPerson = { headers: { accept: 'text/html', 'accept-language': 'fr' } }

  it('say so in the visitor\'s language instead of "not found"', async () => {
    const proxy = await startProxy(holdfast.connection)
    const db = openDb(proxy.connection)
    const service = makeService({ ...holdfast.service, db })
    const app = await buildApp(service)
    onTestFinished(() => app.close())
    const refused = () => refusalsOf(service.metrics, 'unavailable')
    const open = (path: string) => call(app, 'GET', path, undefined, asPerson)
    const [slot] = slotsOf(await consumer().list(room.resource))
    const booked = await consumer().complete(room.resource, bookingOf(slot!))
    const { cancelLink, moveLink } = booked.body.createdAppointment
    const links = [cancelLink, moveLink].map((link: string) => new URL(link).pathname)
    const pages = [`/book/${room.resource}`, `/book/${room.resource},x`, ...links]
    expect((await open(pages[0]!)).status).toBe(200)
    await proxy.die()
    for (const path of pages) {
      const before = await refused()
      const page = await open(path)
      // One visitor was refused, however many requests the page made.
      const counted = (await refused()) - before
      expect({ path, status: page.status, after: page.headers['retry-after'], counted }).toEqual({
        path,
        status: 503,
        after: '2',
        counted: 1,
      })
      expect(page.text).toContain('Indisponible pour le moment')
    }
    expectRefusal(await call(app, 'GET', pages[0]!), 503, 'unavailable')
  })
})
