import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import type { Step } from '../../src/start/move-tenant.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, overHttp, slotsOf } from '../support/consumer.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, runJobs, startTestService, type TestService } from '../support/service.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

// Many processes in sequence on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const steps: Step[] = ['copied', 'caught-up', 'suspended', 'drained', 'final', 'left']
const secrets = { source: 's'.repeat(32), target: 't'.repeat(32) }

it('a CRM in use moves, through kill -9 at every step: nothing lost, sold twice, sent twice or missed', async () => {
  const [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()])
  const [source, target] = await Promise.all([start(secrets.source, smtp), start(secrets.target, smtp)])
  // A CRM of the same name blocks the move until it is renamed, and ids of the target are in use.
  await query(target, `update crm set name = 'resident' where name = 'crm'`)
  await makePractice(target.otherCrm)
  const practice = await makePractice(source.crm)
  for (let day = 0; day < 12; day++)
    await makeTimeslot(source.crm, practice, {
      start: `2030-01-${10 + day}T00:00`,
      end: `2030-01-${10 + day}T23:30`,
    })
  const webhook = { url: receiver.url, kinds: ['participation.booked'] }
  expect((await source.crm.post('/webhooks', webhook)).status).toBe(201)

  const [old, fresh] = await Promise.all([open(source), open(target)])

  const load = startLoad(old, practice.resourceUuid)
  const follower = follow(old, source.crm.key)
  await eventually(async () => load.booked.length > 5)
  for (const killAt of steps) {
    const { output, signal } = await move(source, target, fresh, killAt)
    expect([signal, output], output).toEqual(['SIGKILL', expect.stringContaining(killAt)])
    // The CRM opens again in the source by itself when the lease ends.
    const before = load.booked.length
    if (killAt === 'final') await eventually(async () => load.booked.length > before)
  }
  const done = await move(source, target, fresh, null)
  expect(done.output).toContain('arrived')
  const atSource = load.booked.length
  await eventually(async () => load.booked.length > atSource + 5)
  await load.stop()

  // Bookings: every confirmed one, once.
  const rows = await query(target, `select email from participation where state = 'BOOKED' order by email`)
  const emails = rows.map(row => row.email)
  expect(new Set(emails).size).toBe(emails.length)
  expect(load.booked.filter(email => !emails.includes(email))).toEqual([])
  expect((await checkInvariants(target.service.db.pool)).filter(one => one.violations > 0)).toEqual([])
  expect(
    await query(source, `select from participation where booked_at > (select left_at from crm_departure)`),
  ).toEqual([])

  // Events: a cursor of the source continues at the target.
  const logged = (
    await query(target, `select uuid from event join crm on crm.id = crm_id where name = 'crm'`)
  ).map(row => row.uuid)
  await eventually(async () => follower.seen.length >= logged.length)
  follower.stop()
  expect(follower.seen.toSorted()).toEqual(logged.toSorted())

  // Webhooks and emails: each once.
  const bookedEvents = await query(target, `select uuid from event where kind = 'participation.booked'`)
  await eventually(async () => new Set(idsOf(receiver)).size >= bookedEvents.length)
  expect(idsOf(receiver).toSorted()).toEqual(bookedEvents.map(row => row.uuid).toSorted())
  const queued = () => query(target, `select from mail where state = 'queued'`)
  await eventually(async () => (await queued()).length === 0)
  const confirmations = smtp.accepted.filter(letter => letter.to.endsWith('@load.example'))
  expect(confirmations.map(letter => letter.to).toSorted()).toEqual(emails)

  // Links in emails of the source work at the target; the source redirects there.
  const link = /http:\S+\/cancel\/[\w.-]+/.exec(confirmations[0]!.mail.text ?? '')![0]
  expect(link.startsWith(old)).toBe(true)
  const redirected = await fetch(link, { redirect: 'manual' })
  expect([redirected.status, redirected.headers.get('location')]).toEqual([308, link.replace(old, fresh)])
  expect((await fetch(link)).status).toBe(200)
})

const start = async (secret: string, smtp: TestSmtp) => {
  const test = await startTestService({
    SECRET_KEY: secret,
    SMTP_URL: smtp.url,
    SMTP_FROM: 'booking@example.org',
    WEBHOOK_ALLOW_PRIVATE: '1',
    RATE_LIMIT_PUBLIC: '100000',
    RATE_LIMIT_RESOURCE: '100000',
    RATE_LIMIT_MAIL: '100000',
  })
  test.service.signer = makeSigner(secret)
  return test
}

const open = async (test: TestService) => {
  const url = await test.app.listen({ port: 0, host: '127.0.0.1' })
  test.service.baseUrl = url
  runJobs(test)
  return url
}

const query = async ({ service }: TestService, text: string) => (await service.db.pool.query(text)).rows

const idsOf = ({ received }: Awaited<ReturnType<typeof startReceiver>>) =>
  received.map(one => String(one.headers['webhook-id']))

const script = fileURLToPath(new URL('../support/move-process.ts', import.meta.url))

async function move(source: TestService, target: TestService, address: string, killAt: Step | null) {
  const settings = {
    source: { connection: source.connection, secret: secrets.source },
    target: { connection: target.connection, secret: secrets.target },
    address,
    pauseSeconds: 4,
    killAt,
  }
  const child = spawn(process.execPath, [script], { env: { ...process.env, MOVE: JSON.stringify(settings) } })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const [, signal] = await once(child, 'exit')
  return { output, signal }
}

/** Follows redirects to the current address of the service. */
function sender(url: string) {
  let base = url
  return async (method: string, path: string, body?: unknown, options?: object) => {
    const answer = await overHttp(base)(method, path, body, options as never).catch(() => null)
    if (answer?.status === 308) base = new URL(String(answer.headers.location)).origin
    return answer
  }
}

/** Books slot after slot as new people until stopped, and records what was confirmed. */
function startLoad(url: string, resource: string) {
  const booked: string[] = []
  const send = sender(url)
  let isStopped = false
  let number = 0
  const bookOne = async () => {
    const consumer = asConsumer(async (...args) => (await send(...args)) ?? ({ status: 0 } as never))
    const list = await consumer.list(resource)
    if (list.status !== 200) return pause(50)
    const [slot] = slotsOf(list)
    const email = `p${number++}@load.example`
    // Repeated until there is a response, like a widget does.
    while (!isStopped) {
      const { status } = await consumer.complete(resource, bookingOf(slot!, { email }))
      if (status === 201) booked.push(email)
      if (status === 201 || status === 412) return
      await pause(50)
    }
  }
  const running = (async () => {
    while (!isStopped) await bookOne()
  })()
  return {
    booked,
    stop: () => {
      isStopped = true
      return running
    },
  }
}

/** Reads the event log page by page, from the start and across the move. */
function follow(url: string, key: string) {
  const seen: string[] = []
  const send = sender(url)
  let isStopped = false
  void (async () => {
    let after = ''
    while (!isStopped) {
      const path = `/crms/crm/events?limit=20${after && `&after=${encodeURIComponent(after)}`}`
      const answer = await send('GET', path, undefined, { headers: { 'x-service-client-id': key } })
      if (answer?.status === 200) {
        seen.push(...answer.body.events.map((event: { id: string }) => event.id))
        after = answer.body.next
      } else if (answer && ![308, 503].includes(answer.status)) throw new Error(answer.text)
      await pause(30)
    }
  })()
  return { seen, stop: () => (isStopped = true) }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
