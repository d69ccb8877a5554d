// Bookings in an external calendar, against a real CalDAV server behind a proxy that breaks.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { importCalendar } from '../../src/actions/scheduling/calendars/import-calendar.ts'
import { mirrorBookings } from '../../src/actions/scheduling/calendars/mirror-bookings.ts'
import { type CalendarClient, makeCalendarClient } from '../../src/calendars/request.ts'
import { takeDueSources } from '../../src/db/scheduling/calendar-checks.ts'
import { takeDueMirrors } from '../../src/db/scheduling/calendar-mirrors.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { startCalendarMirror } from '../../src/start/calendar-refresh.ts'
import { moveTenant } from '../../src/start/move-tenant.ts'
import { resealAll } from '../../src/start/reseal.ts'
import { makePractice, makeRoom, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { startDavProxy } from '../support/dav-proxy.ts'
import { bookAt, moveBooking } from '../support/moves.ts'
import { startRadicale } from '../support/radicale.ts'
import { consoleCall, eventually, startTestService, useService } from '../support/service.ts'
import { dayIn } from '../support/widget.ts'

vi.setConfig({ testTimeout: 60_000 })

const env = { RATE_LIMIT_PUBLIC: '0', DEFAULT_TIME_ZONE: 'UTC', WEBHOOK_ALLOW_PRIVATE: '1' }
const holdfast = await useService(env)
const radicale = await startRadicale()
const proxy = await startDavProxy(radicale.url)
afterAll(async () => {
  await proxy.close()
  await radicale.close()
})

const consumer = asConsumer(overApp(holdfast.app))
const rows = (query: string, values: unknown[] = []) => holdfast.query(query, values)
const day = dayIn(3)

let practice: Practice
let calendar: string
let source: string
let count = 0
beforeEach(async () => {
  proxy.mode = 'open'
  proxy.status = null
  await rows('delete from calendar_mirror')
  practice = await makePractice(holdfast.crm, { timeZone: 'UTC' })
  await makeTimeslot(holdfast.crm, practice, { start: `${day}T08:00`, end: `${day}T12:00` })
  calendar = await radicale.makeCalendar(`Cal${++count}`)
  source = await connect(practice, { mirrorTo: calendar, mirrorNames: true })
  proxy.requests = []
})

const sourcesOf = ({ path, resource }: Practice) =>
  `${path}/resources/${encodeURIComponent(resource)}/calendar_sources`
const login = { kind: 'caldav', user: 'ann', password: 'app-password' }

async function connect(at: Practice, fields: object) {
  const body = { ...login, address: `${proxy.url}/ann/`, calendars: [calendar], ...fields }
  const made = await holdfast.crm.post(sourcesOf(at), body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.source.uuid as string
}

const sourceNow = async () => (await holdfast.crm.get(`${sourcesOf(practice)}/${source}`)).body.source
const change = async (body: object) => {
  const answer = await holdfast.crm.patch(`${sourcesOf(practice)}/${source}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

const taking = () => ({
  limit: 100,
  ofOneProvider: 100,
  busyProviders: [],
  seconds: 60,
  worker: randomUUID(),
})

/** As a worker would, without waiting for its turn; `look` compares the calendar too. */
async function mirrorNow(look = false) {
  await rows(`update calendar_mirror set not_before = '-infinity'`)
  if (look) await rows(`update calendar_mirror set look_at = '-infinity'`)
  const one = taking()
  for (const mirror of await takeDueMirrors(holdfast.service.db, one))
    await mirrorBookings(holdfast.service, mirror, one.worker)
}

async function importNow() {
  await rows(`update calendar_check set next_at = '-infinity'`)
  const one = taking()
  for (const due of await takeDueSources(holdfast.service.db, one))
    await importCalendar(holdfast.service, due, one.worker)
}

const freeSlots = async (at = practice) => slotsOf(await consumer.list(at.resourceUuid))
const book = async (index = 0) => bookAt(consumer, (await freeSlots())[index]!)

const unfolded = (text: string) => text.replace(/\r?\n[ \t]/g, '')
const field = (text: string, name: string) => new RegExp(`^${name}[:;](.*?)\\r?$`, 'm').exec(text)?.[1]

/** The entries of the calendar on the server, by time. */
async function entries(path = calendar) {
  const text = unfolded(await (await radicale.send('GET', path)).text())
  return text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map(text => ({
      text,
      uid: field(text, 'UID')!,
      start: field(text, 'DTSTART')!.replace(/^.*T(\d\d)(\d\d).*$/, '$1:$2'),
      title: field(text, 'SUMMARY')!,
    }))
    .sort((one, other) => one.start.localeCompare(other.start))
}
const starts = async (path = calendar) => (await entries(path)).map(one => one.start)

/** A person edits the only entry in their own calendar program. */
async function editOutside(from: string | RegExp, to: string) {
  const [one] = await entries()
  const path = `${calendar}${one!.uid.split('@')[0]}.ics`
  const text = await (await radicale.send('GET', path)).text()
  await radicale.put(path, text.replace(from, to))
  return path
}

describe('a booking', () => {
  it('is in the calendar within ten seconds, and follows moves and cancellations', async () => {
    const loop = startCalendarMirror(holdfast.service, { warn: () => {} })
    onTestFinished(() => loop.stop())
    const within = async (look: () => Promise<boolean>) => {
      const since = performance.now()
      await eventually(look)
      expect(performance.now() - since).toBeLessThan(10_000)
    }
    const booked = await book()
    await within(async () => (await starts()).join() === '08:00')
    const [first] = await entries()
    expect(first!.title).toMatch(/^Ann Winter/)
    const [{ uuid }] = await rows(
      `select coalesce(calendar_uuid, uuid) as uuid from participation where email = $1`,
      [booked.email],
    )
    expect(first!.uid, 'as in the emails').toBe(`${uuid}@${new URL(holdfast.service.baseUrl).hostname}`)
    const moved = await moveBooking(consumer, booked, (await freeSlots())[2]!)
    expect(moved.status).toBe(200)
    await within(async () => (await starts()).join() === '09:30')
    expect((await entries())[0]!.uid).toBe(first!.uid)
    await cancelBooking()
    await within(async () => (await starts()).length === 0)
    expect([proxy.count('PUT'), proxy.count('DELETE')]).toEqual([2, 1])
  })

  it('names no person who could be invited, and no customer without the setting', async () => {
    await book()
    await mirrorNow()
    const [one] = await entries()
    expect(one!.text).not.toMatch(/ATTENDEE|ORGANIZER|METHOD/)
    await change({ mirrorNames: false })
    await mirrorNow()
    expect((await entries()).map(one => one.title)).toEqual(['Busy'])
    expect((await sourceNow()).mirror).toMatchObject({ state: 'fresh', error: null, notices: [] })
  })

  it('is not busy time where the calendar is read, whatever address the service has now', async () => {
    await book()
    await mirrorNow()
    await importNow()
    const open = async () => (await freeSlots()).map(slot => slot.start.slice(11, 16))
    const before = await open()
    expect(before[0]).toBe('08:30')
    await cancelBooking()
    expect((await open())[0]).toBe('08:00')
    const { baseUrl } = holdfast.service
    holdfast.service.baseUrl = 'https://elsewhere.test'
    await rows(`update calendar_check set digest = null, validators = '{}'`)
    await importNow()
    expect((await open())[0]).toBe('08:00')
    holdfast.service.baseUrl = baseUrl
    expect(
      await rows('select from busy_span where resource_id = (select id from resource where uuid = $1)', [
        practice.resourceUuid,
      ]),
    ).toEqual([])
  })

  it('of an erased person loses its name, and its entry if it was long ago', async () => {
    await book()
    await mirrorNow()
    const [person] =
      await rows(`select customer.reference from customer join participation on customer_id = customer.id
      where participation.provider_id = customer.provider_id order by customer.id desc limit 1`)
    const shift = `update appointment set start_at = start_at - interval '90 days', end_at = end_at - interval '90 days',
      blocked_from = blocked_from - interval '90 days', blocked_to = blocked_to - interval '90 days'
      where resource_id = (select id from resource where uuid = $1)`
    await rows(shift, [practice.resourceUuid])
    await rows(
      `update mirror_entry set start_at = start_at - interval '90 days', end_at = end_at - interval '90 days'`,
    )
    await mirrorNow(true)
    expect(await entries(), 'old entries stay').toHaveLength(1)
    const path = `${practice.path}/customers/${encodeURIComponent(person.reference)}`
    expect((await holdfast.crm.delete(path)).status).toBe(204)
    await mirrorNow()
    expect(await entries()).toEqual([])
  })
})

describe('while the calendar server', () => {
  it('is away, bookings wait, and are written once it is back', async () => {
    proxy.mode = 'down'
    const booked = await book()
    await mirrorNow()
    const failed = await sourceNow()
    expect(failed.mirror).toMatchObject({ state: 'failing', error: { code: 'connection' } })
    const waits: number[] = []
    for (let tries = 0; tries < 5; tries++) {
      await mirrorNow()
      const [one] = await rows(
        'select extract(epoch from not_before - now())::float8 as wait from calendar_mirror',
      )
      waits.push(one.wait)
    }
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(waits.at(-1)).toBeGreaterThan(2_500)
    await moveBooking(consumer, booked, (await freeSlots())[1]!)
    await book()
    proxy.mode = 'open'
    await mirrorNow()
    expect(await starts()).toEqual(['08:00', '09:00'])
    expect(proxy.count('PUT')).toBe(2)
    expect((await sourceNow()).mirror).toMatchObject({ state: 'fresh', error: null, failingSince: null })
  })

  it('refuses the login or to store, says so', async () => {
    proxy.status = 401
    await book()
    await mirrorNow()
    expect((await sourceNow()).mirror.error.code).toBe('login')
    proxy.status = 400
    await mirrorNow()
    expect((await sourceNow()).mirror.error.code).toBe('refused')
    proxy.status = null
    await mirrorNow()
    expect(await starts()).toEqual(['08:00'])
  })

  it('takes what is sent but its answer is lost, nothing is written twice', async () => {
    const usual = holdfast.service.calendarClient
    const impatient = makeCalendarClient({ allowPrivate: true, patience: 1_000 })
    useClient(impatient)
    const answers = (mode: 'open' | 'deaf') => {
      proxy.mode = mode
      holdfast.service.calendarClient = mode === 'deaf' ? impatient : usual
    }
    const booked = await book()
    answers('deaf')
    await mirrorNow()
    expect((await sourceNow()).mirror.error.code).toBe('slow')
    answers('open')
    await mirrorNow()
    expect(await starts()).toEqual(['08:00'])
    // The same with a move, and another move before the answer is missed.
    answers('deaf')
    await moveBooking(consumer, booked, (await freeSlots())[1]!)
    await mirrorNow()
    await expect.poll(() => starts(), { timeout: 10_000 }).toEqual(['09:00'])
    answers('open')
    await moveBooking(consumer, booked, (await freeSlots())[4]!)
    await mirrorNow()
    expect(await starts()).toHaveLength(1)
    expect((await sourceNow()).mirror).toMatchObject({ state: 'fresh', notices: [] })
    // And with a cancellation.
    answers('deaf')
    await cancelBooking()
    await mirrorNow()
    answers('open')
    await mirrorNow()
    expect(await starts()).toEqual([])
    expect(await rows('select from mirror_entry')).toEqual([])
  })

  it('has an address that leads into a private network, nothing is sent', async () => {
    const guarded = makeCalendarClient({ allowPrivate: false })
    useClient(guarded)
    await book()
    await mirrorNow()
    expect((await sourceNow()).mirror.error.code).toBe('address')
    expect(proxy.requests).toEqual([])
  })
})

describe('an entry that is changed in the calendar', () => {
  it('is a notice and stays, until ours is written again', async () => {
    const booked = await book()
    await mirrorNow()
    const path = await editOutside(/T080000Z/, 'T110000Z')
    await mirrorNow(true)
    const { mirror } = await sourceNow()
    expect(mirror.notices).toMatchObject([{ kind: 'changed', start: `${day}T08:00:00Z` }])
    expect((await freeSlots())[0]!.start, 'the booking stays').toContain('08:30')
    await moveBooking(consumer, booked, (await freeSlots())[1]!)
    await mirrorNow(true)
    expect(await starts(), 'theirs').toEqual(['11:00'])
    const rewrite = await holdfast.crm.post(`${sourcesOf(practice)}/${source}/rewrite`, {
      entries: [mirror.notices[0].uuid],
    })
    expect(rewrite.status).toBe(202)
    expect(rewrite.body.source.mirror.notices).toEqual([])
    await mirrorNow()
    expect(await starts()).toEqual(['09:00'])
    await radicale.send('DELETE', path)
    await mirrorNow(true)
    expect((await sourceNow()).mirror.notices).toMatchObject([{ kind: 'deleted' }])
    expect(await starts()).toEqual([])
    await holdfast.crm.post(`${sourcesOf(practice)}/${source}/rewrite`, {})
    await mirrorNow()
    expect(await starts()).toEqual(['09:00'])
  })

  it('or deletes just before a move is noticed when the move is written', async () => {
    const booked = await book()
    await mirrorNow()
    const path = await editOutside('SUMMARY:', 'SUMMARY:Call first: ')
    await moveBooking(consumer, booked, (await freeSlots())[1]!)
    await mirrorNow()
    expect((await sourceNow()).mirror.notices).toMatchObject([{ kind: 'changed' }])
    expect((await entries())[0]!.title).toMatch(/^Call first/)
    await radicale.send('DELETE', path)
    await mirrorNow(true)
    expect((await sourceNow()).mirror.notices).toMatchObject([{ kind: 'deleted' }])
    await cancelBooking()
    await mirrorNow()
    expect((await sourceNow()).mirror.notices, 'nothing left to say').toEqual([])
  })

  it('without changing the booking is none: an alarm, or the same again', async () => {
    await book()
    await mirrorNow()
    await editOutside(
      'END:VEVENT',
      'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT',
    )
    await mirrorNow(true)
    expect((await sourceNow()).mirror.notices).toEqual([])
    await cancelBooking()
    await mirrorNow()
    expect(await starts()).toEqual([])
  })

  it('is seen although the calendar has no tokens, and nothing is asked twice if it has', async () => {
    await book()
    await mirrorNow(true)
    await mirrorNow(true)
    proxy.requests = []
    await mirrorNow(true)
    expect(proxy.requests.map(one => one.split(' ')[0])).toEqual(['PROPFIND'])
  })
})

describe('a mirror', () => {
  it('that is switched off removes what it wrote, and may be switched on again', async () => {
    await book()
    await mirrorNow()
    await change({ mirrorTo: null })
    await change({ mirrorTo: calendar })
    for (let turn = 0; turn < 4; turn++) await mirrorNow()
    expect(await starts()).toEqual(['08:00'])
    expect((await sourceNow()).mirror).toMatchObject({ state: 'fresh', notices: [] })
    await change({ mirrorTo: null })
    await mirrorNow()
    await mirrorNow()
    expect([await starts(), await rows('select from calendar_mirror')]).toEqual([[], []])
  })

  it('follows to another calendar, and goes with its source', async () => {
    await book()
    await mirrorNow()
    const other = await radicale.makeCalendar(`Other${count}`)
    await change({ mirrorTo: other })
    await mirrorNow()
    expect([await starts(), await starts(other)]).toEqual([[], ['08:00']])
    expect((await holdfast.crm.delete(`${sourcesOf(practice)}/${source}`)).status).toBe(204)
    await mirrorNow()
    await mirrorNow()
    expect([await starts(other), await rows('select from calendar_mirror')]).toEqual([[], []])
  })

  it('of two Resources may share a calendar, and bookings move between them', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room, { start: `${day}T08:00`, end: `${day}T12:00` })
    await connect(room, { mirrorTo: calendar, mirrorNames: true })
    const booked = await book()
    await mirrorNow()
    const [slot] = (await freeSlots(room)).slice(3)
    expect((await moveBooking(consumer, booked, slot!)).status).toBe(200)
    await mirrorNow()
    await mirrorNow()
    expect(await starts()).toEqual(['09:30'])
    expect(await rows('select from mirror_entry where notice is not null')).toEqual([])
  })

  it('is one for each Resource, in a CalDAV calendar', async () => {
    const second = { ...login, address: `${proxy.url}/ann/`, mirrorTo: calendar }
    const refused = await holdfast.crm.post(sourcesOf(practice), second)
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'mirrorTo'])
    const ics = { kind: 'ics', address: `${proxy.url}/a.ics`, mirrorTo: calendar }
    const wrong = await holdfast.crm.post(sourcesOf(practice), ics)
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'mirrorTo'])
  })

  it('compares at most every two seconds, and sends nothing if nothing changed', async () => {
    await book()
    await mirrorNow(true)
    await rows('update resource set revision = revision + 1 where uuid = $1', [practice.resourceUuid])
    expect(await takeDueMirrors(holdfast.service.db, taking())).toEqual([])
    proxy.requests = []
    await mirrorNow()
    expect(proxy.requests).toEqual([])
  })
})

describe('several processes', () => {
  it('write each booking once', async () => {
    const log = { warn: () => {} }
    const loops = [1, 2, 3].map(() => startCalendarMirror(holdfast.service, log))
    onTestFinished(async () => void (await Promise.all(loops.map(one => one.stop()))))
    for (let index = 0; index < 8; index++) await book()
    await eventually(async () => (await starts()).length === 8)
    expect(proxy.count('PUT')).toBe(8)
  })

  it('killed while they write lose nothing and write nothing twice', async () => {
    const settings = {
      connection: holdfast.connection,
      env: { ...env, BASE_URL: holdfast.service.baseUrl, LOG_LEVEL: 'silent' },
    }
    for (let index = 0; index < 3; index++) await book()
    proxy.mode = 'deaf'
    const child = spawn(process.execPath, ['test/support/worker-process.ts'], {
      env: { ...process.env, WORKER: JSON.stringify(settings) },
      stdio: 'ignore',
    })
    await eventually(async () => proxy.count('PUT') > 0, 60)
    child.kill('SIGKILL')
    await eventually(async () => (await starts()).length === 1)
    proxy.mode = 'open'
    await mirrorNow()
    expect(await starts(), 'still leased').toHaveLength(1)
    const etag = async () =>
      (await radicale.send('GET', `${calendar}${(await entries())[0]!.uid.split('@')[0]}.ics`)).headers.get(
        'etag',
      )
    const before = await etag()
    await rows(`update calendar_mirror set worked_until = '-infinity'`)
    await mirrorNow()
    expect(await starts()).toEqual(['08:00', '08:30', '09:00'])
    expect(await etag(), 'not written again').toBe(before)
    expect(await rows('select from mirror_entry where notice is not null or sent <> $1', [[]])).toEqual([])
  })

  it('that lost their lease write no more', async () => {
    await book()
    const one = taking()
    await rows(`update calendar_mirror set not_before = '-infinity'`)
    const [mirror] = await takeDueMirrors(holdfast.service.db, one)
    await change({ mirrorNames: false })
    await mirrorBookings(holdfast.service, mirror!, one.worker)
    expect(proxy.count('PUT')).toBe(0)
    await mirrorNow()
    expect((await entries()).map(one => one.title)).toEqual(['Busy'])
  })
})

describe('the stored login', () => {
  it('is sealed again with a new SECRET_KEY, for reading and writing', async () => {
    const signer = makeSigner('n'.repeat(32), 's'.repeat(32))
    const fingerprint = 'made'
    await rows(
      `insert into secret_fingerprint (fingerprint) values ('made') on conflict (single) do update set fingerprint = 'made'`,
    )
    const { resealed, unreadable } = await resealAll({
      db: holdfast.service.db,
      signer,
      fingerprint,
      isDryRun: false,
    })
    expect([resealed['calendar_source.sealed'], resealed['calendar_mirror.sealed']]).toEqual([count, 1])
    expect(unreadable).toEqual({})
    await book()
    const one = taking()
    const renewed = { ...holdfast.service, signer: makeSigner('n'.repeat(32)) }
    for (const mirror of await takeDueMirrors(holdfast.service.db, one))
      await mirrorBookings(renewed, mirror, one.worker)
    expect(await starts()).toEqual(['08:00'])
    // Back, for the other tests.
    const back = makeSigner('s'.repeat(32), 'n'.repeat(32))
    await resealAll({ db: holdfast.service.db, signer: back, fingerprint, isDryRun: false })
  })

  // A move waits for the transactions of all databases, also those of other test files.
  it('moves with its CRM, which goes on where it was: nothing is written twice', async () => {
    const target = await startTestService({ ...env, SECRET_KEY: 't'.repeat(32) })
    onTestFinished(() => target.close())
    await target.query(`update crm set name = 'resident' where name = 'crm'`)
    const booked = await book()
    await mirrorNow()
    const crm = (await findCrm(holdfast.service.db, 'crm'))!
    await moveTenant({
      crm,
      source: { connection: holdfast.connection, signer: holdfast.service.signer, name: 'source' },
      target: { connection: target.connection, signer: target.service.signer, name: 'target' },
      address: 'https://new.test',
      pauseSeconds: 60,
      step() {},
    })
    const atTarget = (query: string) => target.query(query)
    await atTarget(
      `update calendar_mirror set not_before = '-infinity', look_at = '-infinity', revision = null`,
    )
    proxy.requests = []
    const run = async () => {
      const one = taking()
      for (const mirror of await takeDueMirrors(target.service.db, one))
        await mirrorBookings(target.service, mirror, one.worker)
    }
    await run()
    expect(proxy.count('PUT')).toBe(0)
    expect(await atTarget('select from calendar_mirror where problem is not null')).toEqual([])
    await atTarget(`update participation set name = 'Ann Moved' where email = '${booked.email}'`)
    await atTarget(`update calendar_mirror set not_before = '-infinity', revision = null`)
    await run()
    expect((await entries()).map(one => one.title)).toEqual([expect.stringMatching(/^Ann Moved/)])
    expect(await takeDueMirrors(holdfast.service.db, taking()), 'the source has stopped').toEqual([])
  }, 180_000)
})

/** The only one. */
async function cancelBooking() {
  const [one] = await rows(
    `select uuid from appointment where resource_id = (select id from resource where uuid = $1) and state = 'ACTIVE'
     and deleted_at is null`,
    [practice.resourceUuid],
  )
  const { status, body } = await consoleCall(holdfast.app, 'POST', `/appointments/${one.uuid}/cancel`, {})
  expect(status, JSON.stringify(body)).toBe(200)
}

function useClient(client: CalendarClient) {
  const usual = holdfast.service.calendarClient
  holdfast.service.calendarClient = client
  onTestFinished(() => {
    holdfast.service.calendarClient = usual
  })
}
