// CalDAV against a real server.

import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { importCalendar } from '../../src/actions/scheduling/calendars/import-calendar.ts'
import { readMultistatus } from '../../src/calendars/caldav-xml.ts'
import { takeDueSources } from '../../src/db/scheduling/calendar-checks.ts'
import { makePractice, makeTimeslot, type Practice, setClock } from '../support/build.ts'
import { calendarWith } from '../support/calendar-server.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { startRadicale } from '../support/radicale.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService({
  RATE_LIMIT_PUBLIC: '0',
  DEFAULT_TIME_ZONE: 'Europe/Berlin',
  WEBHOOK_ALLOW_PRIVATE: '1',
})
const server = await startRadicale()
afterAll(() => server.close())
setClock(holdfast, '2030-01-01T12:00:00Z')

const span = (from: string, to: string) => ({
  from: Date.parse(`2030-01-07T${from}:00+01:00`),
  to: Date.parse(`2030-01-07T${to}:00+01:00`),
})
const pathOf = ({ path, resource }: Practice) =>
  `${path}/resources/${encodeURIComponent(resource)}/calendar_sources`
const login = { kind: 'caldav', user: 'ann', password: 'app-password' }

async function makeOpen() {
  const practice = await makePractice(holdfast.crm, { timeZone: 'Europe/Berlin' })
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T10:00' })
  return practice
}

async function importDue() {
  const worker = randomUUID()
  const due = await takeDueSources(holdfast.service.db, {
    limit: 100,
    ofOneProvider: 100,
    busyProviders: [],
    seconds: 60,
    worker,
  })
  for (const source of due) await importCalendar(holdfast.service, source, worker)
}

const consumer = asConsumer(overApp(holdfast.app))
const startsOf = async ({ resourceUuid }: Practice) =>
  slotsOf(await consumer.list(resourceUuid)).map(slot => slot.start.slice(11, 16))

const work = await server.makeCalendar('Work')
const home = await server.makeCalendar('Home')
await server.makeCalendar('Tasks', 'VTODO')
await server.put(`${work}one.ics`, calendarWith([span('08:00', '08:30')]))
await server.put(`${home}two.ics`, calendarWith([span('09:00', '09:30')]))

describe('a CalDAV account', () => {
  it.each(['', '/', '/ann/'])('is found from the address of the server or the account: "%s"', async path => {
    const practice = await makeOpen()
    const { body } = await holdfast.crm.post(`${pathOf(practice)}/test`, {
      ...login,
      address: server.url + path,
    })
    expect(body.test).toMatchObject({ ok: true, error: null })
    expect(body.test.calendars.map((one: { name: string }) => one.name).sort()).toEqual(['Home', 'Work'])
  })

  it('blocks the time of all its calendars, or of those that are chosen', async () => {
    const practice = await makeOpen()
    const { body } = await holdfast.crm.post(pathOf(practice), { ...login, address: `${server.url}/ann/` })
    await importDue()
    expect(await startsOf(practice)).toEqual(['08:30', '09:30'])
    const one = `${pathOf(practice)}/${body.source.uuid}`
    expect((await holdfast.crm.patch(one, { calendars: [home] })).status).toBe(200)
    await importDue()
    expect(await startsOf(practice)).toEqual(['08:00', '08:30', '09:30'])
  })

  it('is read again only after a change, and then follows it', async () => {
    const practice = await makeOpen()
    const { body } = await holdfast.crm.post(pathOf(practice), { ...login, address: server.url + work })
    await importDue()
    const sent: string[] = []
    const { send } = holdfast.service.calendarClient
    holdfast.service.calendarClient.send = request => {
      sent.push(request.method)
      return send(request)
    }
    const refresh = async () => {
      await holdfast.crm.post(`${pathOf(practice)}/${body.source.uuid}/refresh`)
      await importDue()
    }
    await refresh()
    expect(sent).not.toContain('REPORT')
    await server.put(`${work}three.ics`, calendarWith([span('09:30', '10:00')]))
    await refresh()
    expect(sent).toContain('REPORT')
    expect(await startsOf(practice)).toEqual(['08:30', '09:00'])
    await server.send('DELETE', `${work}three.ics`)
    await refresh()
    expect(await startsOf(practice)).toEqual(['08:30', '09:00', '09:30'])
    holdfast.service.calendarClient.send = send
  })

  it('with a wrong password, or none, says so', async () => {
    const practice = await makeOpen()
    const wrong = { ...login, password: 'wrong', address: `${server.url}/ann/` }
    expect((await holdfast.crm.post(`${pathOf(practice)}/test`, wrong)).body.test).toMatchObject({
      ok: false,
      error: { code: 'login' },
    })
    const { status, body } = await holdfast.crm.post(pathOf(practice), {
      kind: 'caldav',
      address: server.url,
    })
    expect([status, body.errors[0].field]).toEqual([400, 'user'])
  })
})

describe('answers', () => {
  it.each([
    '',
    '<html/>',
    '<!DOCTYPE a [<!ENTITY b "c">]><d:multistatus xmlns:d="DAV:">&b;</d:multistatus>',
    '<d:multistatus xmlns:d="DAV:">',
  ])('that are no CalDAV are refused: %s', text =>
    expect(() => readMultistatus(text)).toThrow(expect.objectContaining({ code: 'format' })),
  )
})
