// npm run failover: the setup of docs/operations.md, "High availability", with real Patroni, etcd and
// HAProxy.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openMailSink } from '../../src/torture/mail-sink.ts'
import { apiKey, asIntegrator, crm, providerPath } from '../../src/torture/seed.ts'
import { freePort, serve } from '../support/process.ts'
import { eventually } from '../support/service.ts'
import { type Crowd, post, type Slot, startCrowd } from './crowd.ts'
import { missingTool, type PatroniNode, type PatroniPair, startPatroniPair } from './patroni.ts'

const missing = missingTool()
if (missing) console.log(`The test with Patroni is skipped: ${missing} is missing.`)

const single = { reference: 'single@torture', capacity: 1 }

it.skipIf(missing)(
  'keeps every booking and email through switchover, kill -9 and a suspended primary, without manual steps',
  async () => {
    const pair = await startPatroniPair()
    onTestFinished(({ task }) => {
      if (task.result?.state === 'fail') console.log(pair.nodes.map(node => node.lastLines(150)).join('\n\n'))
    })
    const sink = await openMailSink()
    onTestFinished(() => sink.close())
    const env = {
      DATABASE_URL: pair.url,
      SECRET_KEY: 's'.repeat(32),
      SMTP_URL: sink.url,
      BASE_URL: 'http://localhost',
      BOOTSTRAP_CRM: crm,
      BOOTSTRAP_API_KEY: apiKey,
      RATE_LIMIT_PUBLIC: '0',
      RATE_LIMIT_RESOURCE: '0',
    }
    const first = await serve({ ...env, PORT: await freePort() })
    const second = await serve({ ...env, PORT: await freePort() })
    const origins = [first.url, second.url]
    const crowd = await startCrowd(first.url, { others: [second.url], extraRooms: [single] })
    const slots = await slotsOf(first.url)
    const sold: number[] = []
    await isBooking(crowd)

    for (const [index, fault] of faults.entries()) {
      const since = Date.now()
      const primary = (await pair.primary())!
      const repair = await fault.strike(pair, primary)
      const rivals = slots.slice(index * 4, index * 4 + 4).map(slot => fightFor(origins, slot))
      await repair()
      await isBooking(crowd)
      const took = Date.now() - since
      await pair.settled()
      sold.push(...(await Promise.all(rivals)))
      const next = (await pair.primary())!
      console.log(`${fault.name}: primary ${primary.name} -> ${next.name}, ${took} ms until bookings went on`)
    }
    await crowd.end()

    const emails = crowd.promised.map(one => one.email)
    const places = await placesOf(first.url)
    const arrived = (email: string) => sink.arrivals.filter(one => one.to === email)
    await eventually(async () => emails.every(email => arrived(email).length > 0), 60).catch(() => {})
    const report = {
      acknowledged: emails.length,
      lost: emails.filter(email => !places.has(email)).length,
      soldTwice:
        sold.filter(count => count > 1).length + [...places.values()].filter(count => count > 1).length,
      soldOnce: sold.filter(count => count === 1).length,
      emailsLost: emails.filter(email => arrived(email).length === 0).length,
      emailsTwice: emails.filter(email => arrived(email).length > 1).length,
      answers: crowd.answers,
    }
    console.log(JSON.stringify(report))
    expect(report).toMatchObject({
      lost: 0,
      soldTwice: 0,
      soldOnce: sold.length,
      emailsLost: 0,
      emailsTwice: 0,
    })
    expect([first.child.exitCode, second.child.exitCode]).toEqual([null, null])
  },
  600_000,
)

type Fault = {
  name: string
  /** Returns the recovery that systemd or time would perform later. */
  strike(pair: PatroniPair, primary: PatroniNode): Promise<() => Promise<void>>
}

const faults: Fault[] = [
  {
    name: 'switchover',
    async strike({ nodes }, primary) {
      const candidate = nodes.find(node => node !== primary)!
      const done = await fetch(`http://127.0.0.1:${primary.ports.rest}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: primary.name, candidate: candidate.name }),
      })
      expect(done.status, await done.text()).toBe(200)
      return async () => {}
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    async strike(_, primary) {
      primary.killPostgres()
      return async () => {}
    },
  },
  {
    name: 'kill -9 of Patroni',
    async strike({ nodes }, primary) {
      primary.killPatroni()
      return async () => {
        // The old primary still runs and accepts connections while the other takes over; then systemd
        // restarts Patroni.
        const other = nodes.find(node => node !== primary)!
        await eventually(() => other.isPrimary(), 60)
        primary.start()
      }
    },
  },
  {
    name: 'a standstill of 30 seconds',
    async strike(_, primary) {
      primary.signalAll('SIGSTOP')
      return async () => {
        await pause(30_000)
        primary.signalAll('SIGCONT')
      }
    },
  },
]

async function isBooking(crowd: Crowd) {
  const now = crowd.promised.length
  await eventually(async () => crowd.promised.length >= now + 20, 180)
}

async function slotsOf(origin: string): Promise<Slot[]> {
  const response = await fetch(`${origin}/resources/${single.reference}/upcoming_bookables`)
  const days = (await response.json()) as Record<string, Slot[]>
  return Object.values(days)
    .flat()
    .filter(one => one.timeslot_uuid)
}

/** One client per instance requests the only place. Returns how many got it. */
async function fightFor(origins: string[], slot: Slot): Promise<number> {
  const results = await Promise.all(
    origins.map(async (origin, index) => {
      const { start, end, timeslot_uuid, product_uuid, products } = slot
      const request = {
        ...{ start, end, timeslot_uuid, product_uuid: product_uuid ?? products[0]!.uuid },
        ...{
          placeholder_id: crypto.randomUUID(),
          email: `rival-${index}-${Date.parse(start)}@failover.example`,
        },
        ...{ firstname: 'Ann', lastname: 'Berg' },
      }
      for (;;) {
        const { status } = await post(
          `${origin}/resources/${single.reference}/create_appointment_with_consumer`,
          request,
        )
        if (status === 201) return 1
        if (status === 412) return 0
        await pause(200)
      }
    }),
  )
  return results.filter(Boolean).length
}

/** Number of places per email address. */
async function placesOf(origin: string): Promise<Map<string, number>> {
  const response = await fetch(`${origin}${providerPath}/appointments`, { headers: asIntegrator })
  const all = (await response.json()) as { participations: { email: string; state: string }[] }[]
  const counts = new Map<string, number>()
  for (const { email, state } of all.flatMap(one => one.participations))
    if (state === 'BOOKED') counts.set(email, (counts.get(email) ?? 0) + 1)
  return counts
}
