import { type ChildProcess, spawn } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { webhookOf } from '../../src/actions/setup/webhooks.ts'
import { pruneEvents } from '../../src/db/events.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { recordMissed } from '../../src/db/webhook-queue.ts'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProvider,
  makeRoom,
} from '../support/build.ts'
import { captureLog } from '../support/logs.ts'
import { mailsTo } from '../support/mailbox.ts'
import { type Received, type Receiver, type Reply, startReceiver } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusals.ts'
import { eventually, runJobs, useService } from '../support/service.ts'

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const practice = await makePractice(holdfast.crm)

const receivers: Receiver[] = []
afterEach(async () => {
  for (const { uuid } of (await holdfast.crm.get('/webhooks')).body.webhooks)
    await holdfast.crm.delete(`/webhooks/${uuid}`)
  for (const one of receivers.splice(0)) await one.close()
  holdfast.clock.shiftMs = 0
})

const sql = (text: string, ...values: unknown[]) => holdfast.query(text, values)

async function receive(reply?: (got: Received, count: number) => Reply) {
  const receiver = await startReceiver(reply)
  receivers.push(receiver)
  return receiver
}

type Subscribed = { uuid: string; secret: string; path: string }

async function subscribe({ url }: Receiver, fields: Record<string, unknown> = {}): Promise<Subscribed> {
  const { status, body } = await holdfast.crm.post('/webhooks', {
    url,
    kinds: ['customer.created'],
    ...fields,
  })
  expect(status).toBe(201)
  return { uuid: body.webhook.uuid, secret: body.secret, path: `/webhooks/${body.webhook.uuid}` }
}

const customers = async (count: number) => {
  const made: string[] = []
  while (made.length < count) made.push((await makeCustomer(holdfast.crm, practice)).customerReference)
  return made
}
const referencesIn = ({ received }: Receiver) => received.map(one => one.json.data.reference)
const idOf = (got: Received) => got.headers['webhook-id']
const until = (receiver: Receiver, count: number, seconds = 20) =>
  eventually(async () => receiver.received.length >= count, seconds)
const shown = async ({ path }: Subscribed) => (await holdfast.crm.get(path)).body.webhook
const deliveriesOf = async ({ path }: Subscribed) =>
  (await holdfast.crm.get(`${path}/deliveries`)).body.deliveries as {
    id: string
    event: string
    status: number | null
    delivered: boolean
    answer: string | null
    error: string | null
  }[]

function startWorkerProcess(): ChildProcess {
  const settings = {
    connection: holdfast.connection,
    env: { LOG_LEVEL: 'silent', BASE_URL: 'http://holdfast.test', WEBHOOK_ALLOW_PRIVATE: '1' },
  }
  return spawn(process.execPath, ['test/support/worker-process.ts'], {
    env: { PATH: process.env.PATH, WORKER: JSON.stringify(settings) },
    stdio: 'ignore',
  })
}

/** What is logged until the test ends. */
function warningsOf(app: typeof holdfast.app) {
  const log = captureLog(app)
  app.log.level = 'warn'
  onTestFinished(() => {
    app.log.level = 'silent'
  })
  return () =>
    log
      .text()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
}

describe('a webhook', () => {
  it('receives each event once, signed, as the log has it', async () => {
    const receiver = await receive(() => ({ status: 200, body: 'thanks' }))
    const webhook = await subscribe(receiver)
    runJobs(holdfast)
    const made = await customers(20)
    await until(receiver, 20)
    expect(referencesIn(receiver).toSorted()).toEqual(made.toSorted())
    expect(new Set(receiver.received.map(idOf)).size).toBe(20)
    for (const { body, headers } of receiver.received)
      expect(new Webhook(webhook.secret).verify(body, headers as Record<string, string>)).toEqual(
        JSON.parse(body),
      )
    const { json, headers } = receiver.received[0]!
    const { events } = (await holdfast.crm.get('/events?kinds=customer.created', { whole: true })).body
    const event = events.find((one: { id: string }) => one.id === headers['webhook-id'])
    expect(json).toEqual({
      ...event,
      data: { provider: event.provider, actor: event.actor, ...event.data },
    })
    expect([json.type, json.timestamp]).toEqual([event.kind, event.at])
    await eventually(async () => (await deliveriesOf(webhook)).length === 20)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ status: 200, delivered: true, answer: 'thanks' })
  })

  it('receives only the requested kinds and Providers', async () => {
    const receiver = await receive()
    const other = await makeProvider(holdfast.crm)
    await subscribe(receiver, { kinds: ['customer.created'], providers: [other.reference] })
    runJobs(holdfast)
    await customers(1)
    const { customerReference } = await makeCustomer(holdfast.crm, other)
    await until(receiver, 1)
    expect(referencesIn(receiver)).toEqual([customerReference])
  })

  it('retries a failed delivery under the same id, then continues in order', async () => {
    const receiver = await receive((_got, count) => ({ status: count === 1 ? 500 : 204 }))
    const webhook = await subscribe(receiver)
    const [first] = await customers(1)
    const log = warningsOf(holdfast.app)
    runJobs(holdfast)
    await until(receiver, 1)
    await eventually(async () => (await shown(webhook)).failingSince !== null)
    const [second] = await customers(1)
    holdfast.clock.shiftMs += 6_000
    await until(receiver, 3)
    expect(referencesIn(receiver)).toEqual([first, first, second])
    expect(idOf(receiver.received[0]!)).toBe(idOf(receiver.received[1]!))
    await eventually(async () => (await deliveriesOf(webhook)).length === 3)
    expect((await deliveriesOf(webhook)).map(one => one.status)).toEqual([204, 204, 500])
    expect((await shown(webhook)).failingSince).toBe(null)
    const about = { level: 'warn', webhook: webhook.uuid, host: new URL(receiver.url).host }
    const cause = 'a webhook receiver accepts no events'
    expect(log()).toEqual([
      expect.objectContaining({ ...about, receiverStatus: 500, msg: `outage began: ${cause}` }),
      expect.objectContaining({
        ...about,
        failures: 1,
        msg: expect.stringMatching(/^outage ended: a webhook receiver accepts no events/),
      }),
    ])
  })

  it('does not repeat events that were delivered beside a failed one', async () => {
    const isFirst = (got: Received) => got.json.data.reference === made[0]
    let hasFailed = false
    const receiver = await receive(got => {
      const fails = isFirst(got) && !hasFailed
      hasFailed ||= fails
      return { status: fails ? 503 : 204 }
    })
    const webhook = await subscribe(receiver)
    const made = await customers(5)
    runJobs(holdfast)
    await until(receiver, 5)
    await eventually(async () => (await deliveriesOf(webhook)).length === 5)
    holdfast.clock.shiftMs += 6_000
    await until(receiver, 6)
    const [last] = await customers(1)
    await until(receiver, 7)
    expect(referencesIn(receiver).slice(5)).toEqual([made[0], last])
  })

  it('that does not respond delays only itself', async () => {
    const dead = await receive(() => ({ status: 204, afterMs: 60_000 }))
    const alive = await receive()
    await subscribe(dead)
    await subscribe(alive)
    runJobs(holdfast)
    await customers(10)
    await until(alive, 10)
  })

  it('receives an event again, under the same id, if the worker was killed before recording it', async () => {
    let worker: ChildProcess | null = null
    const receiver = await receive(() => {
      // Before the result can be recorded: the response is on its way.
      worker?.kill('SIGKILL')
      return { status: 204 }
    })
    const webhook = await subscribe(receiver)
    const [first] = await customers(1)
    worker = startWorkerProcess()
    const ended = once(worker, 'exit')
    await until(receiver, 1)
    await ended
    worker = null
    const [second] = await customers(1)
    // Its lease ends after a while.
    const [{ seconds }] = await sql(
      `select extract(epoch from worked_until - clock_timestamp())::float8 as seconds from webhook where uuid = $1`,
      webhook.uuid,
    )
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(30)
    await sql(`update webhook set worked_until = '-infinity' where uuid = $1`, webhook.uuid)
    runJobs(holdfast)
    await until(receiver, 3)
    expect(referencesIn(receiver).toSorted()).toEqual([first, first, second].toSorted())
    const idsOfFirst = receiver.received.filter(one => one.json.data.reference === first).map(idOf)
    expect(new Set(idsOfFirst).size).toBe(1)
  })

  it('delivers a thousand events concurrently to a receiver that takes 20 ms each', async () => {
    const receiver = await receive(() => ({ status: 204, afterMs: 20 }))
    await subscribe(receiver, { kinds: ['mail.failed'] })
    await sql(`insert into event (crm_id, era, kind, actor_kind)
      select id, 1, 'mail.failed', 'service' from crm, generate_series(1, 1000) where name = 'crm'`)
    const started = performance.now()
    runJobs(holdfast)
    await until(receiver, 1000, 60)
    const seconds = (performance.now() - started) / 1000
    console.info(`1,000 events delivered in ${seconds.toFixed(1)} s`)
    expect(new Set(receiver.received.map(idOf)).size).toBe(1000)
    expect(receiver.mostAtOnce).toBeGreaterThan(4)
  }, 80_000)
})

describe('a receiver', () => {
  it('that redirects is not followed', async () => {
    const elsewhere = await receive()
    const receiver = await receive(() => ({ status: 302, headers: { location: elsewhere.url } }))
    const { path } = await subscribe(receiver)
    const { body } = await holdfast.crm.post(`${path}/test`)
    expect(body.delivery).toMatchObject({ status: 302, delivered: false })
    expect(elsewhere.received).toEqual([])
  })

  it('that responds endlessly is cut off', async () => {
    const receiver = await receive(() => ({ status: 200, body: 'x'.repeat(5_000_000) }))
    const { path } = await subscribe(receiver)
    const { body } = await holdfast.crm.post(`${path}/test`)
    expect(body.delivery).toMatchObject({ status: 200, delivered: true, answer: 'x'.repeat(1000) })
  })

  it('that is unreachable is reported with a reason', async () => {
    const receiver = await receive()
    const { path } = await subscribe(receiver)
    await receivers.pop()!.close()
    const { status, body } = await holdfast.crm.post(`${path}/test`)
    expect([status, body.delivery.status, body.delivery.delivered]).toEqual([200, null, false])
    expect(body.delivery.error).toMatch(/ECONNREFUSED/)
  })
})

describe('test, resend, replay, rotate', () => {
  it('sends a test immediately', async () => {
    const receiver = await receive()
    const { path, secret } = await subscribe(receiver)
    expect((await holdfast.crm.post(`${path}/test`)).body.delivery).toMatchObject({
      delivered: true,
      kind: 'test',
    })
    const { body, headers, json } = receiver.received[0]!
    new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(json.type).toBe('test')
  })

  it('sends one delivery again, and everything after a cursor again', async () => {
    const receiver = await receive()
    const webhook = await subscribe(receiver)
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    const worker = runJobs(holdfast)
    const made = await customers(3)
    await until(receiver, 3)
    await eventually(async () => (await deliveriesOf(webhook)).length === 3)
    await worker.stop()
    const [delivery] = await deliveriesOf(webhook)
    const again = await holdfast.crm.post(`${webhook.path}/deliveries/${delivery!.id}/resend`)
    expect(again.body.delivery).toMatchObject({ event: delivery!.event, delivered: true })
    expect(receiver.received).toHaveLength(4)

    expect((await holdfast.crm.post(`${webhook.path}/replay`, { after: next })).status).toBe(200)
    runJobs(holdfast)
    await until(receiver, 7)
    expect(referencesIn(receiver).slice(4).toSorted()).toEqual(made.toSorted())
    expect(new Set(receiver.received.map(idOf)).size).toBe(3)
  })

  it('sends events since a moment again, and none from before', async () => {
    const receiver = await receive()
    const webhook = await subscribe(receiver)
    const worker = runJobs(holdfast)
    await customers(2)
    await until(receiver, 2)
    holdfast.clock.shiftMs += 3_600_000
    const since = new Date(Date.now() + holdfast.clock.shiftMs).toISOString()
    const later = await customers(2)
    await until(receiver, 4)
    await eventually(async () => (await deliveriesOf(webhook)).length === 4)
    await worker.stop()
    expect((await holdfast.crm.post(`${webhook.path}/replay`, { since })).status).toBe(200)
    runJobs(holdfast)
    await until(receiver, 6)
    await eventually(async () => (await deliveriesOf(webhook)).length === 6)
    expect(referencesIn(receiver).slice(4).toSorted()).toEqual(later.toSorted())
  })

  it('signs with the old and the new secret for a day', async () => {
    const receiver = await receive()
    const { path, secret } = await subscribe(receiver)
    const { body: rotated } = await holdfast.crm.post(`${path}/rotate`)
    expect(rotated.secret).not.toBe(secret)
    const isSignedBy = (by: string, { body, headers }: Received) => {
      try {
        return new Webhook(by).verify(body, headers as Record<string, string>) !== null
      } catch {
        return false
      }
    }
    await holdfast.crm.post(`${path}/test`)
    holdfast.clock.shiftMs += 25 * 3_600_000
    await holdfast.crm.post(`${path}/test`)
    const [during, later] = receiver.received as [Received, Received]
    expect([secret, rotated.secret].map(by => isSignedBy(by, during))).toEqual([true, true])
    expect([secret, rotated.secret].map(by => isSignedBy(by, later))).toEqual([false, true])
  })

  it('signs with a key that the webhook shows the public half of', async () => {
    const receiver = await receive()
    const { path } = await subscribe(receiver)
    const publicKey = async () => (await holdfast.crm.get(path)).body.webhook.publicKey as string
    const isSignedBy = (key: string, { body, headers }: Received) => {
      const x = Buffer.from(key.replace('whpk_', ''), 'base64').toString('base64url')
      const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
      const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
      const signatures = String(headers['webhook-signature'])
        .split(' ')
        .filter(one => one.startsWith('v1a,'))
      return signatures.some(one => verify(null, content, known, Buffer.from(one.slice(4), 'base64')))
    }
    const before = await publicKey()
    expect(before).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    await holdfast.crm.post(`${path}/rotate`)
    const after = await publicKey()
    await holdfast.crm.post(`${path}/test`)
    const [got] = receiver.received as [Received]
    expect([before, after].map(key => isSignedBy(key, got))).toEqual([true, true])
    expect(isSignedBy(before, { ...got, body: `${got.body} ` })).toBe(false)
    expect(
      await sql(
        `select from webhook where strpos(encode(signing_key, 'escape'), $1) > 0`,
        after.slice(5, 20),
      ),
    ).toEqual([])
  })

  it('stores the secret encrypted, and shows it once', async () => {
    const receiver = await receive()
    const { secret, path } = await subscribe(receiver)
    const rows = await sql(`select encode(secret, 'escape') as secret from webhook`)
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    expect((await holdfast.crm.get(path)).text).not.toContain(secret.slice(6))
    expect((await holdfast.crm.get('/webhooks')).text).not.toContain(secret.slice(6))
  })
})

describe('a failing webhook', () => {
  it('is disabled by 410, with an email, and continues from there when enabled', async () => {
    await inviteOperator(holdfast.service, 'operator@example.org', 'Olga')
    const receiver = await receive(() => ({ status: 410 }))
    const webhook = await subscribe(receiver)
    runJobs(holdfast)
    const [first] = await customers(1)
    await eventually(async () => !(await shown(webhook)).enabled)
    expect(await shown(webhook)).toMatchObject({ disabledReason: 'gone' })
    const mails = await mailsTo(holdfast, 'operator@example.org')
    expect(mails.map(mail => mail.kind)).toEqual(['webhook-off'])
    expect(mails[0]!.text).toContain(receiver.url)

    const [second] = await customers(1)
    receiver.reply = () => ({ status: 204 })
    receiver.received.length = 0
    expect((await holdfast.crm.patch(webhook.path, { enabled: true })).body.webhook.enabled).toBe(true)
    await until(receiver, 2)
    expect(referencesIn(receiver)).toEqual([first, second])
  })

  it('is disabled after five days of failures, not before', async () => {
    const receiver = await receive(() => ({ status: 500 }))
    const webhook = await subscribe(receiver)
    runJobs(holdfast)
    await customers(1)
    // Probed more and more rarely, but at least once a minute.
    const pauses = [5, 10, 20, 40, 54, 54]
    for (const [index, seconds] of pauses.entries()) {
      await until(receiver, index + 1)
      await eventually(async () => (await deliveriesOf(webhook)).length === index + 1)
      expect((await shown(webhook)).enabled).toBe(true)
      const { nextTryAt } = await shown(webhook)
      const wait = (Date.parse(nextTryAt) - (Date.now() + holdfast.clock.shiftMs)) / 1000
      expect(wait).toBeLessThan(60)
      expect(Math.abs(wait - seconds)).toBeLessThan(8)
      holdfast.clock.shiftMs += seconds * 1200
    }
    holdfast.clock.shiftMs += 5 * 86_400_000
    await eventually(async () => !(await shown(webhook)).enabled)
    expect(await shown(webhook)).toMatchObject({ disabledReason: 'failing' })
  })

  it('reports when its undelivered events were deleted', async () => {
    const receiver = await receive()
    const webhook = await subscribe(receiver)
    await holdfast.crm.patch(webhook.path, { enabled: false })
    await customers(2)
    await sql(`update event set at = now() - interval '91 days'`)
    await pruneEvents(holdfast.service.db, 90)
    const [kept] = await customers(1)
    runJobs(holdfast)
    await holdfast.crm.patch(webhook.path, { enabled: true })
    await until(receiver, 1)
    expect(referencesIn(receiver)).toEqual([kept])
    expect((await shown(webhook)).missedAt).not.toBeNull()
  })

  it('starts at the position of a replay requested while it was catching up', async () => {
    const webhook = await subscribe(await receive())
    const crm = await findCrm(holdfast.service.db, 'crm')
    const seen = await webhookOf(holdfast.service.db, crm!.id, webhook.uuid)
    await customers(2)
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    await holdfast.crm.post(`${webhook.path}/replay`, { after: next })
    await recordMissed(holdfast.service.db, seen, {
      era: seen.afterEra,
      xid: seen.afterXid,
      id: seen.afterId,
    })
    const now = await webhookOf(holdfast.service.db, crm!.id, webhook.uuid)
    expect([now.afterId > seen.afterId, now.missedAt]).toEqual([true, null])
  })
})

describe('invalid input', () => {
  const url = 'https://example.org/hook'

  it.each([
    ['no url', {}, 'url', 'missing-field'],
    ['no address', { url: 'nonsense' }, 'url', 'invalid-field'],
    ['another protocol', { url: 'ftp://example.org' }, 'url', 'invalid-field'],
    ['a password', { url: 'https://a:b@example.org' }, 'url', 'invalid-field'],
    ['an unknown kind', { url, kinds: ['nonsense'] }, 'kinds', 'invalid-field'],
    ['an unknown Provider', { url, providers: ['nobody@plat'] }, 'providers[0]', 'invalid-field'],
    ['a long description', { url, description: 'x'.repeat(256) }, 'description', 'invalid-field'],
  ])('%s: returns 400', async (_what, body, field, code) => {
    expectRefusal(await holdfast.crm.post('/webhooks', body), 400, code, field)
  })

  it('returns 400 for more than 50, also concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 55 }, () => holdfast.crm.post('/webhooks', { url })),
    )
    expect(answers.filter(one => one.status === 201)).toHaveLength(50)
    for (const one of answers.filter(other => other.status !== 201))
      expectRefusal(one, 400, 'invalid-field', 'url')
  })

  it('returns 404, 410 or 400 for unknown webhooks, cursors and deliveries, and those of other CRMs', async () => {
    const receiver = await receive()
    const { uuid, path } = await subscribe(receiver)
    expectRefusal(await holdfast.otherCrm.get(`/webhooks/${uuid}`), 404, 'not-found')
    expectRefusal(await holdfast.crm.get('/webhooks/nonsense'), 404, 'not-found')
    expectRefusal(await holdfast.crm.post(`${path}/deliveries/99999/resend`), 404, 'not-found')
    expectRefusal(await holdfast.crm.post(`${path}/deliveries/x/resend`), 404, 'not-found')
    expectRefusal(await holdfast.crm.post(`${path}/replay`, { after: 'x' }), 410, 'cursor-expired', 'after')
    expectRefusal(await holdfast.crm.post(`${path}/replay`, { since: 'x' }), 400, 'invalid-field', 'since')
    const { next: own } = (await holdfast.crm.get('/events?after=now')).body
    const both = { after: own, since: '2030-01-01T00:00:00Z' }
    expectRefusal(await holdfast.crm.post(`${path}/replay`, both), 400, 'invalid-field', 'since')
    expectRefusal(await holdfast.crm.get(`${path}/deliveries?limit=501`), 400, 'invalid-field', 'limit')
    const foreign = (await holdfast.otherCrm.get('/events')).body.next
    expectRefusal(
      await holdfast.crm.post(`${path}/replay`, { after: foreign }),
      410,
      'cursor-expired',
      'after',
    )
  })
})

// Last: they leave events in the future, which a replay since a moment would find.
describe('events that fail', () => {
  const kinds = ['customer.created', 'customer.changed']
  const rename = (reference: string, userName: string) =>
    holdfast.crm.put(`${practice.path}/customers/${encodeURIComponent(reference)}`, { userName })
  const kindsOf = ({ received }: Receiver, reference: string) =>
    received.filter(one => one.json.data.reference === reference).map(one => one.json.type)

  it('wait with later ones about the same record, and hold up no others', async () => {
    let poison = ''
    const receiver = await receive(got => ({ status: got.json.data.reference === poison ? 500 : 204 }))
    const webhook = await subscribe(receiver, { kinds })
    const [bad, good] = (await customers(2)) as [string, string]
    poison = bad
    await rename(bad, 'Changed')
    runJobs(holdfast)
    await until(receiver, 2)
    // While it waits for its next attempt.
    await rename(bad, 'Changed again')
    const others = await customers(20)
    await rename(good, 'Changed')
    await until(receiver, 23)
    expect(kindsOf(receiver, bad)).toEqual(['customer.created'])
    expect(new Set(referencesIn(receiver))).toEqual(new Set([bad, good, ...others]))
    await eventually(async () => (await shown(webhook)).waitingEvents === 3)
    expect(await shown(webhook)).toMatchObject({ enabled: true, failingSince: null, nextTryAt: null })
    // It fails again after its own pause, and then the receiver is repaired.
    holdfast.clock.shiftMs += 6_000
    await until(receiver, 24)
    poison = ''
    holdfast.clock.shiftMs += 400_000
    await until(receiver, 27)
    expect(kindsOf(receiver, bad)).toEqual([
      ...Array(3).fill('customer.created'),
      'customer.changed',
      'customer.changed',
    ])
    await eventually(async () => (await shown(webhook)).waitingEvents === 0)
  })

  it('of an Appointment hold back those of the people in it', async () => {
    let poison = ''
    const receiver = await receive(({ json: { type, data } }) => ({
      status: type === 'appointment.created' && data.reference === poison ? 500 : 204,
    }))
    const webhook = await subscribe(receiver, { kinds: ['appointment.created', 'participation.booked'] })
    const place = await makePractice(holdfast.crm)
    const [bad, good] = [
      await makeAppointment(holdfast.crm, place),
      await makeAppointment(holdfast.crm, await makeRoom(holdfast.crm, place)),
    ]
    poison = bad.reference
    const late = await makeParticipation(holdfast.crm, place, bad.reference, 'BOOKED')
    await makeParticipation(holdfast.crm, place, good.reference, 'BOOKED')
    runJobs(holdfast)
    await until(receiver, 3)
    await eventually(async () => (await shown(webhook)).waitingEvents === 2)
    expect(referencesIn(receiver)).not.toContain(late.reference)
    poison = ''
    holdfast.clock.shiftMs += 10_000
    await until(receiver, 5)
    expect(referencesIn(receiver).slice(-2)).toEqual([bad.reference, late.reference])
  })

  it('all follow at once when a receiver that was down accepts one', async () => {
    let isUp = false
    const receiver = await receive(() => ({ status: isUp ? 204 : 503 }))
    const webhook = await subscribe(receiver, { kinds })
    runJobs(holdfast)
    const first = await customers(3)
    await until(receiver, 1)
    await eventually(async () => (await shown(webhook)).failingSince !== null)
    for (let probes = 0; probes < 3; probes++) {
      const { length } = receiver.received
      holdfast.clock.shiftMs += 60_000
      await until(receiver, length + 1)
      await eventually(
        async () => Date.parse((await shown(webhook)).nextTryAt) > Date.now() + holdfast.clock.shiftMs,
      )
    }
    const later = await customers(10)
    for (const reference of later) await rename(reference, 'Changed')
    isUp = true
    receiver.received.length = 0
    // A probe is due within a minute; nothing else is waited for.
    holdfast.clock.shiftMs += 60_000
    await until(receiver, 23)
    expect(new Set(referencesIn(receiver))).toEqual(new Set([...first, ...later]))
    for (const reference of later)
      expect(kindsOf(receiver, reference)).toEqual(['customer.created', 'customer.changed'])
    await eventually(async () => (await shown(webhook)).waitingEvents === 0)
    expect(await shown(webhook)).toMatchObject({ failingSince: null, nextTryAt: null })
  })

  it('wait as long as the receiver asks', async () => {
    const receiver = await receive((_got, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '900' } } : { status: 204 },
    )
    const webhook = await subscribe(receiver)
    await customers(1)
    runJobs(holdfast)
    await until(receiver, 1)
    const { nextTryAt } = await eventually(async () => {
      const now = await shown(webhook)
      return now.nextTryAt && now
    })
    const seconds = (Date.parse(nextTryAt) - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(800)
    expect(seconds).toBeLessThan(1000)
    holdfast.clock.shiftMs += 1_000_000
    await until(receiver, 2)
    expect(new Set(receiver.received.map(idOf)).size).toBe(1)
  })

  it('are sent in order by two instances, each once', async () => {
    const open = new Set<unknown>()
    let overlaps = 0
    let answered = 0
    const receiver = await receive(({ json: { data } }) => {
      if (open.has(data.reference)) overlaps++
      open.add(data.reference)
      const after = new Promise(resolve => setTimeout(resolve, 5)).then(() => open.delete(data.reference))
      return { status: ++answered % 7 === 0 ? 500 : 204, after }
    })
    const webhook = await subscribe(receiver, { kinds })
    runJobs(holdfast)
    runJobs(holdfast)
    const made = await customers(8)
    await Promise.all(made.flatMap(one => ['A', 'B', 'C'].map(name => rename(one, name))))
    const done = async () => {
      holdfast.clock.shiftMs += 10_000
      const delivered = (await deliveriesOf(webhook)).filter(one => one.delivered)
      return delivered.length >= 32 && delivered
    }
    const delivered = await eventually(done, 30)
    expect(new Set(delivered.map(one => one.event)).size).toBe(32)
    expect(delivered).toHaveLength(32)
    expect(overlaps).toBe(0)
    const accepted = new Set<unknown>()
    const log = (await holdfast.crm.get(`/events?kinds=${kinds}&limit=500`)).body.events as {
      id: string
      data: { reference: string }
    }[]
    // Each event is accepted only after all earlier ones about the same Customer.
    for (const { event } of delivered.toReversed()) {
      const own = log.find(one => one.id === event)!
      const before = log.slice(0, log.indexOf(own)).filter(one => one.data.reference === own.data.reference)
      expect(before.every(one => accepted.has(one.id))).toBe(true)
      accepted.add(event)
    }
  })
})
