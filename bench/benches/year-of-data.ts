import { remind, tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { openDb } from '../../src/db/base/pool.ts'
import type { Service } from '../../src/service.ts'
import { short, spread } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots, listPath, type Seeded } from '../lib/seed.ts'
import { apiKey, consoleToken, crm, type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { residentMegabytes } from '../lib/usage.ts'

/** SCALE=0.1 makes a tenth of it. */
const scale = Number(process.env.SCALE ?? 1)
const most = 1.25

/** What people and integrators do, timed on a small database and on one with a year behind it. */
export const yearOfData = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded }) => {
      const slots = await freeSlots(service, seeded)
      const before = await timeAll(service, seeded, slots)
      const begun = performance.now()
      await makeYear(service)
      progress(`  a year in ${Math.round((performance.now() - begun) / 1000)} s`)
      const after = await timeAll(service, seeded, slots)
      return [
        ...[...before].map(([name, small]): Row => {
          const large = after.get(name)!
          return {
            ...reported(name, `${short(large)} ms`, `at most ${most}`),
            limit: `${short(small)} ms`,
            ratio: (large / small).toFixed(2),
            // What takes a millisecond is as good as flat.
            reached: large / small <= most || large - small < 1,
          }
        }),
        reported('resident memory', `${residentMegabytes(service.pid).toFixed(0)} MB`),
      ]
    },
    { args: ['--without-jobs'] },
  )

async function timeAll(service: Running, seeded: Seeded, slots: FreeSlot[]): Promise<Map<string, number>> {
  const db = openDb(service.database)
  const config = { eventDays: 90, retentionDeliveryDays: 30, holdSeconds: 180 }
  const inside = { db, config } as unknown as Service
  const [{ uuid, reference }] = seeded.resources as [{ uuid: string; reference: string }]
  const provider = `/crms/${crm}${seeded.path}`
  const [from, to] = [`${seeded.days[0]}T00:00`, `${seeded.days[7]}T00:00`]
  const works: Record<string, () => Promise<unknown>> = {
    'list after a booking': async () => {
      await hold(service, slots.shift()!)
      await get(service, listPath(uuid))
    },
    reserve: () => hold(service, slots.shift()!),
    'reserve and complete': () => book(service, slots.shift()!),
    'Appointments of a week': () => get(service, `${provider}/appointments?from=${from}&to=${to}`),
    'Appointments of a week, one Resource': () =>
      get(
        service,
        `${provider}/appointments?from=${from}&to=${to}&resourceRef=${encodeURIComponent(reference)}`,
      ),
    'Appointments of a Resource': () =>
      get(service, `${provider}/appointments?resourceRef=${encodeURIComponent(reference)}`),
    reminders: () => remind(inside),
    tidying: () => tidy(inside),
    'mails to one address': () => get(service, '/console/api/mails?to=nobody@example.org'),
  }
  const figures = new Map<string, number>()
  for (const [name, work] of Object.entries(works)) {
    for (let time = 0; time < 5; time++) await work()
    const times: number[] = []
    for (let time = 0; time < 30; time++) {
      const begun = performance.now()
      await work()
      times.push(performance.now() - begun)
    }
    figures.set(name, spread(times).median)
  }
  await db.close()
  return figures
}

async function get({ origin }: Running, path: string) {
  const headers: Record<string, string> = path.startsWith('/console')
    ? { authorization: `Bearer ${consoleToken}` }
    : { 'x-service-client-id': apiKey }
  const response = await fetch(origin + path, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
}

async function send({ origin }: Running, path: string, body: object) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const hold = (service: Running, { resource, start, end, timeslot_uuid, product_uuid }: FreeSlot) =>
  send(service, `/resources/${resource}/reserve_appointment`, {
    timeslot_uuid,
    product_uuid,
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
  })

let people = 0

async function book(service: Running, slot: FreeSlot) {
  const { participation } = await hold(service, slot)
  const { resource, start, end, timeslot_uuid, product_uuid } = slot
  await send(service, `/resources/${resource}/create_appointment_with_consumer`, {
    start,
    end,
    timeslot_uuid,
    product_uuid,
    placeholder_id: participation.customer_uuid,
    email: `year${people++}@example.org`,
    firstname: 'Ann',
    lastname: 'Winter',
  })
}

/** Mostly of others, a tenth of the Provider who is looked at. Twice as many mails as Appointments, and Customers for five each. */
const makeYear = (service: Running) =>
  withSql(service, async client => {
    const [resources, appointments, customers] = [20_000, 1_000_000, 200_000].map(all =>
      Math.round(all * scale),
    )
    for (const statement of [
      `create temp table place as select (select crm_id from provider limit 1) as crm_id, (select id from provider limit 1) as own,
        (select id from product limit 1) as product_id`,
      `insert into provider (crm_id, owner_id, account_id, reference, name, time_zone, language)
        select crm_id, owner_id, account_id, 'year-' || number || '@bench', 'Year', time_zone, language
        from (select * from provider limit 1) as provider, generate_series(1, 50) as number`,
      `insert into resource (provider_id, reference, public_name, internal_name)
        select case when number % 10 = 0 then own else own + 1 + number % 50 end, 'year-' || number || '@bench', 'Year', 'Y'
        from place, generate_series(1, ${resources}) as number`,
      `insert into channel (provider_id, resource_id, key)
        select provider_id, id, key from resource,
          unnest(array['RESOURCE_PUBLIC', 'RESOURCE_EXCLUSIVE', 'RESOURCE_REFERENCE', 'CALENDAR_PUBLIC']) as key
        where public_name = 'Year'`,
      `insert into customer (provider_id, reference, name, email)
        select own + 1 + number % 50, 'year-' || number, 'Bo Summer ' || number, 'bo' || number || '@example.org'
        from place, generate_series(1, ${customers}) as number`,
      `insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
          capacity, accept_bookings)
        select provider_id, id, product_id, 'year-' || number, 'provider', at, at + interval '30 minutes', at,
          at + interval '30 minutes', 1, false
        from (
          select number, product_id, (select min(id) from resource where public_name = 'Year') + number % ${resources} as room,
            date_trunc('minute', now()) - make_interval(hours => 1 + number % 8760) as at
          from place, generate_series(1, ${appointments}) as number
        ) as wanted join resource on resource.id = room`,
      `insert into participation (provider_id, appointment_id, reference, name, email, state)
        select provider_id, id, 'year-' || id, 'Bo', 'bo' || id % ${customers} || '@example.org', 'BOOKED'
        from appointment where reference like 'year-%'`,
      `insert into mail (crm_id, provider_id, participation_id, kind, recipient, language, data, state)
        select crm_id, participation.provider_id, id, 'booked', email, 'en', '{}', 'sent'
        from place, participation, generate_series(1, 2) where reference like 'year-%'`,
      'analyze',
    ])
      await client.query(statement)
  })
