import type pg from 'pg'
import { compare } from '../lib/compare.ts'
import { alsoCompared, atMost, type Row, reported } from '../lib/report.ts'
import { post, type Seeded, timeslotBody } from '../lib/seed.ts'
import { apiKey, crm, type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { residentMegabytes } from '../lib/usage.ts'

const listed = 100_000

/** Bulk calls, compared with inserting the same number of rows in one SQL statement. */
export const bulk = (): Promise<Row[]> =>
  onStage(async ({ service, seeded }) =>
    withSql(service, async client => [
      atMost('1,000 Timeslots in one call', 'ms', await timeslots(service, seeded, client, freeDays), 6),
      alsoCompared(
        'where 5,000 Appointments lie in them',
        'ms',
        await timeslots(service, seeded, client, seeded.days),
      ),
      atMost('a series of 2,000', 'ms', await series(service, seeded, client), 6),
      ...(await list(service, seeded, client)),
    ]),
  )

const timed = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

let unique = 0

/** New Timeslots usually cover free time; those that do not are returned with the Appointments in them. */
const freeDays = Array.from({ length: 28 }, (_, index) => `2032-02-${String(index + 1).padStart(2, '0')}`)

function timeslots(service: Running, seeded: Seeded, client: pg.Client, days: string[]) {
  const ours = () => {
    const body = Array.from({ length: 1000 }, (_, index) => ({
      ...timeslotBody(seeded.resources[index % 50]!.reference, days[index % 28]!),
      reference: `bulk-${++unique}`,
    }))
    return timed(() => post(service, `${seeded.path}/timeslots`, { timeslots: body }))
  }
  const limit = () =>
    timed(() =>
      client.query(
        `insert into timeslot (provider_id, resource_id, reference, start_at, end_at, raster, default_capacity,
           default_accept_bookings, state)
         select 1, 1 + number % 50, $1 || number, now() + number * interval '1 day', now() + (number + 1) * interval '1 day',
           30, 1, true, 'CREATED' from generate_series(1, 1000) number`,
        [`bare-${++unique}-`],
      ),
    )
  return compare(ours, limit, 7)
}

function series(service: Running, seeded: Seeded, client: pg.Client) {
  const ours = () =>
    timed(() =>
      post(service, `${seeded.path}/appointments`, {
        resourceReference: seeded.resources[unique++ % 50]!.reference,
        productReference: seeded.product.reference,
        capacity: 1,
        series_data: {
          from: '2031-01-01T08:00',
          to: '2031-04-10T18:00',
          raster: 30,
          weekdays: [...'1234567'],
        },
      }),
    )
  return compare(ours, () => timed(() => client.query(manyAppointments, [2000, `bare-${++unique}-`])), 7)
}

const manyAppointments = `
  insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from,
    blocked_to, capacity, accept_bookings, series_id)
  select 1, 1 + number % 50, 1, $2::text || number, 'provider', at, at + interval '30 minutes', at,
    at + interval '30 minutes', 1, false, gen_random_uuid()
  from generate_series(1, $1::int) number,
    lateral (select timestamptz '2031-01-01' + number * interval '30 minutes' as at) times`

async function list(service: Running, seeded: Seeded, client: pg.Client): Promise<Row[]> {
  const before = await client.query('select count(*)::int as count from appointment')
  await client.query(manyAppointments, [listed - before.rows[0].count, 'listed-'])
  const idle = residentMegabytes(service.pid)
  let most = idle
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(service.pid))
  }, 20)
  const ours = () => timed(() => readAll(`${service.origin}/crms/${crm}${seeded.path}/appointments`))
  const limit = () => timed(() => client.query(`copy (select * from appointment) to '/dev/null'`))
  const result = await compare(ours, limit, 3)
  clearInterval(watch)
  return [
    atMost('100,000 Appointments listed', 'ms', result, 6),
    reported('resident memory meanwhile', `${idle.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`),
  ]
}

async function readAll(url: string) {
  const response = await fetch(url, { headers: { 'x-service-client-id': apiKey } })
  let bytes = 0
  for await (const chunk of response.body!) bytes += chunk.length
  if (!response.ok || bytes < listed * 100) throw new Error(`The list is too short: ${bytes} bytes.`)
}
