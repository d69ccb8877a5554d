import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { runningOn } from '../../src/db/embedded/index.ts'
import type { Step } from '../../src/start/move-tenant.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { overHttp } from '../support/consumer.ts'
import { follow, startLoad } from '../support/move-load.ts'
import { freePort, newDataDir, postmasterOf, type Running, serve } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Caller, eventually } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

// Many starts of real services on a busy machine.
vi.setConfig({ testTimeout: 600_000 })

const steps: Step[] = ['begun', 'copied', 'caught-up', 'suspended', 'drained', 'final', 'left', 'arrived']
/** An email is noted as sent within this time after the mail server accepted it, on a busy machine. */
const inFlightMs = 10_000
/** That many can be on their way at once. */
const mailConnections = 4
const apiKey = `hf_test_${'k'.repeat(24)}`

it('a move survives kill -9 of both services and both databases at every step', async () => {
  const [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()])
  onTestFinished(() => smtp.close())
  onTestFinished(() => receiver.close())
  const common = {
    SMTP_URL: smtp.url,
    DEMO: '0',
    WEBHOOK_ALLOW_PRIVATE: '1',
    RATE_LIMIT_PUBLIC: '0',
    RATE_LIMIT_RESOURCE: '0',
    RATE_LIMIT_MAIL: '0',
  }
  const source = await startSide({ ...common, BOOTSTRAP_CRM: 'crm', BOOTSTRAP_API_KEY: apiKey })
  const target = await startSide(common)
  const crm = callerAt(source.url)
  const practice = await makePractice(crm)
  for (let day = 0; day < 12; day++)
    await makeTimeslot(crm, practice, {
      start: `2030-01-${10 + day}T00:00`,
      end: `2030-01-${10 + day}T23:30`,
      raster: 5,
    })
  const hook = { url: receiver.url, kinds: ['participation.booked'] }
  expect((await crm.post('/webhooks', hook)).status).toBe(201)

  const load = startLoad(source.url, practice.resourceUuid)
  const follower = follow(source.url, 'crm', apiKey)
  const kills: number[] = []
  let hasLeft = false
  for (const step of steps) {
    if (hasLeft && step === 'left') continue
    const before = load.booked.length
    await eventually(async () => load.booked.length > before, 120).catch(() => {
      throw new Error(`Before ${step}, bookings do not go on. Last answer: ${load.last()}`)
    })
    const victims = [source, target].flatMap(side => [side.pid(), postmasterOf(side.dataDir)!])
    const { output } = await move(source, target, step, victims)
    kills.push(Date.now())
    expect(output).toContain(step)
    await Promise.all([source.restart(), target.restart()])
    // Between left and arrived the CRM is closed on both sides, until the command is run again. It can have left although the kill
    // was before that step: a backend whose postmaster is dead may still commit the next statement.
    if (hasLeft || !(await leftAt(source))) continue
    hasLeft = true
    expect((await move(source, target, null, [])).output).toContain('arrived')
  }
  const done = await move(source, target, null, [])
  expect(done.output).toContain('arrived')
  const atSource = load.booked.length
  await eventually(async () => load.booked.length > atSource + 5, 120)
  await load.stop()

  const pool = new pg.Pool(target.connection())
  onTestFinished(() => pool.end())
  const column = async (text: string) => (await pool.query(text)).rows.map(row => String(row.value))
  // Bookings: every confirmed one is there, and no person or place twice.
  const emails = await column(
    `select email as value from participation where state = 'BOOKED' and email like '%@load.example' order by 1`,
  )
  expect(new Set(emails).size).toBe(emails.length)
  expect(load.booked.filter(email => !emails.includes(email))).toEqual([])
  expect((await checkInvariants(pool)).filter(one => one.violations > 0)).toEqual([])
  // Events: a reader with a cursor sees each once.
  const logged = await column(
    `select event.uuid as value from event join crm on crm.id = crm_id where name = 'crm'`,
  )
  await eventually(async () => follower.seen.length >= logged.length, 60)
  follower.stop()
  expect(follower.seen.toSorted()).toEqual(logged.toSorted())
  // Webhooks: none missed. A killed service may repeat a delivery, with the same id.
  const booked = await column(`select uuid as value from event where kind = 'participation.booked'`)
  const delivered = () => new Set(receiver.received.map(one => String(one.headers['webhook-id'])))
  await eventually(async () => delivered().size >= booked.length, 60)
  expect([...delivered()].toSorted()).toEqual(booked.toSorted())
  // Emails: one for each booking. Only what was being sent during a kill may come again, with the same Message-ID.
  await eventually(
    async () => (await column(`select id as value from mail where state = 'queued'`)).length === 0,
    120,
  )
  const letters = smtp.accepted.filter(one => one.to.endsWith('@load.example') && one.kind !== 'reminder')
  const distinct = new Map(letters.map(one => [one.messageId, one.to]))
  expect([...distinct.values()].toSorted()).toEqual(emails)
  const copied = letters.filter(
    (one, index) => letters.findIndex(same => same.messageId === one.messageId) < index,
  )
  const inFlight = (at: number) => kills.some(kill => at > kill - inFlightMs && at < kill)
  const unexplained = copied.filter(
    copy => !letters.some(one => one.messageId === copy.messageId && one !== copy && inFlight(one.at)),
  )
  expect(unexplained).toEqual([])
  expect(copied.length).toBeLessThanOrEqual(kills.length * mailConnections)
  console.info(`${letters.length} emails, ${copied.length} of them copies after ${kills.length} kills`)
})

async function startSide(env: Record<string, string>) {
  const dataDir = newDataDir()
  const PORT = await freePort()
  const settings = {
    ...env,
    DATA_DIR: dataDir,
    PORT,
    BASE_URL: `http://127.0.0.1:${PORT}`,
    DRAIN_SECONDS: '0',
  }
  let running: Running = await serve(settings)
  return {
    dataDir,
    url: `http://127.0.0.1:${PORT}`,
    pid: () => running.child.pid!,
    connection: () => ({ ...runningOn(dataDir)!.connection, database: 'holdfast' }),
    async restart() {
      await running.exit
      running = await serve(settings)
    },
  }
}

type Side = Awaited<ReturnType<typeof startSide>>

const script = fileURLToPath(new URL('../support/move-process.ts', import.meta.url))
const secretOf = ({ dataDir }: Side) => readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()

async function leftAt(side: Side): Promise<boolean> {
  const client = new pg.Client(side.connection())
  await client.connect()
  const { rows } = await client.query(`select moved_to is not null as left from crm where name = 'crm'`)
  await client.end()
  return rows[0].left
}

async function move(source: Side, target: Side, killAt: Step | null, victims: number[]) {
  const sideOf = (side: Side) => ({
    connection: side.connection(),
    secret: secretOf(side),
    name: side.dataDir,
  })
  const MOVE = JSON.stringify({
    source: sideOf(source),
    target: sideOf(target),
    address: target.url,
    pauseSeconds: 5,
    killAt,
    victims,
  })
  const child = spawn(process.execPath, [script], { env: { ...process.env, MOVE } })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  await once(child, 'exit')
  return { output }
}

const callerAt = (url: string): Caller => {
  const as = (method: string) => (path: string, body?: unknown) =>
    overHttp(url)(method, `/crms/crm${path}`, body, { headers: { 'x-service-client-id': apiKey } })
  return {
    name: 'crm',
    key: apiKey,
    get: path => as('GET')(path),
    post: as('POST'),
    put: as('PUT'),
    patch: as('PATCH'),
    delete: as('DELETE'),
  }
}
