import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { cancelMove, moveTenant, type Step } from '../../src/start/move-tenant.ts'
import { makePractice, makeProvider, makeTimeslot } from '../support/build.ts'
import { addressOf } from '../support/databases.ts'
import { follow, startLoad } from '../support/move-load.ts'
import { run } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, runJobs, startTestService, type TestService } from '../support/service.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

// Many processes in sequence on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const steps: Step[] = ['copied', 'caught-up', 'suspended', 'drained', 'final', 'left']
const secrets = { source: 's'.repeat(32), target: 't'.repeat(32) }

it('a CRM in use moves, through kill -9 at every step: nothing lost, sold twice, sent twice or missed', async () => {
  const [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()])
  const [source, target] = await Promise.all([start(secrets.source, smtp), start(secrets.target, smtp)])
  // A CRM of the same name blocks the move until it is renamed, and ids of the target are in use.
  await query(target, `update crm set name = 'resident' where name = 'crm'`)
  await makePractice(target.otherCrm)
  const practice = await makePractice(source.crm)
  for (const one of [source, target]) await query(one, `update provider set slug = 'harbour'`)
  await makeProvider(source.crm, { slug: 'harbour-2' })
  await makeProvider(source.crm, { slug: 'quay' })
  await makeProvider(target.otherCrm, { reference: 'quay' })
  for (let day = 0; day < 12; day++)
    await makeTimeslot(source.crm, practice, {
      start: `2030-01-${10 + day}T00:00`,
      end: `2030-01-${10 + day}T23:30`,
    })
  const webhook = { url: receiver.url, kinds: ['participation.booked'] }
  expect((await source.crm.post('/webhooks', webhook)).status).toBe(201)

  const calendars = `${practice.path}/resources/${encodeURIComponent(practice.resource)}/calendar_sources`
  const question = { key: 'reason', type: 'text', label: { en: 'Reason' } }
  expect((await source.crm.post(`${practice.path}/questions`, question)).status).toBe(201)
  const calendar = { kind: 'ics', address: 'https://calendar.invalid/secret.ics' }
  const { uuid } = (await source.crm.post(calendars, calendar)).body.source
  expect((await source.crm.patch(`${calendars}/${uuid}`, { paused: true })).status).toBe(200)

  const [old, fresh] = await Promise.all([open(source), open(target)])

  const load = startLoad(old, practice.resourceUuid)
  const follower = follow(old, 'crm', source.crm.key)
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

  // The slug was taken there.
  const slugs = await query(target, `select slug from provider where slug is not null order by slug`)
  expect(slugs.map(one => one.slug)).toEqual(['harbour', 'harbour-2', 'harbour-3', 'quay-2'])

  // Questions, and calendars with their sealed addresses.
  const atTarget = async (method: string, path: string, body?: object) => {
    const headers = { 'x-service-client-id': source.crm.key, 'content-type': 'application/json' }
    const answer = await fetch(`${fresh}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  expect(await atTarget('GET', `/crms/crm${practice.path}/questions`)).toMatchObject([question])
  const renamed = await atTarget('PATCH', `/crms/crm${calendars}/${uuid}`, { name: 'Moved' })
  expect(renamed.source).toMatchObject({ name: 'Moved', host: 'calendar.invalid' })

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

  // Changes are tracked only during a move.
  const tracking = await query(source, `select from pg_trigger where tgname = 'track' and tgenabled <> 'D'`)
  expect(tracking).toEqual([])
  expect(await query(source, 'select from tracked_change')).toEqual([])

  // And back: the copy that stayed in the source is deleted first, as its message says.
  const kept = await move(target, source, old, null)
  expect(kept.output).toContain('already has a crm')
  await cancelMove(target.connection, (await findCrm(target.service.db, 'crm'))!)
  const database = { DATABASE_URL: addressOf(source.connection), SECRET_KEY: secrets.source }
  expect(await run(['crm', 'delete', 'crm', '--yes'], database)).toMatchObject({ code: 0 })
  expect((await move(target, source, old, null)).output).toContain('arrived')
  expect(
    await query(source, `select email from participation where state = 'BOOKED' order by email`),
  ).toEqual(rows)
  // Instances notice within about a second.
  await eventually(async () => (await fetch(link)).status === 200)
  const cursor = follow(old, 'crm', source.crm.key)
  await eventually(async () => cursor.seen.length >= logged.length)
  cursor.stop()
  expect(cursor.seen.toSorted()).toEqual(logged.toSorted())
})

it('one command at a time moves or deletes a CRM', async () => {
  const [source, target] = await Promise.all([startTestService(), startTestService()])
  onTestFinished(() => source.close())
  onTestFinished(() => target.close())
  await query(target, `update crm set name = 'resident' where name = 'crm'`)
  await makePractice(source.crm)
  const crm = (await findCrm(source.service.db, 'crm'))!
  const database = { DATABASE_URL: addressOf(source.connection), SECRET_KEY: secrets.source }
  const sideOf = (holdfast: TestService) => ({
    connection: holdfast.connection,
    signer: holdfast.service.signer,
    name: 'x',
  })
  const others: unknown[] = []
  await moveTenant({
    crm,
    source: sideOf(source),
    target: sideOf(target),
    address: '',
    pauseSeconds: 60,
    step(name) {
      if (name !== 'drained') return
      // Runs to its end while the first move is in the middle of its handover.
      const other = (...args: string[]) =>
        spawnSync(process.execPath, [inject('program'), ...args], {
          env: { PATH: process.env.PATH, ...database },
          encoding: 'utf8',
        })
      others.push(other('crm', 'delete', 'crm', '--yes').stderr)
      others.push(other('crm', 'move', 'crm', '--to', addressOf(target.connection)).stderr)
    },
  })
  expect(others).toEqual([
    expect.stringContaining('Another command is moving or deleting'),
    expect.stringContaining('Another command is moving or deleting'),
  ])
  const [moved] = await query(
    target,
    `select count(*)::int as providers from provider join crm on crm.id = crm_id where crm.name = 'crm'`,
  )
  expect(moved).toEqual({ providers: 1 })
  // A CRM in use is deleted where it was, and can still be found in its new place.
  expect(await run(['crm', 'delete', 'crm', '--yes'], database)).toMatchObject({ code: 0 })
  expect(await query(source, `select from crm where name = 'crm'`)).toEqual([])
  expect(
    await query(source, `select from pg_trigger where tgname in ('fence', 'track') and tgenabled <> 'D'`),
  ).toEqual([])
})

const start = (secret: string, smtp: TestSmtp) =>
  startTestService({
    SECRET_KEY: secret,
    SMTP_URL: smtp.url,
    SMTP_FROM: 'booking@example.org',
    WEBHOOK_ALLOW_PRIVATE: '1',
    RATE_LIMIT_PUBLIC: '100000',
    RATE_LIMIT_RESOURCE: '100000',
    RATE_LIMIT_MAIL: '100000',
  })

const open = async (holdfast: TestService) => {
  const url = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
  holdfast.service.baseUrl = url
  runJobs(holdfast)
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
  const [_first, signal] = await once(child, 'exit')
  return { output, signal }
}
