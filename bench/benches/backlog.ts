import { remind, tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { readConfig } from '../../src/config.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { queueMessages } from '../../src/db/mails.ts'
import { joinService } from '../../src/start/open-service.ts'
import { startBare } from '../lib/bare.ts'
import { book } from '../lib/booking.ts'
import { compare, short } from '../lib/compare.ts'
import { cpuMsOf, flat } from '../lib/flat.ts'
import { insideService } from '../lib/inside-service.ts'
import { progress } from '../lib/progress.ts'
import { request } from '../lib/readings.ts'
import { atMost, type Row, reported } from '../lib/report.ts'
import { freeSlots, post } from '../lib/seed.ts'
import { crm, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { busyMs, busySince } from '../lib/usage.ts'

const scale = Number(process.env.SCALE ?? 1)
const scaled = (count: number) => Math.round(count * scale)

const alone = { args: ['--without-jobs'] }

/** What piles up: past Appointments, abandoned holds, due reminders, emails behind a slow mail server. */
export async function backlog(): Promise<Row[]> {
  const rows = await onStage(async stage => [await pastRow(stage), await holdsRow(stage)], alone)
  return [...rows, await onStage(remindersRow, alone), await slowServer()]
}

/** The same day at two Resources, one of them with a long past. */
async function pastRow({ service, seeded }: Stage): Promise<Row> {
  const past = scaled(50_000)
  progress(`  ${past} past Appointments`)
  await withSql(service, async client => {
    await client.query(
      `insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
        capacity, accept_bookings)
      select provider_id, resource.id, (select min(id) from product), 'past-' || n, 'consumer', at, at + interval '5 minutes',
        at, at + interval '5 minutes', 1, true
      from resource, generate_series(1, $2::int) as n, lateral (select now() - n * interval '10 minutes' as at) as times
      where resource.uuid = $1`,
      [seeded.resources[0]!.uuid, past],
    )
    await client.query('vacuum analyze')
  })
  let made = 0
  const path = `${seeded.path}/appointments`
  const at = (index: number) => ({
    work: async () => {
      const reference = `visit-${made++}@bench`
      const start = new Date(Date.now() + (60 + made) * 86_400_000)
      await post(service, path, {
        reference,
        resourceReference: seeded.resources[index]!.reference,
        productReference: seeded.product.reference,
        start: start.toISOString(),
        end: new Date(+start + 1_800_000).toISOString(),
      })
      await request(service, 'DELETE', `/crms/${crm}${path}`, { appointmentReference: reference })
    },
  })
  const measure = (index: number) => () => cpuMsOf(at(index), service.pid)
  return flat('created and cancelled at a Resource with a long past', await compare(measure(0), measure(1)))
}

/** As many as two thousand a second leave in ten seconds. */
async function holdsRow({ service }: Stage): Promise<Row> {
  const count = scaled(20_000)
  progress(`  ${count} abandoned holds`)
  await withSql(service, client =>
    client.query(
      `with held as (
        insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
          capacity, accept_bookings)
        select provider_id, id, (select min(id) from product), 'held-' || id || '-' || n, 'consumer', at, at + interval '5 minutes',
          at, at + interval '5 minutes', 1, true
        from resource, generate_series(1, $1::int) as n, lateral (select now() + interval '200 days' + n * interval '10 minutes' as at) as times
        returning id, provider_id, reference
      )
      insert into participation (provider_id, appointment_id, reference, state, placeholder, expires_at)
      select provider_id, id, reference, 'RESERVED', gen_random_uuid(), now() - interval '1 minute' from held`,
      [Math.ceil(count / 50)],
    ),
  )
  const db = openDb(service.database)
  const begun = performance.now()
  await tidy(insideService(db))
  const perSecond = count / ((performance.now() - begun) / 1000)
  await db.close()
  const left = await withSql(service, client =>
    client.query(`select from participation where state = 'RESERVED' and expires_at < now()`),
  )
  return {
    ...reported(
      'abandoned holds removed',
      `${short(perSecond)} a second, ${left.rowCount} left`,
      'at least 2,000',
    ),
    reached: perSecond >= 2000 && left.rowCount === 0,
  }
}

/** Few and many due at once: the CPU for each. */
async function remindersRow({ service, seeded }: Stage): Promise<Row> {
  const inside = await joinService(readConfig({ DATA_DIR: service.dataDir }), service.database)
  let group = 0
  const cpuEach = (count: number) => async () => {
    await dueReminders(service, seeded.resources[0]!.uuid, `due-${group++}`, count)
    const [before, own] = [busyMs(service.pid), process.cpuUsage()]
    await remind(inside)
    const { user, system } = process.cpuUsage(own)
    return (busySince(service.pid, before) + (user + system) / 1000) / count
  }
  const result = await compare(cpuEach(scaled(19_000)), cpuEach(scaled(2000)), 2)
  await inside.db.close()
  return atMost('a reminder among many due', 'ms of CPU', result, 1.25)
}

const dueReminders = (service: Stage['service'], resource: string, name: string, count: number) =>
  withSql(service, client =>
    client.query(
      `with made as (
        insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
          capacity, accept_bookings)
        select provider_id, id, (select min(id) from product), $2 || n, 'provider', at, at + interval '5 minutes', at, at + interval '5 minutes', 1, true
        from resource, generate_series(1, $3::int) as n, lateral (select now() + interval '10 hours' + n * interval '1 second' as at) as times
        where uuid = $1
        returning id, provider_id, reference
      )
      insert into participation (provider_id, appointment_id, reference, state, name, email, booked_at)
      select provider_id, id, reference, 'BOOKED', 'Ann Winter', 'ann@example.org', now() - interval '30 days' from made`,
      [resource, name, count],
    ),
  )

/** Each email takes the mail server a second; reminders wait, and a visitor books. */
async function slowServer(): Promise<Row> {
  const smtp = await startBare('smtp', { delayMs: 1000 })
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'bench@example.org' }
  try {
    return await onStage(behindReminders, { env, data: { resources: 2, days: 7 } })
  } finally {
    await smtp.stop()
  }
}

async function behindReminders({ service, seeded }: Stage): Promise<Row> {
  const slots = await freeSlots(service, seeded)
  await book(service, slots.shift()!)
  const waiting = scaled(4000)
  progress(`  ${waiting} reminders behind a slow mail server`)
  const db = openDb(service.database)
  const [known] = (
    await db.pool.query(
      `select crm_id, provider_id, language, data from mail where data is not null and kind = 'booked' limit 1`,
    )
  ).rows
  const { crm_id: crmId, provider_id: providerId, language, data } = known
  const mail = { crmId, providerId, language, data, kind: 'reminder' as const, to: 'ann@example.org' }
  await db.transaction(tx =>
    queueMessages(
      tx,
      Array.from({ length: waiting }, () => mail),
    ),
  )
  await new Promise(resolve => setTimeout(resolve, 3000))
  const begun = performance.now()
  await book(service, slots.shift()!)
  const isOut = async () =>
    (await db.pool.query(`select from mail where kind = 'booked' and state <> 'sent'`)).rowCount === 0
  while (!(await isOut()) && performance.now() - begun < 60_000)
    await new Promise(resolve => setTimeout(resolve, 100))
  const seconds = (performance.now() - begun) / 1000
  await db.close()
  return {
    ...reported(
      'a confirmation behind reminders, a second each',
      `out after ${seconds.toFixed(1)} s`,
      'at most 10 s',
    ),
    reached: seconds <= 10,
  }
}
