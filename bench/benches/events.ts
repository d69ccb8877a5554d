import { setTimeout as pause } from 'node:timers/promises'
import type { Bare } from '../lib/bare.ts'
import { compare } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { freeSlots, post, type Seeded } from '../lib/seed.ts'
import { apiKey, crm, type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { bookPairs } from './reserve.ts'

// The cost of sending every event to integrators, and the delay until they receive it.

const allowed = { env: { WEBHOOK_ALLOW_PRIVATE: '1' } }

export const events = async (): Promise<Row[]> => [
  ...(await besideWebhooks()),
  ...(await onStage(async stage => [...(await delivery(stage)), ...(await catchingUp(stage))], allowed)),
]

/** Two equal services, one of which sends every event to ten receivers on the same two cores. */
const besideWebhooks = () =>
  onStage(async followed => {
    const receiver = await followed.bare('receiver', { pauseMs: 0 })
    for (let index = 0; index < 10; index++) await follow(followed.service, receiver)
    return onStage(async alone => {
      const [ours, limit] = [await pairsOf(followed, untilDelivered), await pairsOf(alone)]
      const before = await eventBytes(alone.service)
      const result = await compare(ours.run, limit.run, 5)
      const bytes = ((await eventBytes(alone.service)) - before) / limit.count()
      return [
        atLeast('pair beside ten webhooks, beside none', 'pairs/s', result, 0.85),
        reported('event log', `${Math.round(bytes)} bytes a booking`),
      ]
    }, allowed)
  }, allowed)

/** `after`: not counted, and finished before the other service is measured. */
async function pairsOf({ service, seeded, load }: Stage, after = async (_: Running) => {}) {
  const book = bookPairs(await freeSlots(service, seeded), service, load)
  let count = 0
  return {
    count: () => count,
    async run() {
      const outcome = await book()
      count += outcome.count
      await after(service)
      return outcome.perSecond
    },
  }
}

/** Deferred deliveries must not disturb the other service's round. */
const untilDelivered = (service: Running) =>
  withSql(service, async client => {
    const begun = performance.now()
    for (;;) {
      const { rows } = await client.query(
        'select count(*)::float8 as behind from webhook where after_id < (select max(id) from event)',
      )
      if (rows[0].behind === 0) break
      await pause(200)
    }
    progress(`  the rest delivered ${((performance.now() - begun) / 1000).toFixed(1)} s later`)
  })

const follow = (service: Running, { port }: Bare) =>
  post(service, '/webhooks', { url: `http://127.0.0.1:${port}/hook` })

const eventBytes = (service: Running) =>
  withSql(service, async client => {
    const { rows } = await client.query("select pg_total_relation_size('event')::float8 as bytes")
    return rows[0].bytes as number
  })

/** A thousand events to one receiver that takes 20 ms for each. */
async function delivery({ service, seeded, bare }: Stage): Promise<Row[]> {
  const receiver = await bare('receiver', { pauseMs: 20 })
  await follow(service, receiver)
  const begun = performance.now()
  await makeCustomers(service, seeded, 1000)
  const received = async () => Number(await (await fetch(`http://127.0.0.1:${receiver.port}/`)).text())
  while ((await received()) < 1000) await pause(50)
  const seconds = (performance.now() - begun) / 1000
  const row = reported('1,000 events to a receiver that takes 20 ms', `${seconds.toFixed(1)} s`, 'under 10 s')
  return [{ ...row, reached: seconds < 10 }]
}

const makeCustomers = (service: Running, { path, provider }: Seeded, count: number) =>
  post(service, `${path}/customers`, {
    customers: Array.from({ length: count }, (_, index) => ({
      customerReference: `c${index}@bench`,
      providerReference: provider,
      userName: `Ann Winter ${index}`,
      email: `ann${index}@example.org`,
    })),
  })

/** A reader that is far behind. */
async function catchingUp({ service }: Stage): Promise<Row[]> {
  const behind = 100_000
  const first = await readEvents(service, null, 1)
  await withSql(service, client =>
    client.query(`
      insert into event (crm_id, era, kind, provider_id, subject, actor_kind)
      select customer_events.crm_id, era, 'customer.changed', provider_id, subject, 'service'
      from (select * from event where kind = 'customer.created' limit 1000) as customer_events
      cross join generate_series(1, ${behind / 1000})
    `),
  )
  const begun = performance.now()
  let count = 0
  let next: string | null = first.next
  for (let more = true; more && next; ) {
    const page: Page = await readEvents(service, next, 500)
    count += page.events.length
    next = page.next
    more = page.more
  }
  const rate = count / ((performance.now() - begun) / 1000)
  const row = reported(
    `a reader ${behind.toLocaleString('en')} events behind`,
    `${Math.round(rate).toLocaleString('en')} events/s`,
    'at least 5,000 events/s',
  )
  return [{ ...row, reached: rate >= 5000 }]
}

type Page = { events: unknown[]; next: string; more: boolean }

async function readEvents({ origin }: Running, after: string | null, limit: number): Promise<Page> {
  const query = new URLSearchParams({ limit: String(limit), ...(after ? { after } : {}) })
  const response = await fetch(`${origin}/crms/${crm}/events?${query}`, {
    headers: { 'x-service-client-id': apiKey },
  })
  if (!response.ok) throw new Error(`events: ${response.status} ${await response.text()}`)
  return (await response.json()) as Page
}
