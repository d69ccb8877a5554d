// What anonymous clients may do, and how often. One client's requests must not count against another's.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Config } from '../../src/config.ts'
import {
  makeCustomer,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setClock,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { startSecondInstance } from '../support/instances.ts'
import { captureLog } from '../support/logs.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, call, eventually, useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: 'true' })
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
// In the middle of a minute, so that no rate limit window ends during a test.
beforeEach(() => setClock(holdfast, '2029-06-01T12:00:20Z'))

/** Changes settings until the test ends. The service reads them on each request. */
function withSettings(change: Partial<Config>) {
  const before = { ...holdfast.service.config }
  Object.assign(holdfast.service.config, change)
  onTestFinished(() => void Object.assign(holdfast.service.config, before))
}

/** A Resource with this many half-hour slots. */
async function roomWith(count = 24, fields: Record<string, unknown> = {}) {
  const place = await makeRoom(holdfast.crm, practice)
  const end = new Date(Date.parse('2030-01-07T08:00Z') + count * 1_800_000).toISOString().slice(0, 16)
  await makeTimeslot(holdfast.crm, place, { end, ...fields })
  return place
}

const slots = async (where: Practice): Promise<Slot[]> => slotsOf(await consumer.list(where.resource))
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
let addresses = 0
/** A client that has sent no request before. */
const newcomer = () => `198.18.${++addresses >> 8}.${addresses & 255}`

const reserve = (where: Practice, slot: Slot, address: string, fields = {}, app = holdfast.app) =>
  overApp(app)(
    'POST',
    `/resources/${where.resource}/reserve_appointment`,
    holdOf(slot, fields),
    from(address),
  )
const complete = (where: Practice, slot: Slot, address: string, fields = {}) =>
  consumer.send(
    'POST',
    `/resources/${where.resource}/create_appointment_with_consumer`,
    bookingOf(slot, fields),
    from(address),
  )
const tooMany = (answer: Answer) => {
  expect([answer.status, answer.body?.errors?.[0]?.errorCode]).toEqual([429, 'too-many-requests'])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
}
/** This many reserves, in one batch. */
async function inOneGroup(reserves: Promise<Answer>[]) {
  const { reserveBatcher } = holdfast.service
  const { concurrency } = reserveBatcher
  reserveBatcher.concurrency = 0
  await eventually(async () => reserveBatcher.waiting.length === reserves.length)
  reserveBatcher.concurrency = concurrency
  reserveBatcher.start()
  return Promise.all(reserves)
}
const statusesOf = (answers: Answer[]) =>
  Map.groupBy(
    answers.map(one => one.status),
    status => status,
  )
const counted = (answers: Answer[]) =>
  Object.fromEntries([...statusesOf(answers)].map(([status, all]) => [status, all.length]))

describe('one client cannot lock others out', () => {
  it('of a Resource, by 700 requests that could never hold anything', async () => {
    withSettings({ rateLimitPublic: 1000, rateLimitResource: 5 })
    const where = await roomWith()
    const url = `/resources/${where.resource}/reserve_appointment`
    const attack = newcomer()
    const junk = await Promise.all(
      Array.from({ length: 700 }, () => consumer.send('POST', url, {}, from(attack))),
    )
    expect(counted(junk)).toEqual({ 400: 700 })
    const [slot] = await slots(where)
    const gone = { from: '2030-01-06T08:00:00Z', to: '2030-01-06T08:30:00Z' }
    const missed = await Promise.all(Array.from({ length: 20 }, () => reserve(where, slot!, attack, gone)))
    expect(counted(missed)).toEqual({ 412: 20 })
    expect((await reserve(where, slot!, newcomer())).status).toBe(200)
  })

  it('of bookings for an email address, by completions that book nothing', async () => {
    withSettings({ rateLimitMail: 3 })
    const where = await roomWith()
    const [slot, other] = await slots(where)
    const email = 'victim@example.org'
    await complete(where, slot!, newcomer())
    const nowhere = { ...where, resource: 'nothing@plat' }
    for (const [place, fields, status] of [
      [nowhere, {}, 404],
      [where, {}, 412],
      [where, { lastname: '' }, 400],
    ] as const)
      for (let time = 0; time < 10; time++)
        expect((await complete(place, slot!, newcomer(), { email, ...fields })).status).toBe(status)
    expect((await complete(where, other!, newcomer(), { email })).status).toBe(201)
  })

  it('by requests that its own limit refused', async () => {
    withSettings({ rateLimitPublic: 2, rateLimitResource: 3 })
    const where = await roomWith()
    const list = await slots(where)
    const attack = newcomer()
    const answers = await Promise.all(list.slice(0, 10).map(slot => reserve(where, slot, attack)))
    expect(counted(answers)).toEqual({ 200: 2, 429: 8 })
    expect((await reserve(where, list[10]!, newcomer())).status).toBe(200)
  })
})

describe('consumers who come through a backend', () => {
  const through = (where: Practice, slot: Slot, address: string, headers: Record<string, string>) =>
    consumer.send('POST', `/resources/${where.resource}/reserve_appointment`, holdOf(slot), {
      headers: { 'x-forwarded-for': address, ...headers },
    })

  it('are counted one by one with a key of the scope consumer, and by the key without an id', async () => {
    withSettings({ rateLimitPublic: 1 })
    const where = await roomWith()
    const list = await slots(where)
    const backend = newcomer()
    const key = { 'x-service-client-id': holdfast.crm.key }
    const people = ['ann', 'ben', 'ann'].map(id => ({ ...key, 'x-consumer-id': id }))
    const answers = []
    for (const [index, headers] of [...people, key, key, {}].entries())
      answers.push((await through(where, list[index]!, backend, headers)).status)
    expect(answers).toEqual([200, 200, 429, 200, 429, 200])
    // The key counts as before from another address.
    expect((await through(where, list[6]!, newcomer(), people[0]!)).status).toBe(429)
  })

  it('are counted by address with any other key, and at another CRM', async () => {
    withSettings({ rateLimitPublic: 1 })
    const where = await roomWith()
    const list = await slots(where)
    for (const key of [holdfast.otherCrm.key, 'nonsense', `hf_test_${'a'.repeat(24)}`]) {
      const backend = newcomer()
      const statuses = []
      for (const id of ['ann', 'ben']) {
        const headers = { 'x-service-client-id': key, 'x-consumer-id': id }
        statuses.push((await through(where, list.shift()!, backend, headers)).status)
      }
      expect([key, statuses]).toEqual([key, [200, 429]])
    }
  })
})

describe('all clients together', () => {
  it('can hold RATE_LIMIT_RESOURCE times a minute at one Resource, even all at once; other Resources are not affected', async () => {
    withSettings({ rateLimitResource: 3 })
    const [where, other] = [await roomWith(), await roomWith()]
    const list = await slots(where)
    const answers = await Promise.all(list.slice(0, 12).map(slot => reserve(where, slot, newcomer())))
    expect(counted(answers)).toEqual({ 200: 3, 429: 9 })
    for (const answer of answers.filter(one => one.status === 429)) tooMany(answer)
    expect((await reserve(other, (await slots(other))[0]!, newcomer())).status).toBe(200)
    setClock(holdfast, '2029-06-01T12:01:20Z')
    expect((await reserve(where, (await slots(where))[0]!, newcomer())).status).toBe(200)
  })

  it('are counted per Resource, however they refer to it', async () => {
    withSettings({ rateLimitResource: 2 })
    const where = await roomWith()
    const list = await slots(where)
    const called = (resource: string) => ({ ...where, resource })
    expect((await reserve(called(where.resourceUuid), list[0]!, newcomer())).status).toBe(200)
    expect((await reserve(called(where.resourceUuid.toUpperCase()), list[1]!, newcomer())).status).toBe(200)
    tooMany(await reserve(where, list[2]!, newcomer()))
  })

  it('can book RATE_LIMIT_MAIL times an hour for one mailbox, however its address is written, even all at once', async () => {
    withSettings({ rateLimitMail: 3 })
    const rooms = await Promise.all(Array.from({ length: 9 }, () => roomWith(1)))
    const lists = await Promise.all(rooms.map(slots))
    const answers = await Promise.all(
      rooms.map((where, index) =>
        complete(where, lists[index]![0]!, newcomer(), {
          email: `${index % 2 ? 'Bomb' : 'bomb'}+${index}@Example.org`,
        }),
      ),
    )
    expect(counted(answers)).toEqual({ 201: 3, 429: 6 })
    const refused = answers.find(one => one.status === 429)!
    tooMany(refused)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    const rows = await holdfast.query('select bucket from rate_window')
    expect(JSON.stringify(rows)).not.toMatch(/bomb/i)
    setClock(holdfast, '2029-06-01T13:00:20Z')
    const free = answers.findIndex(one => one.status === 429)
    const later = await complete(rooms[free]!, lists[free]![0]!, newcomer(), { email: 'bomb@example.org' })
    expect(later.status).toBe(201)
  })

  it('have the same limit for a guessed Customer reference, with and without a hold', async () => {
    withSettings({ rateLimitMail: 2 })
    const where = await roomWith()
    const list = await slots(where)
    const { customerReference } = await makeCustomer(holdfast.crm, practice, {
      email: 'known+crm@example.org',
    })
    const known = {
      customer_id: customerReference,
      email: undefined,
      firstname: undefined,
      lastname: undefined,
    }
    expect((await complete(where, list[0]!, newcomer(), known)).status).toBe(201)
    const hold = await reserve(where, list[1]!, newcomer())
    const placeholder_id = hold.body.participation.customer_uuid
    expect((await complete(where, list[1]!, newcomer(), { ...known, placeholder_id })).status).toBe(201)
    tooMany(await complete(where, list[2]!, newcomer(), known))
    const held = (await reserve(where, list[3]!, newcomer())).body.participation.customer_uuid
    tooMany(await complete(where, list[3]!, newcomer(), { email: 'known@example.org', placeholder_id: held }))
  })
})

describe('one client', () => {
  it('holds at most 5 places at one Resource and 20 in total, even with concurrent requests', async () => {
    const rooms = await Promise.all(Array.from({ length: 6 }, () => roomWith(8)))
    const lists = await Promise.all(rooms.map(slots))
    const address = newcomer()
    const answers = await Promise.all(
      rooms.map((where, index) => Promise.all(lists[index]!.map(slot => reserve(where, slot, address)))),
    )
    for (const atOne of answers) expect(counted(atOne)[200] ?? 0).toBeLessThanOrEqual(5)
    expect(counted(answers.flat())).toEqual({ 200: 20, 429: 28 })
    expect((await reserve(rooms[0]!, (await slots(rooms[0]!))[0]!, newcomer())).status).toBe(200)
  })

  it('may hold more if configured; replaced, released, completed and expired holds do not count', async () => {
    withSettings({ holdsPerClient: 3, holdsPerResource: 3 })
    const where = await roomWith()
    const list = await slots(where)
    const address = newcomer()
    const holds: string[] = []
    for (const slot of list.slice(0, 3))
      holds.push((await reserve(where, slot, address)).body.participation.customer_uuid)
    tooMany(await reserve(where, list[3]!, address))
    const moved = await reserve(where, list[3]!, address, { placeholder_id: holds[0] })
    expect(moved.status).toBe(200)
    await consumer.release(where.resource, holds[1]!)
    expect((await reserve(where, list[4]!, address)).status).toBe(200)
    await complete(where, list[2]!, address, { placeholder_id: holds[2] })
    expect((await reserve(where, list[5]!, address)).status).toBe(200)
    tooMany(await reserve(where, list[6]!, address))
    holdfast.clock.shiftMs += 181_000
    expect((await reserve(where, list[6]!, address)).status).toBe(200)
  })

  it('does not get more holds by concurrently exchanging them for unavailable slots', async () => {
    withSettings({ holdsPerClient: 3, holdsPerResource: 3 })
    const where = await roomWith()
    const list = await slots(where)
    const address = newcomer()
    const held = await Promise.all(list.slice(0, 3).map(slot => reserve(where, slot, address)))
    await reserve(where, list[3]!, newcomer())
    const answers = await inOneGroup([
      ...held.map(({ body: { participation } }) =>
        reserve(where, list[3]!, address, { placeholder_id: participation.customer_uuid }),
      ),
      ...list.slice(4, 7).map(slot => reserve(where, slot, address)),
    ])
    expect(answers.map(one => one.status)).toEqual([412, 412, 412, 429, 429, 429])
  })

  it('may exchange all its holds at once', async () => {
    withSettings({ holdsPerClient: 3, holdsPerResource: 3 })
    const where = await roomWith()
    const list = await slots(where)
    const address = newcomer()
    const held = await Promise.all(list.slice(0, 3).map(slot => reserve(where, slot, address)))
    const exchanges = held.map(({ body }, index) =>
      reserve(where, list[4 + index]!, address, { placeholder_id: body.participation.customer_uuid }),
    )
    expect(counted(await inOneGroup(exchanges))).toEqual({ 200: 3 })
    tooMany(await reserve(where, list[8]!, address))
  })

  it('renews a hold three times; another slot is another hold', async () => {
    const where = await roomWith()
    const [slot, other] = await slots(where)
    const address = newcomer()
    let placeholder_id: string | undefined
    for (let time = 0; time < 4; time++) {
      const { status, body } = await reserve(where, slot!, address, { placeholder_id })
      expect(status).toBe(200)
      placeholder_id = body.participation.customer_uuid
    }
    tooMany(await reserve(where, slot!, address, { placeholder_id }))
    const moved = await reserve(where, other!, address, { placeholder_id })
    expect(moved.status).toBe(200)
    placeholder_id = moved.body.participation.customer_uuid
    expect((await reserve(where, other!, address, { placeholder_id })).status).toBe(200)
  })

  it('can send RATE_LIMIT_PUBLIC requests a minute, over both prefixes and all instances, and sees how many are left', async () => {
    withSettings({ rateLimitPublic: 5 })
    const apps = [holdfast.app, await startSecondInstance(holdfast)]
    const where = await roomWith()
    const [slot] = await slots(where)
    const url = `/resources/${where.resource}/reserve_appointment`
    const address = newcomer()
    const ask = (index: number) =>
      overApp(apps[index % 2]!)('POST', (index % 3 ? '' : '/rest/1') + url, holdOf(slot!), from(address))
    const answers = []
    for (let index = 0; index < 7; index++) answers.push(await ask(index))
    expect(answers.map(one => one.status)).toEqual([200, 412, 412, 412, 412, 429, 429])
    expect(answers.map(one => one.headers['ratelimit-policy'])).toEqual(Array(7).fill('"reserve";q=5;w=60'))
    const left = answers.map(one => /^"reserve";r=(\d+);t=(\d+)$/.exec(String(one.headers.ratelimit))!)
    expect(left.map(([_key, rest]) => Number(rest))).toEqual([4, 3, 2, 1, 0, 0, 0])
    for (const [_first, _second, seconds] of left) expect(Number(seconds)).toBeLessThanOrEqual(40)
    expectRefusal(answers[6]!, 429, 'too-many-requests')
    expect(Number(answers[6]!.headers['retry-after'])).toBeLessThanOrEqual(40)
    setClock(holdfast, '2029-06-01T12:01:20Z')
    expect((await ask(9)).status).toBe(412)
  })

  it('has separate limits for completing, identifying and logging in', async () => {
    withSettings({ rateLimitPublic: 2 })
    const where = await roomWith(4)
    const address = newcomer()
    const answers = []
    for (const slot of await slots(where)) answers.push(await complete(where, slot, address))
    expect(counted(answers)).toEqual({ 201: 2, 429: 2 })
    const identify = `/crms/crm/resources/${where.resource}/customers/x/identify`
    const identified = []
    for (let time = 0; time < 3; time++)
      identified.push(await consumer.send('GET', identify, undefined, from(address)))
    expect(identified.map(one => one.status)).toEqual([404, 404, 429])
    const logins = []
    for (let time = 0; time < 3; time++)
      logins.push(
        await call(holdfast.app, 'POST', '/console/login/x', '', {
          headers: { ...from(address).headers, 'content-type': 'application/x-www-form-urlencoded' },
        }),
      )
    expect(logins.map(one => one.status)).toEqual([404, 404, 429])
  })

  it('is a whole /64 of IPv6, and an IPv4 address however it is written', async () => {
    withSettings({ rateLimitPublic: 1 })
    const where = await roomWith(4)
    const [slot] = await slots(where)
    const statusFor = async (address: string) => (await reserve(where, slot!, address)).status
    expect(await statusFor('2001:db8:7:1::1')).toBe(200)
    expect(await statusFor('2001:db8:7:1:ffff::9')).toBe(429)
    expect(await statusFor('2001:db8:7:2::1')).toBe(412)
    expect(await statusFor('203.0.113.77')).toBe(412)
    expect(await statusFor('::ffff:203.0.113.77')).toBe(429)
  })
})

describe('exempt', () => {
  it('applies to every client with RATE_LIMIT_PUBLIC=0', async () => {
    withSettings({ rateLimitPublic: 0, rateLimitResource: 1 })
    const where = await roomWith()
    const address = newcomer()
    const answers = await Promise.all((await slots(where)).map(slot => reserve(where, slot, address)))
    expect(counted(answers)).toEqual({ 200: 24 })
    expect(answers[0]!.headers).not.toHaveProperty('ratelimit')
  })

  it('applies to this machine, but not to clients that claim to be it', async () => {
    withSettings({ rateLimitPublic: 1 })
    const where = await roomWith()
    const list = await slots(where)
    for (const slot of list.slice(0, 8))
      expect((await consumer.reserve(where.resource, holdOf(slot))).status).toBe(200)
    const claimed = [
      await reserve(where, list[9]!, '127.0.0.1'),
      await reserve(where, list[10]!, '127.0.0.1'),
    ]
    expect(claimed.map(one => one.status)).toEqual([200, 429])
  })

  it('does not apply behind an untrusted proxy: all are one client, and the log says so once', async () => {
    setClock(holdfast, '2029-06-01T12:30:20Z')
    const config = {
      ...holdfast.service.config,
      rateLimitPublic: 2,
      trustProxy: null,
      logLevel: 'warn' as const,
    }
    const app = await startSecondInstance(holdfast, { config })
    const log = captureLog(app)
    const where = await roomWith()
    const list = await slots(where)
    const answers = []
    for (let index = 0; index < 4; index++)
      answers.push(await reserve(where, list[index]!, newcomer(), {}, app))
    expect(answers.map(one => one.status)).toEqual([200, 200, 429, 429])
    expect(log.text().match(/TRUST_PROXY/g)).toHaveLength(1)
  })

  it('does not apply to the booking page without JavaScript either', async () => {
    withSettings({ rateLimitPublic: 1 })
    const where = await roomWith()
    const page = async (address: string) => {
      const { headers } = await holdfast.app.inject({
        method: 'POST',
        url: `/book/${where.resourceUuid}/reserve`,
        headers: { ...from(address).headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'slot=1 2 x',
      })
      return headers.location
    }
    const address = newcomer()
    await page(address)
    expect(await page(address)).toContain('notice=busy')
    await page('127.0.0.1')
    expect(await page('127.0.0.1')).toContain('notice=busy')
  })
})
