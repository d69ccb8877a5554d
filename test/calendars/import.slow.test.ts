// From an address to bookings that are refused: what an external calendar may do, and what it may not.

import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { importCalendar } from '../../src/actions/scheduling/calendars/import-calendar.ts'
import { noticeStaleCalendars } from '../../src/actions/scheduling/calendars/stale-calendars.ts'
import { purge } from '../../src/actions/scheduling/retention.ts'
import { makeCalendarClient } from '../../src/calendars/request.ts'
import { endLeases, renewLeases, takeDueSources } from '../../src/db/scheduling/calendar-checks.ts'
import { eventData } from '../../src/http/events/event-data.ts'
import {
  makeAppointment,
  makePractice,
  makeTimeslot,
  type Practice,
  setClock,
  setProvider,
} from '../support/build.ts'
import { calendarWith, startCalendarServer } from '../support/calendar-server.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { consoleCall, eventually, useService } from '../support/service.ts'

const holdfast = await useService({
  RATE_LIMIT_PUBLIC: '0',
  DEFAULT_TIME_ZONE: 'Europe/Berlin',
  WEBHOOK_ALLOW_PRIVATE: '1',
})
const server = await startCalendarServer()
afterAll(() => server.close())
setClock(holdfast, '2030-01-01T12:00:00Z')

const at = (time: string) => Date.parse(`2030-01-07T${time}:00+01:00`)
const span = (from: string, to: string) => ({ from: at(from), to: at(to) })

const pathOf = ({ path, resource }: Practice) =>
  `${path}/resources/${encodeURIComponent(resource)}/calendar_sources`

async function connect(practice: Practice, address: string, fields: object = {}) {
  const { status, body } = await holdfast.crm.post(pathOf(practice), { kind: 'ics', address, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.source as { uuid: string; state: string }
}

/** Reads what is due, as a worker does. */
async function importDue() {
  const worker = randomUUID()
  const taking = { limit: 100, ofOneProvider: 100, busyProviders: [], seconds: 60, worker }
  const due = await takeDueSources(holdfast.service.db, taking)
  for (const source of due) await importCalendar(holdfast.service, source, worker)
  return due.length
}

async function refresh(practice: Practice, uuid: string) {
  expect((await holdfast.crm.post(`${pathOf(practice)}/${uuid}/refresh`)).status).toBe(202)
  await importDue()
  return (await holdfast.crm.get(`${pathOf(practice)}/${uuid}`)).body.source
}

/** Open on one Monday from 08:00 to 10:00. */
async function makeOpen() {
  const practice = await makePractice(holdfast.crm, {
    timeZone: 'Europe/Berlin',
    email: 'office@example.org',
  })
  const timeslot = await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T10:00' })
  return { ...practice, timeslotUuid: timeslot.uuid }
}

const consumer = asConsumer(overApp(holdfast.app))
const startsOf = async ({ resourceUuid }: Practice) =>
  slotsOf(await consumer.list(resourceUuid)).map(slot => slot.start.slice(11, 16))

let counter = 0
const newPath = () => `/${++counter}.ics`

async function makeConnected(spans = [span('08:30', '09:00')], fields: object = {}) {
  const practice = await makeOpen()
  const path = newPath()
  const source = await connect(practice, server.serve(path, calendarWith(spans)), fields)
  await importDue()
  return { practice, path, source }
}

const rows = (query: string) => holdfast.query(query)
const revisionOf = async ({ resourceUuid }: Practice) =>
  (await rows(`select revision from resource where uuid = '${resourceUuid}'`))[0].revision as number

describe('busy time', () => {
  it('is off the list, refused, and explained', async () => {
    const { practice } = await makeConnected()
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
    const refused = await consumer.reserve(practice.resourceUuid, {
      timeslot_uuid: practice.timeslotUuid,
      product_uuid: practice.productUuid,
      from: '2030-01-07T08:30',
      to: '2030-01-07T09:00',
    })
    expect(refused.status).toBe(412)
    expect(refused.body.errors[0]).toMatchObject({
      errorCode: '201',
      message: expect.stringContaining('overlaps'),
    })
    const time = { start: '2030-01-07T08:30', end: '2030-01-07T09:00' }
    const place = { timeslot_uuid: practice.timeslotUuid, product_uuid: practice.productUuid }
    const completed = await consumer.complete(practice.resourceUuid, { ...time, ...place, ...newPerson() })
    expect(completed.status).toBe(412)
    const search = `/free-times?productUuid=${practice.productUuid}&from=2030-01-07&to=2030-01-08`
    const { times } = (await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}${search}`)).body
    expect(times.map((one: { start: string }) => one.start.slice(11, 16))).toEqual([
      '07:00',
      '08:00',
      '08:30',
    ])
    const path = `/resources/${practice.resourceUuid}/explain?date=2030-01-07`
    const { lines } = (await consoleCall(holdfast.app, 'GET', path)).body
    expect(lines[1]).toMatchObject({ offered: false, reason: 'busy', text: 'Busy in an external calendar.' })
  })

  it('warns staff, who may book all the same', async () => {
    const { practice } = await makeConnected()
    const { reference } = await makeAppointment(holdfast.crm, practice, {
      start: '2030-01-07T09:30',
      end: '2030-01-07T10:00',
    })
    const move = (query: string) =>
      holdfast.crm.post(`${practice.path}/appointments/${encodeURIComponent(reference)}/move${query}`, {
        start: '2030-01-07T08:30',
        end: '2030-01-07T09:00',
      })
    const refused = await move('')
    expect(refused.status).toBe(409)
    expect(refused.body.errors[0].message).toContain('busy then in an external calendar')
    expect((await move('?ignoreConflicts=true')).status).toBe(200)
  })

  it('follows the calendar, and a booking in it stays', async () => {
    const { practice, path, source } = await makeConnected()
    await makeAppointment(holdfast.crm, practice, {
      start: '2030-01-07T09:30',
      end: '2030-01-07T10:00',
      capacity: 1,
    })
    server.serve(path, calendarWith([span('08:00', '08:30'), span('09:30', '10:00')]))
    await refresh(practice, source.uuid)
    expect(await startsOf(practice)).toEqual(['08:30', '09:00'])
    expect((await holdfast.crm.get(`${practice.path}/appointments`)).text).toContain('2030-01-07T08:30:00Z')
  })

  it('ends with its source, whose event says which it was', async () => {
    const { practice, source } = await makeConnected()
    expect((await holdfast.crm.delete(`${pathOf(practice)}/${source.uuid}`)).status).toBe(204)
    expect(await startsOf(practice)).toHaveLength(4)
    expect((await holdfast.crm.delete(`${pathOf(practice)}/${source.uuid}`)).status).toBe(404)
    const [event] = await rows(`select * from event where kind = 'calendar.removed' order by id desc limit 1`)
    const [data] = await eventData(holdfast.service, [{ ...event, subject: Number(event.subject) }])
    expect(data).toEqual({ reference: practice.resource, calendar: { uuid: source.uuid } })
  })

  it('of whole days follows the zone of the Provider', async () => {
    const practice = await makeOpen()
    const text = calendarWith([]).replace(
      'END:VCALENDAR',
      'BEGIN:VEVENT\r\nUID:d\r\nDTSTART;VALUE=DATE:20300107\r\nEND:VEVENT\r\nEND:VCALENDAR',
    )
    const { uuid } = await connect(practice, server.serve(newPath(), text))
    await importDue()
    expect(
      await rows(
        `select from_at from busy_span where source_id = (select id from calendar_source where uuid = '${uuid}')`,
      ),
    ).toEqual([{ from_at: Date.parse('2030-01-06T23:00:00Z') }])
    await setProvider(holdfast, practice.uuid, { timeZone: 'Asia/Tokyo' })
    await refresh(practice, uuid)
    expect(
      await rows(
        `select from_at from busy_span where source_id = (select id from calendar_source where uuid = '${uuid}')`,
      ),
    ).toEqual([{ from_at: Date.parse('2030-01-06T15:00:00Z') }])
  })
})

describe('the console', () => {
  it('shows busy time in its calendar, and bookings in it as conflicts', async () => {
    const { practice, path, source } = await makeConnected([span('08:30', '09:00')], { showTitles: true })
    const calendar = async () =>
      (await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/calendar?from=2030-01-07`)).body
        .busyTimes
    expect(await calendar()).toEqual([
      {
        from: '2030-01-07T07:30:00Z',
        to: '2030-01-07T08:00:00Z',
        title: 'Dentist',
        resourceUuid: practice.resourceUuid,
      },
    ])
    const listed = async () =>
      (await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/calendar_sources`)).body
    expect(await listed()).toMatchObject({ sources: [{ uuid: source.uuid, state: 'fresh' }], conflicts: [] })
    await makeAppointment(holdfast.crm, practice, { start: '2030-01-07T09:30', end: '2030-01-07T10:00' })
    await makeAppointment(holdfast.crm, practice, { start: '2030-01-07T09:00', end: '2030-01-07T09:30' })
    server.serve(path, calendarWith([span('09:15', '09:30')]))
    await refresh(practice, source.uuid)
    expect((await listed()).conflicts).toMatchObject([{ start: '2030-01-07T08:00:00Z' }])
  })
})

describe('an unchanged calendar', () => {
  it('writes no row and no revision, with an ETag or without', async () => {
    const { practice, path, source } = await makeConnected()
    const tables = ['calendar_source', 'busy_span', 'resource', 'event']
    const state = () =>
      Promise.all(tables.map(table => rows(`select xmin::text, ctid::text from ${table} order by ctid`)))
    const before = await state()
    for (let look = 0; look < 20; look++) await refresh(practice, source.uuid)
    const text = calendarWith([span('08:30', '09:00')])
    let looks = 0
    server.answer(path, (_request, response) =>
      response.end(text.replace('DTSTAMP:20260101T000000Z', `DTSTAMP:20260101T00000${looks++ % 10}Z`)),
    )
    for (let look = 0; look < 5; look++) await refresh(practice, source.uuid)
    expect(looks).toBe(5)
    expect(await state()).toEqual(before)
  })

  it('is read in full once a day, so that what repeats goes on', async () => {
    const { practice, source } = await makeConnected()
    setClock(holdfast, '2030-01-03T12:00:00Z')
    const count = server.requests.length
    await refresh(practice, source.uuid)
    expect(server.requests.at(-1)!.headers['if-none-match']).toBeUndefined()
    expect(server.requests.length).toBeGreaterThan(count)
    setClock(holdfast, '2030-01-01T12:00:00Z')
  })
})

const page = '<!doctype html><title>Log in</title>'

describe('an answer that is not a whole calendar changes nothing', () => {
  const text = calendarWith([])
  const faults: [string, string, Parameters<typeof server.answer>[1]][] = [
    ['nothing', 'format', (_, response) => response.writeHead(200).end('')],
    ['a page', 'format', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page)],
    ['half a calendar', 'incomplete', (_, response) => response.writeHead(200).end(text.slice(0, -20))],
    [
      'a connection that breaks',
      'incomplete',
      (_, response) => {
        response.writeHead(200, { 'content-length': '5000' }).write(text)
        setTimeout(() => response.destroy(), 20)
      },
    ],
    [
      'half a gzip',
      'incomplete',
      (_, response) => {
        const packed = gzipSync(text)
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 12))
      },
    ],
    ['401', 'login', (_, response) => response.writeHead(401).end()],
    ['403', 'forbidden', (_, response) => response.writeHead(403).end()],
    ['404', 'missing', (_, response) => response.writeHead(404).end()],
    ['410', 'gone', (_, response) => response.writeHead(410).end()],
    ['429', 'busy', (_, response) => response.writeHead(429, { 'retry-after': '3000' }).end()],
    ['500', 'server', (_, response) => response.writeHead(500).end(page)],
    [
      'a redirect to itself',
      'redirects',
      (request, response) => response.writeHead(302, { location: request.url! }).end(),
    ],
    [
      'a redirect to a file',
      'address',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
    [
      'an endless calendar',
      'size',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('X'.repeat(65_536)));
        }
        response.on('drain', more)
        more()
      },
    ],
    [
      'a bomb',
      'size',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('X'.repeat(20_000_000))),
    ],
  ]

  let made: Awaited<ReturnType<typeof makeConnected>>
  it.each(faults)('%s', async (_, code, answering) => {
    made ??= await makeConnected()
    const { practice, path, source } = made
    const revision = await revisionOf(practice)
    server.answer(path, answering)
    const after = await refresh(practice, source.uuid)
    expect(after).toMatchObject({ state: 'failing', error: { code }, failingSince: expect.any(String) })
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
    expect(await revisionOf(practice)).toBe(revision)
    server.serve(path, calendarWith([span('08:30', '09:00')]))
    expect(await refresh(practice, source.uuid)).toMatchObject({
      state: 'fresh',
      error: null,
      failingSince: null,
    })
    expect(await revisionOf(practice)).toBe(revision)
  })

  it('waits longer after each failure, and as long as the server asks', async () => {
    const { practice, path, source } = await makeConnected()
    server.answer(path, (_, response) => response.writeHead(500).end())
    const waits: number[] = []
    for (let look = 0; look < 4; look++) {
      const { nextCheckAt } = await refresh(practice, source.uuid)
      waits.push((Date.parse(nextCheckAt) - Date.parse('2030-01-01T12:00:00Z')) / 1000)
    }
    expect(waits[0]).toBeLessThan(100)
    expect(waits[3]).toBeGreaterThan(2800)
    server.answer(path, (_, response) => response.writeHead(429, { 'retry-after': '20000' }).end())
    const { nextCheckAt } = await refresh(practice, source.uuid)
    expect(Date.parse(nextCheckAt) - Date.parse('2030-01-01T12:00:00Z')).toBeGreaterThan(19_990_000)
  })

  it('a slow server is given up', async () => {
    const client = makeCalendarClient({ allowPrivate: true, patience: 100 })
    const url = server.answer(
      newPath(),
      (_, response) => void response.writeHead(200).write('BEGIN:VCALENDAR'),
    )
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'slow' })
  })
})

describe('a calendar at another address', () => {
  it('is found through redirects and unpacked', async () => {
    const practice = await makeOpen()
    const there = newPath()
    server.answer(there, (_, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(calendarWith([span('08:00', '09:30')]))),
    )
    await connect(
      practice,
      server.answer(newPath(), (_, response) => response.writeHead(301, { location: there }).end()),
    )
    await importDue()
    expect(await startsOf(practice)).toEqual(['09:30'])
  })

  it('gets the password only if it is on the same server', async () => {
    const practice = await makeOpen()
    const other = await startCalendarServer()
    const there = other.serve('/there.ics', calendarWith([]))
    const here = newPath()
    server.answer(here, (_, response) => response.writeHead(302, { location: there }).end())
    const [hop, secrets] = [newPath(), { user: 'ann', password: 'very-secret' }]
    server.answer(hop, (_, response) => response.writeHead(302, { location: here }).end())
    await connect(practice, `${server.url}${hop}`, secrets)
    await importDue()
    expect(server.requests.slice(-2).map(one => Boolean(one.headers.authorization))).toEqual([true, true])
    expect(other.requests.map(one => one.headers.authorization)).toEqual([undefined])
    await other.close()
  })
})

describe('guarded addresses', () => {
  const strict = makeCalendarClient({ allowPrivate: false })
  it.each(['https://127.0.0.1/a.ics', 'https://[::1]/', 'https://169.254.169.254/', 'http://example.org/'])(
    '%s',
    url => expect(strict.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'address' }),
  )

  it('a name that leads to a private address when the connection is made', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const lookup = ((_host: string, _options: object, done: (error: null, all: object[]) => void) =>
      done(null, [{ address: answers.pop()!, family: 4 }])) as never
    const client = makeCalendarClient({ allowPrivate: false, lookup })
    const { port } = new URL(server.url)
    const count = server.requests.length
    await expect(
      client.send({ method: 'GET', url: `https://calendar.example.org:${port}/` }),
    ).rejects.toMatchObject({ code: 'connection' })
    expect(server.requests.length).toBe(count)
  })
})

describe('two workers', () => {
  it('import a source once: it is leased, and the one that lost its lease writes nothing', async () => {
    const practice = await makeOpen()
    await connect(practice, server.serve(newPath(), calendarWith([span('08:00', '09:00')])))
    const take = (worker: string, seconds = 60) =>
      takeDueSources(holdfast.service.db, {
        limit: 10,
        ofOneProvider: 10,
        busyProviders: [],
        seconds,
        worker,
      })
    const [first, second] = [randomUUID(), randomUUID()]
    const [taken] = await take(first, 0)
    const [again] = await take(second)
    expect(again!.id).toBe(taken!.id)
    expect(await take(randomUUID())).toEqual([])
    await importCalendar(holdfast.service, taken!, first)
    expect(await startsOf(practice)).toHaveLength(4)
    await importCalendar(holdfast.service, again!, second)
    expect(await startsOf(practice)).toEqual(['09:00', '09:30'])
  })
})

describe('a lease', () => {
  it('goes on while its calendar waits for a thread', async () => {
    await connect(await makeOpen(), server.serve(newPath(), calendarWith([])))
    const take = (worker: string, seconds: number) =>
      takeDueSources(holdfast.service.db, {
        limit: 10,
        ofOneProvider: 10,
        busyProviders: [],
        seconds,
        worker,
      })
    const worker = randomUUID()
    expect(await take(worker, 0)).toHaveLength(1)
    await renewLeases(holdfast.service.db, 'calendar_check', [worker], 60)
    expect(await take(randomUUID(), 60)).toEqual([])
    await endLeases(holdfast.service.db, 'calendar_check', [worker])
    expect(await importDue()).toBe(1)
  })
})

describe('an error of our own', () => {
  it('is shown, and changes nothing that is known', async () => {
    const { practice, source } = await makeConnected()
    const { calendarClient } = holdfast.service
    holdfast.service.calendarClient = { send: () => Promise.reject(new TypeError('a mistake')) }
    await expect(refresh(practice, source.uuid)).rejects.toThrow('a mistake')
    holdfast.service.calendarClient = calendarClient
    const { body } = await holdfast.crm.get(`${pathOf(practice)}/${source.uuid}`)
    expect(body.source).toMatchObject({ state: 'failing', error: { code: 'unexpected' } })
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
    expect((await refresh(practice, source.uuid)).state).toBe('fresh')
  })
})

describe('an entry of many months', () => {
  it('keeps its rows when the days go on', async () => {
    const long = { from: Date.parse('2029-01-01T09:00Z'), to: Date.parse('2030-06-01T09:00Z') }
    const { practice, source } = await makeConnected([long])
    const state = () =>
      rows(
        `select busy_span.ctid::text, busy_span.xmin::text from busy_span join calendar_source on id = source_id where uuid = '${source.uuid}'`,
      )
    const [before, revision] = [await state(), await revisionOf(practice)]
    setClock(holdfast, '2030-01-02T13:00:00Z')
    await refresh(practice, source.uuid)
    setClock(holdfast, '2030-01-01T12:00:00Z')
    const known = new Set(before.map(row => JSON.stringify(row)))
    const added = (await state()).filter(row => !known.has(JSON.stringify(row)))
    expect([before.length > 200, added.length <= 1, await revisionOf(practice)]).toEqual([
      true,
      true,
      revision,
    ])
  })
})

describe('a source that changes while it is read', () => {
  it('is read again with its new settings', async () => {
    const practice = await makeOpen()
    const { uuid } = await connect(
      practice,
      server.serve(newPath(), calendarWith([span('08:00', '09:00')])),
      {
        showTitles: true,
      },
    )
    const worker = randomUUID()
    const taking = { limit: 10, ofOneProvider: 10, busyProviders: [], seconds: 60, worker }
    const [taken] = await takeDueSources(holdfast.service.db, taking)
    await holdfast.crm.patch(`${pathOf(practice)}/${uuid}`, {
      address: server.serve(newPath(), calendarWith([span('09:00', '10:00')])),
      showTitles: false,
    })
    await importCalendar(holdfast.service, taken!, worker)
    expect(await startsOf(practice)).toHaveLength(4)
    await importDue()
    expect(await startsOf(practice)).toEqual(['08:00', '08:30'])
    const titles = await rows(
      `select title from busy_span join calendar_source on id = source_id where uuid = '${uuid}'`,
    )
    expect(titles).toEqual([{ title: null }])
  })
})

describe('paused sources', () => {
  it('do not keep others waiting, however many there are', async () => {
    const { practice, source } = await makeConnected()
    await holdfast.crm.patch(`${pathOf(practice)}/${source.uuid}`, { paused: true })
    await rows(`
      with made as (
        insert into calendar_source (provider_id, resource_id, kind, name, host, sealed, paused_at)
        select provider_id, resource_id, kind, name, host, sealed, paused_at
        from calendar_source cross join generate_series(1, 600) where uuid = '${source.uuid}' returning id, provider_id
      )
      insert into calendar_check (source_id, provider_id, next_at) select id, provider_id, '2020-01-01' from made
    `)
    await connect(await makeOpen(), server.serve(newPath(), calendarWith([])))
    expect(await importDue()).toBe(1)
  })
})

describe('a stale calendar', () => {
  const mailsAbout = async (name: string) =>
    (await rows(`select data from mail where kind = 'calendar-stale' and data::text like '%${name}%'`)).length

  async function makeStale(fields: object) {
    const made = await makeConnected([span('08:30', '09:00')], { name: `Calendar ${++counter}`, ...fields })
    server.answer(made.path, (_, response) => response.writeHead(500).end())
    setClock(holdfast, '2030-01-02T14:00:00Z')
    const source = await refresh(made.practice, made.source.uuid)
    expect(source.state).toBe('stale')
    await noticeStaleCalendars(holdfast.service)
    await noticeStaleCalendars(holdfast.service)
    return { ...made, name: source.name as string }
  }

  it('keeps its Resource open and sends one notice', async () => {
    const { practice, path, source, name } = await makeStale({})
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
    expect(await mailsAbout(name)).toBe(1)
    server.serve(path, calendarWith([]))
    expect((await refresh(practice, source.uuid)).state).toBe('fresh')
    setClock(holdfast, '2030-01-01T12:00:00Z')
  })

  it('is no news if it was read while the notice waited for its turn', async () => {
    const made = await makeConnected([], { name: `Calendar ${++counter}`, stayOpen: false })
    setClock(holdfast, '2030-01-02T14:00:00Z')
    const client = await holdfast.service.db.pool.connect()
    const lock = `select from calendar_check where source_id = (select id from calendar_source where uuid = '${made.source.uuid}')`
    await client.query('begin')
    await client.query(`${lock} for no key update`)
    const noticing = noticeStaleCalendars(holdfast.service)
    await eventually(async () => (await rows('select from pg_locks where not granted')).length > 0)
    await client.query(`update calendar_check set checked_at = '2030-01-02T13:59:00Z'
      where source_id = (select id from calendar_source where uuid = '${made.source.uuid}')`)
    await client.query('commit')
    client.release()
    await noticing
    expect(
      await rows(
        `select from mail where kind = 'calendar-stale' and data::text like '%Calendar ${counter}%'`,
      ),
    ).toEqual([])
    expect(await startsOf(made.practice)).toHaveLength(4)
    setClock(holdfast, '2030-01-01T12:00:00Z')
  })

  it('closes it where that is the setting, until it can be read', async () => {
    const { practice, path, source, name } = await makeStale({ stayOpen: false })
    expect(await startsOf(practice)).toEqual([])
    expect(await mailsAbout(name)).toBe(1)
    server.serve(path, calendarWith([span('08:30', '09:00')]))
    await refresh(practice, source.uuid)
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
    setClock(holdfast, '2030-01-01T12:00:00Z')
  })
})

describe('the sources of a Resource', () => {
  it('are listed, changed and paused without showing what is secret', async () => {
    const { practice, source } = await makeConnected([span('08:30', '09:00')], {
      user: 'ann',
      password: 'very-secret',
    })
    const one = `${pathOf(practice)}/${source.uuid}`
    const changed = await holdfast.crm.patch(one, { name: 'Private', paused: true, showTitles: true })
    expect(changed.body.source).toMatchObject({
      name: 'Private',
      state: 'paused',
      showTitles: true,
      user: 'ann',
      nextCheckAt: null,
    })
    const list = await holdfast.crm.get(pathOf(practice))
    expect(list.body.sources).toHaveLength(1)
    expect(list.text + changed.text).not.toMatch(/very-secret|\.ics/)
    expect((await holdfast.otherCrm.get(pathOf(practice))).status).toBe(404)
    expect(await importDue()).toBe(0)
    await holdfast.crm.patch(one, { paused: false })
    await importDue()
    expect(
      await rows(
        `select distinct title from busy_span where source_id = (select id from calendar_source where uuid = '${source.uuid}')`,
      ),
    ).toEqual([{ title: 'Dentist' }])
    expect(server.requests.at(-1)!.headers.authorization).toBe(
      `Basic ${Buffer.from('ann:very-secret').toString('base64')}`,
    )
    const stored = await rows(`select sealed::text, host from calendar_source where uuid = '${source.uuid}'`)
    expect(JSON.stringify(stored)).not.toContain(Buffer.from('very-secret').toString('hex'))
  })

  it('do not send a stored password to another server', async () => {
    const { practice, source } = await makeConnected([], { user: 'ann', password: 'very-secret' })
    const change = (fields: object) => holdfast.crm.patch(`${pathOf(practice)}/${source.uuid}`, fields)
    const address = 'https://elsewhere.example.org/a.ics'
    const { status, body } = await change({ address })
    expect([status, body.errors?.[0].field]).toEqual([400, 'password'])
    expect((await change({ address: `${server.url}/other.ics` })).status).toBe(200)
    expect((await change({ address, password: 'another' })).status).toBe(200)
    expect((await change({ address: `${server.url}/a.ics`, user: null, password: null })).status).toBe(200)
  })

  it('are removed a day after their Resource was deleted', async () => {
    const { practice, source } = await makeConnected()
    const left = () => rows(`select uuid from calendar_source where uuid = '${source.uuid}'`)
    const path = `${practice.path}/resources/${encodeURIComponent(practice.resource)}`
    expect((await holdfast.crm.delete(path)).status).toBe(204)
    await purge(holdfast.service, { dryRun: false })
    expect(await left()).toHaveLength(1)
    setClock(holdfast, '2030-01-02T13:00:00Z')
    await purge(holdfast.service, { dryRun: true })
    expect(await left()).toHaveLength(1)
    await purge(holdfast.service, { dryRun: false })
    expect(await left()).toHaveLength(0)
    setClock(holdfast, '2030-01-01T12:00:00Z')
  })

  it('can be tried before they are connected', async () => {
    const practice = await makeOpen()
    const soon = Date.parse('2030-01-01T13:00:00Z')
    const good = server.serve(
      newPath(),
      calendarWith([
        { from: soon, to: soon + 1 },
        { from: soon + 7_200_000, to: soon + 9_000_000 },
        { from: soon + 9e10, to: soon + 9e10 + 1000 },
      ]),
    )
    const tried = async (address: string) =>
      (await holdfast.crm.post(`${pathOf(practice)}/test`, { kind: 'ics', address })).body.test
    expect(await tried(good)).toEqual({ ok: true, calendars: [], busyNextWeek: 1, error: null })
    expect(await tried(`${server.url}/none.ics`)).toMatchObject({ ok: false, error: { code: 'missing' } })
  })

  it.each([
    ['kind', { kind: 'pigeon', address: 'https://example.org/' }],
    ['address', { kind: 'ics', address: 'ftp://example.org/' }],
    ['address', { kind: 'ics', address: 'https://ann:secret@example.org/' }],
    ['address', { kind: 'ics' }],
    ['staleHours', { kind: 'ics', address: 'https://example.org/', staleHours: 0 }],
  ])('%s is refused with 400', async (field, body) => {
    const practice = await makeOpen()
    const { status, body: answer } = await holdfast.crm.post(pathOf(practice), body)
    expect([status, answer.errors[0].field]).toEqual([400, field])
  })
})
