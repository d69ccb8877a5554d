// How PostgreSQL plans the service's statements. Each is planned once per connection, perhaps while its tables are almost
// empty. A plan that reads a whole table would still do so when the table holds ten years of bookings.

import type { PoolClient, QueryArrayConfig } from 'pg'
import { expect, it, vi } from 'vitest'
import { proposalsTo } from '../../src/actions/booking/propose.ts'
import { extendHours } from '../../src/actions/scheduling/hours/hours.ts'
import { remind, tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { runWaitingList } from '../../src/actions/scheduling/waiting/search.ts'
import { changeCounters } from '../../src/db/base/ledger.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { readNews } from '../../src/db/events.ts'
import { listMails } from '../../src/db/mail-list.ts'
import { liveSessions } from '../../src/db/setup/console-sessions.ts'
import { takeDueWebhooks, webhooksAfter } from '../../src/db/webhook-queue.ts'
import { confirmPath, makeAgent } from '../support/agent.ts'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeRoom,
  makeSeries,
  makeTimeslot,
  type Practice,
  setChannel,
  setProduct,
  setProvider,
} from '../support/build.ts'
import { asConsumer, bookingOf, form, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { consoleCall, eventually, runJobs, type TestService, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const sent = new Set<string>()
const holdfast = await useService({ MCP: 'public' })
listen(holdfast)
const consumer = asConsumer(overApp(holdfast.app))

const isPartOfTransaction = (text: string) =>
  /^(begin|commit|rollback|savepoint|release|set local)\b/.test(text)

/** Notes every statement, but for those of tests themselves. */
function listen({ service }: TestService) {
  const known = new WeakSet<PoolClient>()
  service.db.pool.on('acquire', client => {
    if (known.has(client)) return
    known.add(client)
    const query = client.query
    client.query = function (this: PoolClient, ...args: unknown[]) {
      const [{ text, rowMode }] = args as [QueryArrayConfig]
      if (rowMode === 'array' && !isPartOfTransaction(text)) sent.add(text)
      return query.apply(this, args as Parameters<typeof query>)
    } as typeof query
  })
}

type Plan = {
  'Node Type': string
  'Parent Relationship'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Plan[]
  /** It ends with the first rows that fit. */
  isPage?: boolean
}

/** Few Providers are deleted. */
const passesMost = ({ Filter }: Plan) => Filter === undefined || Filter === '(deleted_at IS NULL)'

/** All scans, but for those that end with the first rows: the highest number in an index is the first one from its end. */
const nodesOf = (plan: Plan): Plan[] => [
  plan,
  ...(plan.Plans ?? [])
    .filter(below => plan['Node Type'] !== 'Limit' || !passesMost(below) || below.Plans !== undefined)
    .flatMap(below => nodesOf({ ...below, isPage: plan['Node Type'] === 'Limit' })),
]

/** Indexes of live holds. They are small for queries that look for holds, but not selective for any other query. */
const indexesOfHolds = ['participation_client', 'participation_expiring']
const asksForHolds = (text: string) => /\bstate = 'RESERVED'/.test(text)

/** CRMs, their webhooks and mirrors, which jobs go through; links and workers of these days, jobs that wait; what was counted lately; requests to move.
 * A pause of outgoing messages is one row. */
const smallTables = [
  'crm',
  'webhook',
  'calendar_mirror',
  'login_link',
  'worker_heartbeat',
  '_private_jobs',
  'job_request',
  'outgoing_pause',
]
/** Offers that are open now, requests that await an answer, and hours after a change of time zone are few. */
const indexesOfSmallTables = [
  'crm_pkey',
  'webhook_due',
  'rate_window_pkey',
  'appointment_claim',
  'waiting_offer_due',
  'waiting_offer_live',
  'waiting_offer_held',
  'waiting_offer_open',
  'participation_requested',
  'opening_hours_zone_changed',
]

/** Scans without a condition: from the first row to the last. */
function isWhole({ 'Node Type': type, ...plan }: Plan, text: string): boolean {
  const { 'Index Name': index, 'Index Cond': condition, 'Relation Name': table } = plan
  if (table && smallTables.includes(table)) return false
  if (index === undefined) return type === 'Seq Scan'
  if (asksForHolds(text) && indexesOfHolds.includes(index)) return false
  if (indexesOfSmallTables.includes(index)) return false
  // Of what could not be sent, by Provider or not: which of the two is taken while both look empty is chance.
  if (!isCounted && index === 'mail_unsent_of') return false
  if (condition === undefined) return true
  return !bare(condition).includes(firstColumns.get(index) ?? '') || (isCounted && isAllOfOwner(plan))
}

/** Without the names of tables and the parentheses that PostgreSQL adds. */
const bare = (text: string) => text.replace(/\b[a-z]\w*\.(?=[a-z])|[()]/g, '')

/** A condition that leaves out what an index begins with leads through all of it. */
const firstColumns = new Map<string, string>()

async function readFirstColumns() {
  const rows = await holdfast.query<{ index: string; first: string }>(`
    select indexrelid::regclass::text as index, pg_get_indexdef(indexrelid, 1, true) as first
    from pg_index where indrelid::regclass::text not like 'pg_%'
  `)
  for (const { index, first } of rows) firstColumns.set(index.split('.').at(-1)!, bare(first))
}

let isCounted = true

/** Tables of which one Provider or CRM alone has more with each day. */
const growing = ['app_user', 'customer', 'appointment', 'participation', 'mail', 'event', 'timeslot']

/** Reads everything of one owner to find a few rows. */
function isAllOfOwner({
  'Index Cond': condition = '',
  Filter,
  'Relation Name': table = '',
  isPage,
}: Omit<Plan, 'Node Type'>): boolean {
  const others = condition.replace(/\((\w+\.)?(provider_id|crm_id) = /g, '')
  return !isPage && growing.includes(table) && Filter !== undefined && !/(=|<|>|@@|&&) /.test(others)
}

async function wholeTables(client: PoolClient, text: string): Promise<string[]> {
  const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  return nodes
    .filter(node => isWhole(node, text))
    .map(node => `${node['Relation Name'] ?? ''} by ${node['Index Name'] ?? 'all its rows'}`)
}

/**
 * Over a new connection: one that has used an index while it was empty still takes it for as low as it was then, and which
 * connection has used which is chance.
 */
async function readingAll() {
  const db = openDb(holdfast.connection)
  const client = await db.pool.connect()
  const found: string[] = []
  // A report reads a year, and by then its rows have been counted.
  const watched = [...sent].filter(text => isCounted || !/with\s+listed as materialized/.test(text))
  expect(watched.length).toBeGreaterThan(sent.size - 10)
  for (const text of watched)
    for (const table of await wholeTables(client, text))
      found.push(`${table}: ${text.replace(/\s+/g, ' ').trim()}`)
  client.release()
  await db.close()
  return found
}

/** Thousands of rows of other tenants. Foreign keys are not checked, because the rows are never used. */
const crowd = `
  set session_replication_role = replica;
  insert into crm (name, language) select 'crowd' || n, 'de' from generate_series(1, 1000) as n
    on conflict do nothing;
  insert into app_user (crm_id, reference, email, mobile, language)
    select n % 1000, case when n % 2 = 0 then 'u' || n end, 'p' || n || '@crowd.example', '+49' || n, 'de'
    from generate_series(1, 5000) as n
    on conflict do nothing;
  insert into account (crm_id, reference, owner_id, branch)
    select n, 'k' || n, n, 'misc' from generate_series(1, 1000) as n
    on conflict do nothing;
  insert into customer (provider_id, reference, user_id, name, email, mobile, mobile_key, tags)
    select n % 100, 'c' || n, n, '', 'p' || n || '@crowd.example', '+49' || n, '49' || n, array['tag' || n % 50] from generate_series(1, 5000) as n
    on conflict do nothing;
  insert into provider (crm_id, reference, owner_id, account_id, name, time_zone, language)
    select 0, 'v' || n, n, n, '', 'UTC', 'de' from generate_series(1, 1000) as n
    on conflict do nothing;
  insert into staff (provider_id, user_id) select n % 500, n from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into product (provider_id, reference, name, own_questions) select n % 500, 'p' || n, '', true from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into resource (provider_id, reference, public_name, internal_name, contact_user_id)
    select n % 500, 'r' || n, '', '', n from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into resource_product (provider_id, resource_id, product_id, position)
    select n % 500, n, n, 0 from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into channel (provider_id, resource_id, key, own_settings) select n % 500, n, 'K', '{}' from generate_series(1, 8000) as n
    on conflict do nothing;
  insert into timeslot (provider_id, resource_id, reference, start_at, end_at, raster, default_capacity,
      default_accept_bookings, state)
    select n % 500, n % 2000, 't' || n, moment, moment + interval '1 hour', 30, 1, true, 'BOOKABLE'
    from generate_series(1, 8000) as n, lateral (select timestamptz '2029-01-01Z' + n * interval '1 hour' as moment)
    on conflict do nothing;
  insert into closure (provider_id, from_text, to_text, from_at, to_at, reason, is_block)
    select n % 500, '', '', moment, moment + interval '1 hour', '', n % 2 = 0
    from generate_series(1, 8000) as n, lateral (select timestamptz '2029-01-01Z' + n * interval '1 hour' as moment)
    on conflict do nothing;
  insert into closed_time (closure_id, provider_id, resource_id, from_at, to_at)
    select id, provider_id, case when is_block then id % 2000 end, from_at, to_at from closure
    on conflict do nothing;
  insert into calendar_source (provider_id, resource_id, kind, name, host, sealed)
    select n % 500, n, 'ics', '', '', '' from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into calendar_check (source_id, provider_id) select id, provider_id from calendar_source
    on conflict do nothing;
  insert into busy_span (provider_id, resource_id, source_id, from_at, to_at)
    select provider_id, resource_id, id, moment, moment + interval '1 hour' from calendar_source
    cross join generate_series(1, 4) as n, lateral (select timestamptz '2029-01-01Z' + n * interval '2 hours' as moment);
  insert into opening_hours (resource_id, provider_id, made_until)
    select n, n % 500, '2040-01-01' from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into opening_rule (resource_id, provider_id, position, weekdays, from_minute, to_minute, raster, capacity,
      accept_bookings)
    select n, n % 500, 1, '{1}', 0, 60, 60, 1, true from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into appointment (provider_id, resource_id, product_id, timeslot_id, reference, origin, start_at, end_at,
      blocked_from, blocked_to, capacity, accept_bookings)
    select n % 500, n % 2000, 0, n, 'a' || n, 'consumer', moment, later, moment, later, 1, true
    from generate_series(1, 8000) as n, lateral (select timestamptz '2029-01-01Z' + n * interval '1 hour' as moment),
      lateral (select moment + interval '30 minutes' as later)
    on conflict do nothing;
  insert into participation (provider_id, appointment_id, customer_id, reference, state, placeholder, channel_key)
    select n % 500, n, n, 'b' || n, 'BOOKED', gen_random_uuid(), 'K' from generate_series(1, 8000) as n
    on conflict do nothing;
  insert into mail (crm_id, provider_id, kind, language, data, participation_id, state)
    select 0, n % 500, case when n % 100 = 0 then 'cancelled' else 'booked' end, 'de', '{}', n,
      case n % 1000 when 0 then 'failed' else 'sent' end
    from generate_series(1, 8000) as n
    on conflict do nothing;
  insert into event (crm_id, era, provider_id, actor_kind, kind)
    select n % 9, 1, n % 500, 'service', 'mail.failed' from generate_series(1, 8000) as n
    on conflict do nothing;
  insert into waiting_entry (provider_id, customer_id, product_id, channel_key, from_date, to_date, wish, state)
    select n % 400 + 100, n, n % 2000, 'RESOURCE_PUBLIC', '2029-01-01', '2040-01-01', 'w' || n,
      case when n % 10 = 0 then 'WAITING' else 'LEFT' end
    from generate_series(1, 8000) as n
    on conflict do nothing;
  insert into waiting_offer (provider_id, entry_id, customer_id, placeholder, resource_id, start_at, end_at, expires_at, outcome)
    select n % 400 + 100, n, n, gen_random_uuid(), n % 2000, '2029-01-01Z', '2029-01-02Z', '2029-01-01Z', 'LAPSED'
    from generate_series(1, 8000) as n
    on conflict do nothing;
  insert into waiting_scan (provider_id, resource_id, revision) select n % 500, n, 1 from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into webhook (crm_id, url, secret, after_era, after_xid, after_id)
    select n % 900 + 100, '', '', 1, '0', 0 from generate_series(1, 2000) as n
    on conflict do nothing;
  insert into delivery (crm_id, webhook_id, event_uuid, kind, ms)
    select n % 900 + 100, n % 2000, gen_random_uuid(), '', 0 from generate_series(1, 8000) as n
    on conflict do nothing;
  set session_replication_role = origin;
`

async function fill() {
  const client = await holdfast.service.db.pool.connect()
  try {
    // Takes longer than the service allows itself if the machine is busy.
    await client.query('set statement_timeout = 0')
    for (const statement of crowd.split(/;\n/)) if (statement.trim()) await client.query(statement)
  } finally {
    client.release(true)
  }
}

async function useEverything() {
  const practice = await makePractice(holdfast.crm)
  const rooms = [practice, await makeRoom(holdfast.crm, practice), await makeRoom(holdfast.crm, practice)]
  for (const room of rooms) await makeTimeslot(holdfast.crm, room)
  await consumersBook(rooms)
  await visitorsJoinGroup(rooms[1]!)
  await peopleWait(practice)
  await agentsPropose(rooms[1]!)
  await staffLook(practice)
  await providerWorks(practice)
  await integratorFollows()
  await integratorMissedMuch(practice)
  await jobsRun()
}

/** More changes than are collected. */
async function integratorMissedMuch({ uuid, path }: Practice) {
  await holdfast.query(
    `insert into event (crm_id, era, provider_id, actor_kind, kind, subject)
     select crm_id, (select max(number) from event_era), provider.id, 'service', kind, number
     from provider, generate_series(1, 5001) as number, unnest(array['customer.changed', 'appointment.changed']) as kind
     where uuid = $1`,
    [uuid],
  )
  for (const list of ['customers', 'appointments']) {
    const { status } = await holdfast.crm.get(`${path}/${list}?limit=2&changedSince=2020-01-01T00:00Z`)
    expect(status).toBe(200)
  }
}

async function peopleWait(practice: Practice) {
  const {
    room: makeWaitedFor,
    wait,
    bookAll,
    consumer: visitor,
    offerPath,
    list,
  } = waitingAt(holdfast, practice)
  const room = await makeWaitedFor()
  await setChannel(holdfast, room.resourceUuid, { waitingList: true })
  const booked = await bookAll(room)
  const people = [await wait(room), await wait(room), await wait(room)]
  await visitor.cancel(booked[0]!.cancelLink)
  await visitor.send('POST', await offerPath(people[0]!.email), 'answer=decline', { headers: form })
  await visitor.send('POST', await offerPath(people[1]!.email), 'answer=take', { headers: form })
  await visitor.cancel(booked[1]!.cancelLink)
  await holdfast.crm.get(`${list}?state=WAITING`)
  await holdfast.crm.patch(`${list}/${people[2]!.uuid}`, { priority: 1 })
  await consoleCall(holdfast.app, 'GET', `/providers/${room.uuid}/waiting_list`)
  await consoleCall(holdfast.app, 'GET', `/resources/${room.resourceUuid}/waiting?start=2030-01-07T08:00`)
  const joining = {
    product_uuid: room.productUuid,
    from: '2030-01-07',
    to: '2030-01-08',
    email: 'j@example.org',
  }
  const person = { firstname: 'Jo', lastname: 'In' }
  await visitor.send('POST', `/resources/${room.resourceUuid}/waiting_list`, { ...joining, ...person })
  await runWaitingList(holdfast.service)
  await holdfast.crm.delete(`${list}/${people[2]!.uuid}`)
}

async function agentsPropose({ resourceUuid: ref, productUuid: service }: Practice) {
  const agent = await makeAgent(holdfast)
  await agent.call('find_services', { ref })
  const zone = 'Europe/Berlin'
  const asked = { ref, service, zone, from: '2030-01-07', to: '2030-01-08' }
  const { times } = (await agent.call('find_times', asked)).data
  const person = { first_name: 'Ann', last_name: 'Winter', email: 'agent@example.org' }
  for (const { slot, start, end } of times.slice(0, 2)) {
    const { data } = await agent.call('hold_time', {
      ref,
      service,
      slot,
      start: start.instant,
      end: end.instant,
    })
    expect((await agent.call('propose_booking', { hold_id: data.hold_id, ...person })).isError).toBe(false)
    await agent.call('booking_status', { hold_id: data.hold_id })
    if (slot === times[0].slot && start.instant === times[0].start.instant) {
      await proposalsTo(holdfast.service, 1, [person.email])
      await agent.call('release_hold', { hold_id: data.hold_id })
    }
  }
  await agent.call('explain_unavailable', { ref, service, date: '2030-01-07' })
  const path = await confirmPath(holdfast, person.email)
  expect((await consumer.send('POST', path, 'answer=confirm', { headers: form })).status).toBeLessThan(400)
}

/** Where pages of duplicates go on, in each index. */
const afterKeys = [
  ['email', ['a']],
  ['mobile', ['+1']],
  ['birthDate', ['1980-01-01', 'a']],
].map(key => Buffer.from(JSON.stringify(key)).toString('base64url'))

async function staffLook({ uuid }: Practice) {
  const own = `/providers/${uuid}`
  const paths = [
    `${own}/diary?from=2030-01-07`,
    `${own}/calendar?from=2030-01-07&to=2030-01-14`,
    `${own}/changes?from=2030-01-07`,
    `${own}/requests`,
    `${own}/reports/bookings?from=2030-01-01&to=2030-02-01`,
    `${own}/reports/answers?from=2030-01-01&to=2030-02-01`,
    `${own}/audit`,
    `${own}/audit?about=product`,
    `${own}/audit?actor=console`,
    `/crms/crm/audit`,
    `/crms/crm/audit?about=key`,
    '/audit?about=product',
    '/audit?actor=console',
    `${own}/customers?search=ann`,
    `${own}/customers?search=ann%20w`,
    `${own}/customers?search=a`,
    `${own}/customers`,
    ...['name', '-name', 'email', 'next'].map(order => `${own}/customers?order=${order}`),
    `${own}/customers?tag=vip`,
    `${own}/customers?search=ann&tag=vip`,
    `${own}/customer-tags`,
    `${own}/duplicate-customers`,
    ...afterKeys.map(after => `${own}/duplicate-customers?after=${after}`),
    '/audit',
    '/operator',
    '/session',
    '/session?search=practice',
    '/crms',
    '/crms?search=crowd',
    ...mailQuestions.map(question => `/mails?${question}`),
  ]
  for (const path of paths) {
    const { status, text } = await consoleCall(holdfast.app, 'GET', path)
    expect(status, `${path}: ${text}`).toBe(200)
  }
  const log = (await consoleCall(holdfast.app, 'GET', `${own}/audit?limit=1`)).body
  await consoleCall(holdfast.app, 'GET', `${own}/audit?limit=1&before=${log.next}`)
  for (const filter of [{}, { state: 'failed' }, { to: 'ann@example.org' }, { kind: 'cancelled' }] as const)
    await listMails(holdfast.service.db, { ...filter, providerIds: [1, 2], limit: 5 })
}

const mailQuestions = [
  '',
  'state=failed',
  'state=queued',
  'state=kept',
  'state=sent',
  'kind=booked',
  'kind=cancelled',
  'to=ann@example.org',
]

async function integratorFollows() {
  const { next } = (await holdfast.crm.get('/events?limit=2')).body
  await holdfast.crm.get(`/events?after=${next}&wait=1`)
  const { webhook } = (await holdfast.crm.post('/webhooks', { url: 'https://example.org/' })).body
  const path = `/webhooks/${webhook.uuid}`
  await holdfast.crm.get('/webhooks')
  await holdfast.crm.get(`${path}/deliveries`)
  await holdfast.crm.patch(path, { enabled: false })
  await holdfast.crm.post(`${path}/rotate`)
  await holdfast.crm.post(`${path}/replay`, { after: next })
  await holdfast.crm.post(`${path}/replay`, { since: '2030-01-01T00:00:00Z' })
  await instanceFollows()
}

/** For webhooks and open calendars. */
async function instanceFollows() {
  const { db } = holdfast.service
  const { reached } = await readNews(db, null, 10)
  await readNews(db, reached, 10)
  await changeCounters(db, [1, 2])
  await liveSessions(db, [Buffer.alloc(32)])
  const ids = await webhooksAfter(db, 0, 10)
  await takeDueWebhooks(db, { limit: 5, ofOneCrm: 2, busyCrms: [], crms: [1], ids, seconds: 1 })
}

async function jobsRun() {
  await tidy(holdfast.service)
  await remind(holdfast.service)
  await extendHours(holdfast.service)
  await mailsGoOut()
}

async function mailsGoOut() {
  runJobs(holdfast)
  const waiting = `select from mail where state = 'queued' and recipient is not null`
  await eventually(async () => (await holdfast.query(waiting)).length === 0)
}

async function consumersBook(rooms: Practice[]) {
  for (let time = 0; time < 3; time++) {
    const held = await Promise.all(
      rooms.map(async ({ resource }) => {
        const [slot] = slotsOf(await consumer.list(resource))
        const { body } = await consumer.reserve(resource, holdOf(slot!))
        return { resource, slot: slot!, placeholder_id: body.participation.customer_uuid }
      }),
    )
    const booked = await Promise.all(
      held.map(({ resource, slot, placeholder_id }) =>
        consumer.complete(resource, bookingOf(slot, { placeholder_id })),
      ),
    )
    expect(booked.map(one => one.status)).toEqual([201, 201, 201])
    await consumer.cancel(booked[0]!.body.createdAppointment.cancelLink)
  }
  const { resource } = rooms[0]!
  await consumer.send('POST', `/resources/public_data?ref=${encodeURIComponent(resource)}`)
  const [free, other] = slotsOf(await consumer.list(resource, { ref: rooms.map(room => room.resource) }))
  const booked = await consumer.complete(resource, bookingOf(free!))
  expect(booked.status).toBe(201)
  const name = `${booked.body.createdAppointment.appointment_uuid}@consumer`
  expect((await holdfast.crm.get(`${rooms[0]!.path}/appointments/${name}`)).status).toBe(200)
  const { body } = await consumer.reserve(resource, holdOf(other!))
  await consumer.release(resource, body.participation.customer_uuid)
}

/** So large that its people are counted. */
async function visitorsJoinGroup(room: Practice) {
  const times = { start: '2030-02-05T10:00', end: '2030-02-05T11:00' }
  const group = await makeAppointment(holdfast.crm, room, { ...times, capacity: 300, acceptBookings: true })
  const slots = slotsOf(await consumer.list(room.resource))
  const slot = slots.find(one => one.appointment_uuid === group.uuid)!
  const { body } = await consumer.reserve(room.resource, holdOf(slot))
  const placeholder_id = body.participation.customer_uuid
  expect((await consumer.complete(room.resource, bookingOf(slot, { placeholder_id }))).status).toBe(201)
  expect([...sent].some(text => text.includes('set counted_to = fresh.last'))).toBe(true)
}

async function providerWorks(practice: Practice) {
  const { path, resource, resourceUuid } = practice
  const { crm } = holdfast
  const resourcePath = `${path}/resources/${encodeURIComponent(resource)}`
  const { appointments } = await makeSeries(crm, practice)
  const taken = await makeParticipation(crm, practice, appointments[0]!.reference, 'REQUESTED')
  const timeslot = await makeTimeslot(crm, practice, { start: '2030-03-01T08:00', end: '2030-03-01T10:00' })
  const timeslotPath = `${path}/timeslots/${encodeURIComponent(timeslot.reference)}`
  const customerPath = `${path}/customers/${encodeURIComponent(taken.customerReference)}`
  const steps: ['get' | 'post' | 'put' | 'delete', string, object?][] = [
    ['get', path],
    ['get', `${path}/resources`],
    ['get', `${path}/products`],
    ['get', `${path}/staff`],
    ['get', `${path}/appointments`],
    ['get', `${path}/appointments?limit=2`],
    ['get', `${path}/appointments?from=2030-01-01T00:00Z&to=2030-04-01T00:00Z`],
    ['get', `${path}/appointments?changedSince=2020-01-01T00:00Z`],
    ['get', `${path}/appointments?resourceRef=${encodeURIComponent(resource)}&includeArchived`],
    ['get', `${path}/appointments/${encodeURIComponent(appointments[0]!.reference)}`],
    ['get', `${path}/customers?limit=2`],
    ['get', `${path}/customers?email=ann@example.org`],
    ['get', `${path}/customers?mobile=1`],
    ['get', `${path}/customers?tag=vip&limit=2`],
    ['get', `${path}/customers?changedSince=2020-01-01T00:00Z`],
    ['get', resourcePath],
    ['get', timeslotPath],
    ['get', `${path}/participations/${encodeURIComponent(taken.reference)}`],
    [
      'get',
      `${path}/resource/${encodeURIComponent(resource)}/timeslots?from=2030-01-01T00:00Z&to=2030-04-01T00:00Z`,
    ],
    ['get', customerPath],
    ['put', customerPath, { userName: 'Ann Summer' }],
    ['post', `${path}/participations/${encodeURIComponent(taken.reference)}`, { state: 'BOOKED' }],
    ['post', resourcePath, { publicName: 'Another name' }],
    ['put', timeslotPath, { end: '2030-03-01T11:00' }],
    ['delete', timeslotPath],
    ['delete', `${customerPath}?ignoreFutureAppointments=true`],
    ['delete', `${path}/appointments?appointmentReference=${encodeURIComponent(appointments[1]!.reference)}`],
  ]
  for (const [verb, url, body] of steps) {
    const { status, text } = await (verb === 'get' ? crm.get(url) : crm[verb](url, body))
    expect(status, `${verb} ${url}: ${text}`).toBeLessThan(300)
  }
  await closeAndOpen(practice)
  await setProduct(holdfast, practice.productUuid, { followUpTimeMinutes: 5 })
  await setProvider(holdfast, practice.uuid, {
    impressum: 'Here',
    timeZone: 'Europe/London',
    slug: 'planned',
  })
  expect((await holdfast.app.inject('/book/planned')).statusCode).toBe(200)
  await setChannel(holdfast, resourceUuid, { horizonDays: 400 })
  const settings = `/providers/${practice.uuid}/booking`
  expect((await consoleCall(holdfast.app, 'PATCH', settings, { reminderHours: 30 })).status).toBe(200)
  expect((await consoleCall(holdfast.app, 'GET', '/mails')).status).toBe(200)
  expect((await crm.delete(`${resourcePath}?ignoreFutureAppointments=true`)).status).toBeLessThan(300)
}

async function closeAndOpen({ uuid, resourceUuid }: Practice) {
  const [closures, blocks] = [`/providers/${uuid}/closures`, `/resources/${resourceUuid}/blocks`]
  const day = { from: '2031-01-07', to: '2031-01-08', reason: 'Holiday' }
  const rule = { weekdays: ['1'], from: '08:00', to: '12:00', raster: 60 }
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await consoleCall(holdfast.app, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  await ask('PUT', `/resources/${resourceUuid}/hours`, { hoursWeeks: 1, rules: [rule] })
  await ask('GET', `/resources/${resourceUuid}/hours`)
  const { closure } = await ask('POST', closures, { ...day, resources: [resourceUuid] })
  const { block } = await ask('POST', blocks, day)
  await ask('POST', closures, day)
  await ask('POST', `${closures}/holidays`, { country: 'DE', year: 2031 })
  await ask('GET', closures)
  await ask('GET', blocks)
  await ask('GET', `/resources/${resourceUuid}/explain?date=2031-01-07`)
  await ask('DELETE', `${closures}/${closure.uuid}`)
  await ask('DELETE', `${blocks}/${block.uuid}`)
}

// On a new service, and until its tables have been counted for the first time, which may take a minute: thousands of bookings.
it('looks up a few rows for listing, holding and booking, although planned against empty tables', async () => {
  await readFirstColumns()
  const practice = await makePractice(holdfast.crm)
  const rooms = [practice, await makeRoom(holdfast.crm, practice), await makeRoom(holdfast.crm, practice)]
  for (const room of rooms) await makeTimeslot(holdfast.crm, room)
  sent.clear()
  await consumersBook(rooms)
  await mailsGoOut()
  expect(sent.size).toBeGreaterThan(20)
  expect(await readingAll()).toEqual([])
})

it('reads no table from its first row to its last, whatever is asked for', async () => {
  await fill()
  await useEverything()
  // For a moment: thousands were written at once, and PostgreSQL still takes the indexes for empty.
  isCounted = false
  expect(await readingAll()).toEqual([])
})

it('nor once PostgreSQL has counted the rows, and not all of an owner', async () => {
  await holdfast.query('analyze')
  isCounted = true
  expect(await readingAll()).toEqual([])
})

it('makes no words of Customers to count them', async () => {
  const rows = await holdfast.query(
    `select tablename from pg_stats where tablename in ('customer', 'customer_email', 'customer_search') group by 1 order by 1`,
  )
  expect(rows.map(row => row.tablename)).toEqual(['customer', 'customer_email'])
})

/** What is read for the first node below the Limit that makes a page. */
async function pageOf(text: string): Promise<Plan> {
  const limit = (await plansOf(text)).find(plan => plan['Node Type'] === 'Limit')
  return limit!.Plans!.find(plan => plan['Parent Relationship'] === 'Outer')!
}

/** From the top down. */
async function plansOf(text: string): Promise<Plan[]> {
  const client = await holdfast.service.db.pool.connect()
  try {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
    const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)]
    return all(rows[0]['QUERY PLAN'][0].Plan)
  } finally {
    client.release()
  }
}

it('reads a page of Appointments in the order of its index, from where the one before ended', async () => {
  // Those that changed are found by their ids.
  const all = [...sent].filter(text => text.includes('with page as') && !text.includes('from event'))
  const isOfResource = (text: string) => text.includes('resource_id = resource.id')
  const pages = all.filter(text => !isOfResource(text))
  expect(pages.length).toBeGreaterThanOrEqual(2)
  const ofResource = all.filter(isOfResource)
  expect(ofResource.length).toBeGreaterThanOrEqual(1)
  for (const text of ofResource) {
    const read = (await plansOf(text)).filter(plan => plan['Relation Name'] === 'appointment')
    expect(read.map(plan => plan['Index Name'])).toEqual(['appointment_resource'])
    expect(read[0]!['Index Cond']).toMatch(/start_at/)
  }
  for (const text of pages) {
    const read = await pageOf(text)
    expect([read['Node Type'], read['Index Name']], text).toEqual(['Index Scan', 'appointment_list'])
    expect(read['Index Cond']).toMatch(/ROW\(start_at, id\) >/)
  }
  const bounded = pages.find(text => text.includes('longest_block'))!
  expect((await pageOf(bounded))['Index Cond']).toMatch(/start_at > .*start_at < /)
})

/** PostgreSQL begins at the place that names several columns, and reads on until the other condition holds: it must name the later one. */
it('begins to read a page where its first row is, and not with the first that there ever was', async () => {
  const found: string[] = []
  for (const text of sent)
    for (const { 'Index Cond': condition = '' } of await plansOf(text)) {
      const [_match, column, order] = /ROW\((?:\w+\.)?(\w+),[^)]*\) ([<>])/.exec(condition) ?? []
      const isBoundTwice = column && new RegExp(`\\((?:\\w+\\.)?${column} ${order}`).test(condition)
      if (isBoundTwice && !condition.includes('ROW(GREATEST(')) found.push(condition)
    }
  expect(found).toEqual([])
})

it.each([
  ['all of them', /^ from mail where id < /, /^(mail_pkey|mail_provider)$/, /id < /],
  ['those that failed or are kept', /unsent >= /, /^(mail_unsent|mail_unsent_of)$/, /unsent >= .*unsent <= /],
  ['those of a rare kind', /kind >= /, /^mail_unusual$/, /kind >= .*kind <= /],
  ['those to an address', /lower\(recipient\) >= /, /^mail_recipient$/, /lower\(recipient\) >= .*id < /],
])('finds mails by an index that leads to few: %s', async (_name, wanted, index, condition) => {
  const texts = [...sent].map(text => text.replace(/\s+/g, ' '))
  const isWanted = (text: string) => wanted.test(text.slice(text.indexOf(' from mail where')))
  const found = texts.filter(text => /order by .*limit/.test(text) && isWanted(text))
  expect(found.length).toBeGreaterThan(0)
  for (const text of found) {
    const [read] = (await plansOf(text)).filter(plan => plan['Index Name'])
    expect(read!['Index Name'], text).toMatch(index)
    expect(read!['Index Cond']).toMatch(condition)
  }
})

it('finds those who would take a time by what they wait for', async () => {
  const texts = [...sent].filter(text => text.includes('waiting_keys('))
  // When a place is given up, when its times are known, and beside the calendar.
  expect(texts.length).toBe(3)
  for (const text of texts) {
    const read = (await plansOf(text)).filter(plan => plan['Index Name'] === 'waiting_entry_keys')
    expect(read.map(plan => plan['Node Type'])).toEqual(['Bitmap Index Scan'])
  }
})
