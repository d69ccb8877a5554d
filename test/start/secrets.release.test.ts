import { TOTP } from 'otpauth'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished, vi } from 'vitest'
import { seal, unseal } from '../../src/lib/seal.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { fingerprint } from '../../src/start/check-secret.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, overHttp, slotsOf } from '../support/consumer.ts'
import { addressOf, emptyDatabase } from '../support/databases.ts'
import { freePort, type Running, run, serve, startCli } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Answer, type Caller, eventually } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

// Many processes in sequence on a busy machine.
vi.setConfig({ testTimeout: 400_000 })

const [former, next] = ['a'.repeat(32), 'b'.repeat(32)]
const apiKey = `hf_test_${'k'.repeat(24)}`
const consoleToken = 'console-token-of-the-rotation'

it('a new SECRET_KEY alone is refused until reseal is done, which continues after kill -9', async () => {
  const database = await emptyDatabase()
  const url = addressOf(database)
  const both = { DATABASE_URL: url, SECRET_KEY: next, SECRET_KEY_PREVIOUS: former }
  expect((await run(['crm', 'create', 'acme'], { DATABASE_URL: url, SECRET_KEY: former })).code).toBe(1)
  await run(['migrate'], { DATABASE_URL: url, SECRET_KEY: former })
  await run(['crm', 'create', 'acme'], { DATABASE_URL: url, SECRET_KEY: former })
  const client = await connect(database)
  const old = makeSigner(former)
  for (let count = 0; count < 1000; count++)
    await client.query(
      `insert into console_user (email, name, role, language, totp_secret) values ($1, 'x', 'operator', 'en', $2)`,
      [`u${count}@example.org`, seal(old.key('totp'), `secret ${count}`)],
    )
  await client.query(`insert into console_user (email, name, role, language, totp_secret)
    values ('lost@example.org', 'x', 'operator', 'en', 'sealed with a key that is lost')`)

  expect((await run(['crm', 'list'], both)).code).toBe(0)
  const alone = { DATABASE_URL: url, SECRET_KEY: next }
  const refused = {
    code: 1,
    output: expect.stringMatching(/^Secrets in the database are still encrypted with/),
  }
  for (const command of [['crm', 'list'], ['serve'], ['worker']])
    expect(await run(command, alone)).toEqual(refused)
  // A third key would lose the first.
  const third = { DATABASE_URL: url, SECRET_KEY: 'c'.repeat(32), SECRET_KEY_PREVIOUS: next }
  expect(await run(['crm', 'list'], third)).toEqual(refused)

  const looked = await run(['secrets', 'reseal', '--dry-run', '--json'], both)
  expect(JSON.parse(looked.output)).toMatchObject({
    resealed: { 'console_user.totp_secret': 1000 },
    unreadable: { 'console_user.totp_secret': 1 },
  })

  // Waits at a row in the middle, is killed there, and continues with the next run.
  await client.query('begin')
  await client.query(`select from console_user where email = 'u500@example.org' for update`)
  const { child, output, exit } = startCli(['secrets', 'reseal'], both)
  const watcher = await connect(database)
  const isWaiting = async () => (await watcher.query('select from pg_locks where not granted')).rowCount
  await eventually(isWaiting, 30).catch(() => expect(output()).toBe('waiting'))
  child.kill('SIGKILL')
  await exit
  await client.query('rollback')
  const isNew = async () => {
    const { rows } = await watcher.query<{ sealed: Buffer }>('select totp_secret as sealed from console_user')
    return rows.filter(row => unseal([makeSigner(next).key('totp')], row.sealed) !== null).length
  }
  const done = await isNew()
  expect(done).toBeGreaterThan(0)
  expect(done).toBeLessThan(1000)
  expect(await run(['crm', 'list'], alone)).toEqual(refused)

  const finished = await run(['secrets', 'reseal'], both)
  expect(finished).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Encrypted again:\n {2}console_user.totp_secret +\d+\nCannot be read with any key given here:\n {2}console_user.totp_secret +1\nNo secret .* SECRET_KEY_PREVIOUS .* expires on \d{4}-/,
    ),
  })
  expect(await isNew()).toBe(1000)
  expect((await run(['crm', 'list'], alone)).code).toBe(0)
  expect((await run(['secrets', 'reseal'], alone)).output).toMatch(/^Encrypted again: nothing\./)
  expect(await run(['crm', 'list'], { DATABASE_URL: url, SECRET_KEY: former })).toMatchObject({ code: 1 })
})

it('two instances replace the key in turn: logins, webhooks, links and repeated requests keep working', async () => {
  const [database, smtp, receiver] = await Promise.all([emptyDatabase(), startSmtp(), startReceiver()])
  onTestFinished(() => smtp.close())
  onTestFinished(() => receiver.close())
  const client = await connect(database)
  const ports = [await freePort(), await freePort()]
  const running: (Running & { url: string })[] = []
  const start = async (index: number, keys: Record<string, string>) => {
    const before = running[index]
    before?.child.kill('SIGTERM')
    await before?.exit
    running[index] = await serve({
      DATABASE_URL: addressOf(database),
      PORT: ports[index]!,
      BASE_URL: `http://localhost:${ports[0]}`,
      RATE_LIMIT_PUBLIC: '0',
      SMTP_URL: smtp.url,
      WEBHOOK_ALLOW_PRIVATE: '1',
      BOOTSTRAP_CRM: 'acme',
      BOOTSTRAP_API_KEY: apiKey,
      BOOTSTRAP_CONSOLE_TOKEN: consoleToken,
      ...keys,
    })
  }
  const oldOnly = { SECRET_KEY: former }
  const oldSigns = { SECRET_KEY: former, SECRET_KEY_PREVIOUS: next }
  const newSigns = { SECRET_KEY: next, SECRET_KEY_PREVIOUS: former }
  const newOnly = { SECRET_KEY: next }

  await start(0, oldOnly)
  await start(1, oldOnly)
  const crm = callerAt(running[0]!.url)
  const practice = await makePractice(crm)
  await makeTimeslot(crm, practice, { raster: 5 })
  const world = { client, smtp, receiver, resource: practice.resourceUuid }
  const made: Made[] = []
  const useAll = async () => {
    for (const { url } of running) made.push(await makeThings(url, world))
    for (const { url } of running)
      for (const one of new Set([made[0]!, ...made.slice(-2)]))
        expect(await use(url, one, world)).toEqual(works)
  }
  await useAll()
  // First step: every instance accepts the new key. Second step: every instance signs with it.
  for (const keys of [oldSigns, newSigns])
    for (const index of [0, 1]) {
      await start(index, keys)
      await useAll()
      if (keys === newSigns && index === 0) {
        const early = await run(['secrets', 'reseal'], { DATABASE_URL: addressOf(database), ...newSigns })
        expect(early).toMatchObject({
          code: 1,
          output: expect.stringContaining('still uses another SECRET_KEY'),
        })
      }
    }
  const resealed = await run(['secrets', 'reseal', '--json'], {
    DATABASE_URL: addressOf(database),
    ...newSigns,
  })
  expect(JSON.parse(resealed.output).resealed).toMatchObject({
    'webhook.secret': 7,
    'console_user.totp_secret': 7,
  })
  await useAll()
  // Without the old key, what is in the database works; links and stored answers signed with it do not.
  const signedBefore = made.filter((_, index) => index < 6 || index === 7)
  for (const index of [0, 1]) await start(index, newOnly)
  for (const [index, one] of made.entries())
    expect(await use(running[index % 2]!.url, one, world)).toEqual(
      signedBefore.includes(one)
        ? { ...works, cursor: 400, link: expect.any(Number), repeated: 422 }
        : { ...works, link: expect.any(Number) },
    )
  const { rows } = await client.query('select fingerprint, still_needed from secret_fingerprint')
  expect(rows).toEqual([{ fingerprint: fingerprint(next), still_needed: null }])
})

async function connect(database: pg.PoolConfig) {
  const client = new pg.Client(database as pg.ClientConfig)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const callerAt = (url: string): Caller => {
  const as =
    (method: string) =>
    (
      path: string,
      body?: unknown,
      { headers = {} }: { headers?: Record<string, string> } = {},
    ): Promise<Answer> =>
      overHttp(url)(method, `/crms/acme${path}`, body, {
        headers: { 'x-service-client-id': apiKey, ...headers },
      })
  const get = as('GET')
  return {
    name: 'acme',
    key: apiKey,
    get: (path, options) => get(path, undefined, options),
    post: as('POST'),
    put: as('PUT'),
    patch: as('PATCH'),
    delete: as('DELETE'),
  }
}

type World = {
  client: pg.Client
  smtp: Awaited<ReturnType<typeof startSmtp>>
  receiver: Awaited<ReturnType<typeof startReceiver>>
  resource: string
}

type Made = Awaited<ReturnType<typeof makeThings>>

let counter = 0
const password = 'correct horse battery'
const customer = (name: string) => ({ reference: `${name}@plat`, lastName: 'Berg' })

/** A webhook, a login with a second factor, a booking with its link, a cursor and a request with a stored answer. */
async function makeThings(url: string, { smtp, receiver, resource }: World) {
  const crm = callerAt(url)
  const name = `n${++counter}`
  const webhook = (await crm.post('/webhooks', { url: receiver.url, kinds: ['webhook.disabled'] })).body
  const cursor = (await crm.get('/events?after=now')).body.next as string
  const once = () =>
    crm.post(
      '/user',
      { ...customer(name), email: `${name}@u.example`, username: name },
      {
        headers: { 'idempotency-key': name },
      },
    )
  expect((await once()).status).toBe(201)

  const consumer = asConsumer(overHttp(url))
  const [slot] = slotsOf(await consumer.list(resource))
  const guest = `${name}@guest.example`
  expect((await consumer.complete(resource, bookingOf(slot!, { email: guest }))).status).toBe(201)
  const letter = await eventually(async () => smtp.to(guest)[0], 60)
  const link = new URL(/http:\S+\/cancel\/[\w.-]+/.exec(letter.mail.text ?? '')![0]).pathname

  const email = `${name}@staff.example`
  const asOperator = { authorization: `Bearer ${consoleToken}` }
  const invited = await overHttp(url)(
    'POST',
    '/console/api/logins',
    { email, role: 'operator' },
    { headers: asOperator },
  )
  expect(invited.status, invited.text).toBeLessThan(300)
  const mail = await eventually(async () => smtp.to(email)[0], 60)
  const login = new URL(/http:\S+\/console\/login\/[\w-]+/.exec(mail.mail.text ?? '')![0]).pathname
  const opened = await fetch(url + login, { method: 'POST', redirect: 'manual' })
  const cookie = opened.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const ask = (method: string, path: string, body?: object) =>
    overHttp(url)(method, `/console/api${path}`, body, { headers: { cookie, origin: url } })
  expect((await ask('PUT', '/session/password', { password })).status).toBe(204)
  const { secret } = (await ask('POST', '/session/totp')).body
  const totp = new TOTP({ secret })
  expect((await ask('POST', '/session/totp/confirm', { code: totp.generate() })).status).toBe(200)
  return { name, webhook, cursor, link, email, totp, cookie }
}

const works = {
  delivered: true,
  signed: true,
  cursor: 200,
  link: 200,
  login: 204,
  session: 200,
  repeated: 201,
}

async function use(url: string, one: Made, { client, receiver }: World) {
  const crm = callerAt(url)
  const tested = await crm.post(`/webhooks/${one.webhook.uuid ?? one.webhook.webhook.uuid}/test`)
  const { body, headers } = receiver.received.at(-1)!
  const secret = one.webhook.secret ?? one.webhook.webhook.secret
  const signed = new Webhook(secret).verify(body, headers as Record<string, string>) !== null
  const cursor = await crm.get(`/events?after=${encodeURIComponent(one.cursor)}`)
  const link = await overHttp(url)('GET', one.link)
  // A code works once, and this test uses several in the same half minute.
  await client.query('update console_user set totp_step = 0')
  await client.query('truncate rate_window')
  const login = await overHttp(url)('POST', '/console/api/session/password', {
    email: one.email,
    password,
    code: one.totp.generate(),
  })
  const session = await overHttp(url)('GET', '/console/api/session', undefined, {
    headers: { cookie: one.cookie },
  })
  const repeated = await crm.post(
    '/user',
    { ...customer(one.name), email: `${one.name}@u.example`, username: one.name },
    { headers: { 'idempotency-key': one.name } },
  )
  return {
    delivered: tested.body.delivery?.delivered,
    signed,
    cursor: cursor.status,
    link: link.status,
    login: login.status,
    session: session.status,
    repeated: repeated.status,
  }
}
