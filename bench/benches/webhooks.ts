import { setTimeout as pause } from 'node:timers/promises'
import type { Bare } from '../lib/bare.ts'
import { book } from '../lib/booking.ts'
import { short, spread } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots, post } from '../lib/seed.ts'
import { apiKey, crm, type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { busyMs, busySince } from '../lib/usage.ts'

const scale = Number(process.env.SCALE ?? 1)
const [many, few] = [Math.round(20_000 * scale), 20]
const idleSeconds = 20

const allowed = { env: { WEBHOOK_ALLOW_PRIVATE: '1' } }

/** Webhooks for which nothing happens, and one that is far behind and wants few of the events. */
export const webhooks = async (): Promise<Row[]> => [
  ...(await idleRows()),
  ...(await onStage(behindRows, allowed)),
]

/** Two equal services, in turns. */
const idleRows = () =>
  onStage(
    large =>
      onStage(
        async small => {
          await makeWebhooks(large.service, many)
          await makeWebhooks(small.service, few)
          const pairs: { large: number; small: number }[] = []
          for (let round = 0; round < 3; round++)
            pairs.push({ large: await idlePercent(large.service), small: await idlePercent(small.service) })
          const [ours, limit] = [spread(pairs.map(one => one.large)), spread(pairs.map(one => one.small))]
          const lines = [await metricLines(large.service), await metricLines(small.service)] as const
          return [
            {
              ...reported(
                `${many.toLocaleString('en')} idle webhooks, beside ${few}`,
                `${ours.median.toFixed(2)} % of a core`,
                'at most 1 % more',
              ),
              limit: `${limit.median.toFixed(2)} % of a core`,
              reached: ours.median - limit.median <= 1,
            },
            {
              ...reported('series of /metrics', String(lines[0]), 'no more'),
              limit: String(lines[1]),
              reached: lines[0] - lines[1] < 20,
            },
          ]
        },
        { ...allowed, data: { resources: 2, days: 2 } },
      ),
    { ...allowed, data: { resources: 2, days: 2 } },
  )

/** Each of a CRM of its own, up to date. */
const makeWebhooks = (service: Running, count: number) =>
  withSql(service, async client => {
    progress(`  ${count} webhooks`)
    await client.query(
      `with tenants as (insert into crm (name, language) select 'idle-' || n, 'en' from generate_series(1, $1::int) as n returning id)
      insert into webhook (crm_id, url, secret, after_era, after_xid, after_id)
      select id, 'https://example.org/', '', 1000, '0', 0 from tenants`,
      [count],
    )
    await client.query('vacuum analyze')
  })

async function idlePercent({ pid }: Running): Promise<number> {
  await pause(1000)
  const before = busyMs(pid)
  await pause(idleSeconds * 1000)
  return busySince(pid, before) / idleSeconds / 10
}

async function metricLines({ origin }: Running): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return text.split('\n').filter(line => line && !line.startsWith('#')).length
}

const delivered = Math.round(4000 * scale)
const oneOf = 20

/** The same events to two receivers, one after the other: one wants all of a part, one a twentieth of all. */
async function behindRows(stage: Stage): Promise<Row[]> {
  const { service, seeded, bare } = stage
  const slots = await freeSlots(service, seeded)
  await book(service, slots.shift()!)
  await pause(1000)
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 0; round < 4; round++) {
    const receiver = await bare('receiver', { pauseMs: 0 })
    ours.push(await catchUp(service, receiver, delivered * oneOf, ['customer.changed']))
    limit.push(await catchUp(service, receiver, delivered, null))
  }
  // The first round compiles the service's code.
  const [filtered, plain] = [spread(ours.slice(1)), spread(limit.slice(1))]
  const ratio = filtered.median / plain.median
  return [
    {
      ...reported(
        `an event to a webhook ${(delivered * oneOf).toLocaleString('en')} events behind that wants one of ${oneOf}, beside one that wants all`,
        `${short(filtered.median)} ms of CPU`,
        'at most 1.25',
      ),
      limit: `${short(plain.median)} ms of CPU`,
      ratio: ratio.toFixed(2),
      reached: ratio <= 1.25,
    },
  ]
}

/** CPU per delivered event, from the creation of the webhook until all have arrived. */
async function catchUp(service: Running, receiver: Bare, events: number, kinds: string[] | null) {
  const before = await received(receiver)
  const wanted = kinds ? events / oneOf : events
  const { webhook } = await post(service, '/webhooks', {
    url: `http://127.0.0.1:${receiver.port}/hook`,
    ...(kinds && { kinds }),
  })
  await withSql(service, client =>
    client.query(
      `insert into event (crm_id, era, kind, provider_id, subject, actor_kind)
      select crm_id, era, case when n % ${oneOf} = 0 then 'customer.changed' else 'customer.created' end, provider_id, subject, 'service'
      from (select * from event where kind = 'customer.created' order by id limit 1) as known, generate_series(1, $1::int) as n`,
      [events],
    ),
  )
  const used = busyMs(service.pid)
  while ((await received(receiver)) - before < wanted) await pause(100)
  const cpu = busySince(service.pid, used)
  progress(`  ${wanted} delivered of ${events}: ${(cpu / wanted).toFixed(2)} ms each`)
  await fetch(`${service.origin}/crms/${crm}/webhooks/${webhook.uuid}`, {
    method: 'DELETE',
    headers: { 'x-service-client-id': apiKey },
  })
  return cpu / wanted
}

const received = async ({ port }: Bare) => Number(await (await fetch(`http://127.0.0.1:${port}/`)).text())
