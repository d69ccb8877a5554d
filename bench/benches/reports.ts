import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { makePractice, post, type Seeded } from '../lib/seed.ts'
import { apiKey, crm, type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { cpuMs } from '../lib/usage.ts'

// A year with 100,000 Appointments of one Provider, in the report of that year. One request at a time, so its CPU
// time is its server time on a machine without other load.

const scale = Number(process.env.SCALE ?? 1)
const appointments = Math.round(100_000 * scale)
const customers = Math.round(20_000 * scale)
const limitMs = 500
const rounds = 10

export const reports = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      const seeded = await fillYear(service)
      const year = `from=${new Date().getFullYear() - 1}-01-01&to=${new Date().getFullYear()}-01-01`
      const first = `${year}&resourceRef=${encodeURIComponent(seeded.resources[0]!.reference)}`
      await nightPasses(service)
      return [
        await row(service, seeded, 'a year by month, all groupings', year),
        await row(service, seeded, 'a year by week', `${year}&by=week`),
        await row(service, seeded, 'a year of one Resource', first),
        await row(service, seeded, 'answers of a year', year, 'answers'),
      ]
    },
    { data: 'none' },
  )

async function fillYear(service: Running): Promise<Seeded> {
  const seeded = await makePractice(service, 12, 1)
  await post(service, `${seeded.path}/questions`, {
    key: 'insurer',
    type: 'choice',
    label: { en: 'Insurer' },
    options: ['private', 'public'].map(key => ({ key, label: { en: key } })),
  })
  await withSql(service, async client => {
    const statements = [
      'set session_replication_role = replica',
      // Without statistics, joining 100,000 rows one by one would take minutes.
      'set enable_nestloop = off',
      `insert into customer (provider_id, reference, name, email)
       select (select id from provider limit 1), 'year-' || n, 'Person ' || n, 'p' || n || '@example.org'
       from generate_series(1, ${customers}) as n`,
      `insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
         capacity, accept_bookings, created_at)
       select provider_id, id, (select id from product limit 1), 'year-' || n, 'consumer', at, at + interval '30 minutes', at,
         at + interval '30 minutes', 1, true, at - n % 40 * interval '1 day'
       from generate_series(0, ${appointments - 1}) as n
       join (select *, row_number() over (order by id) - 1 as place from resource) as resource on place = n % 12,
         lateral (select date_trunc('year', now()) - interval '1 year' + interval '8 hours'
           + n / ${Math.ceil(appointments / 365)} * interval '1 day' + n % ${Math.ceil(appointments / 365)} / 12 * interval '30 minutes' as at) as times`,
      `insert into participation (provider_id, appointment_id, customer_id, reference, name, state, created_at, booked_at, attendance, answers)
       select appointment.provider_id, appointment.id, customer.id, appointment.reference, customer.name, 'BOOKED',
         appointment.created_at, appointment.created_at, 'ATTENDED',
         jsonb_build_object('insurer', case when appointment.id % 3 = 0 then 'private' else 'public' end)
       from appointment join (select *, row_number() over (order by id) - 1 as place from customer) as customer
         on place = appointment.id * 7919 % ${customers}`,
      'vacuum analyze',
    ]
    for (const statement of statements) await client.query(statement)
  })
  return seeded
}

/** Counts the past days, as every night. */
async function nightPasses(service: Running) {
  await withSql(service, async client => {
    await client.query(`select graphile_worker.add_job('prepare-reports')`)
    for (let counted = 0; counted < 790; ) {
      await new Promise(done => setTimeout(done, 500))
      counted = (await client.query('select count(*)::int as count from report_day')).rows[0].count
    }
  })
  progress('  counted the past days')
}

async function row(
  service: Running,
  { path }: Seeded,
  bench: string,
  query: string,
  what: 'bookings' | 'answers' = 'bookings',
): Promise<Row> {
  const url = `${service.origin}/crms/${crm}${path}/reports/${what}?${query}`
  const taken: number[] = []
  let before = cpuMs(service.pid)
  for (let round = -3; round < rounds; round++) {
    if (round === 0) before = cpuMs(service.pid)
    const begun = performance.now()
    const response = await fetch(url, { headers: { 'x-service-client-id': apiKey } })
    if (!response.ok) throw new Error(`${bench}: ${response.status} ${await response.text()}`)
    const { report } = await response.json()
    const count = what === 'bookings' ? report.totals.bookings : report.questions[0].choices[0].count
    if (count < appointments / 13) throw new Error(`${bench}: counted ${count}`)
    if (round >= 0) taken.push(performance.now() - begun)
  }
  const after = cpuMs(service.pid)
  const [own, below] = [after.own - before.own, after.below - before.below].map(ms => Math.round(ms / rounds))
  const median = Math.round(taken.toSorted((one, other) => one - other)[rounds / 2]!)
  return {
    ...reported(
      bench,
      `${own! + below!} ms of CPU (service ${own}, PostgreSQL ${below}), answered in ${median} ms`,
      `at most ${limitMs} ms`,
    ),
    reached: own! + below! <= limitMs,
  }
}
