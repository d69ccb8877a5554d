// Calendar feeds, read by two independent parsers.

import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import { describe, expect, it } from 'vitest'
import { makeAppointment, makePractice, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { moveBooking } from '../support/moves.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()

const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)

async function makeFeed(practice: Practice, body: object = {}) {
  const { status, body: made } = await holdfast.crm.post(`${practice.path}/calendars`, body)
  expect(status).toBe(201)
  return { path: new URL(made.url).pathname, uuid: made.calendar.uuid as string }
}

const read = (path: string, headers: Record<string, string> = {}) =>
  call(holdfast.app, 'GET', path, undefined, { headers })

/** The same entries from both parsers. */
function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const one = calendar.getAllSubcomponents('vevent').map(event => ({
    uid: event.getFirstPropertyValue('uid'),
    sequence: event.getFirstPropertyValue('sequence'),
    summary: event.getFirstPropertyValue('summary'),
    start: (event.getFirstPropertyValue('dtstart') as ICAL.Time).toJSDate().getTime(),
    end: (event.getFirstPropertyValue('dtend') as ICAL.Time).toJSDate().getTime(),
    status: event.getFirstPropertyValue('status'),
  }))
  const two = Object.values(nodeIcal.sync.parseICS(text))
    .filter((entry): entry is VEvent => entry?.type === 'VEVENT')
    .map(entry => ({
      uid: entry.uid,
      sequence: Number(entry.sequence),
      summary: entry.summary,
      start: entry.start.getTime(),
      end: entry.end!.getTime(),
      status: entry.status,
    }))
  expect(two).toEqual(one)
  return one
}

async function practiceWithBooking(names = {}) {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice, { start: `${soon}T08:00`, end: `${soon}T18:00` })
  const consumer = asConsumer(overApp(holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  const person = { ...newPerson(), ...names }
  const { body } = await consumer.complete(practice.resourceUuid, bookingOf(slot!, person))
  const { cancelLink, moveLink } = body.createdAppointment as Record<string, string>
  return { practice, slot: slot!, person, cancelLink: cancelLink!, moveLink: moveLink!, consumer }
}

describe('a calendar feed', () => {
  it('contains each booking at its instant, with the UID of its emails', async () => {
    const { practice, slot } = await practiceWithBooking({
      firstname: 'Ann, "A"; B\\',
      lastname: 'Ünïcode '.repeat(12).trim(),
    })
    const { path } = await makeFeed(practice, { names: true })
    const { status, text, headers } = await read(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(text.split('\r\n').every(line => Buffer.byteLength(line) <= 75)).toBe(true)
    const [entry, ...others] = parse(text)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      start: Date.parse(slot.start),
      end: Date.parse(slot.end),
      status: 'CONFIRMED',
      sequence: 0,
    })
    expect(entry!.summary).toContain('Ann, "A"; B\\ Ünïcode')
    const mails = await call(holdfast.app, 'GET', '/console/api/mails?kind=booked&limit=1', undefined, {
      headers: { authorization: 'Bearer console-token-for-the-tests' },
    })
    const mail = await call(
      holdfast.app,
      'GET',
      `/console/api/mails/${mails.body.mails[0].uuid}`,
      undefined,
      {
        headers: { authorization: 'Bearer console-token-for-the-tests' },
      },
    )
    expect(parse(mail.body.ics.content)[0]!.uid).toBe(entry!.uid)
  })

  it('has a newer entry after a move without an email, and so has the next email', async () => {
    const { practice, slot, person, moveLink, consumer } = await practiceWithBooking()
    const { path } = await makeFeed(practice)
    const [before] = parse((await read(path)).text)
    const { body } = await holdfast.crm.get(`${practice.path}/appointments`)
    const later = (minutes: number) => {
      const at = (time: string) => new Date(Date.parse(time) + minutes * 60_000).toISOString()
      return { start: at(slot.start), end: at(slot.end) }
    }
    const address = `${practice.path}/appointments/${encodeURIComponent(body[0].reference)}/move`
    expect((await holdfast.crm.post(`${address}?sendMails=false`, later(60))).status).toBe(200)
    const [after] = parse((await read(path)).text)
    expect(after).toMatchObject({ uid: before!.uid, sequence: 1, start: Date.parse(later(60).start) })
    await moveBooking(consumer, { moveLink }, { ...slot, ...later(90) })
    const [_first, mail] = await mailsTo(holdfast, person.email)
    const [entry] = parse(mail!.ics!.content)
    expect(entry).toMatchObject({ uid: before!.uid, sequence: 2, start: Date.parse(later(90).start) })
  })

  it('has both times of a pending move, and a rising sequence for a moved empty Appointment', async () => {
    const { practice, slot, moveLink, consumer } = await practiceWithBooking()
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const [_first, free] = slotsOf(await consumer.list(practice.resourceUuid))
    expect((await moveBooking(consumer, { moveLink }, free!)).status).toBe(200)
    const made = await makeAppointment(holdfast.crm, practice, {
      start: `${soon}T15:00`,
      end: `${soon}T15:30`,
    })
    const { path } = await makeFeed(practice)
    const [booked, asked, own] = parse((await read(path)).text)
    expect([booked!.status, asked!.status, own!.sequence]).toEqual(['CONFIRMED', 'TENTATIVE', 0])
    expect([booked!.start, asked!.start]).toEqual([Date.parse(slot.start), Date.parse(free!.start)])
    expect(asked!.uid).not.toBe(booked!.uid)
    holdfast.clock.shiftMs = 5000
    const address = `${practice.path}/appointments/${encodeURIComponent(made.reference)}/move`
    await holdfast.crm.post(address, { start: `${soon}T16:00`, end: `${soon}T16:30` })
    const moved = parse((await read(path)).text).find(one => one.uid === own!.uid)!
    expect(moved.sequence).toBeGreaterThan(0)
    holdfast.clock.shiftMs = 0
  })

  it('without names shows only busy times', async () => {
    const { practice, person } = await practiceWithBooking()
    const { path } = await makeFeed(practice)
    const { text } = await read(path)
    expect(parse(text)[0]!.summary).toBe('Busy')
    expect(text).not.toContain(person.lastname)
  })

  it('of a Resource or a person contains only their entries', async () => {
    const { practice } = await practiceWithBooking()
    const ofResource = await makeFeed(practice, { resourceReference: practice.resource })
    const ofOwner = await makeFeed(practice, { userReference: practice.owner })
    expect(parse((await read(ofResource.path)).text)).toHaveLength(1)
    expect(parse((await read(ofOwner.path)).text)).toHaveLength(0)
    await holdfast.crm.post(`${practice.path}/resources/${practice.resource}`, { contact: practice.owner })
    expect(parse((await read(ofOwner.path)).text)).toHaveLength(1)
  })

  it('returns 304 until something changes', async () => {
    const { practice, cancelLink, consumer } = await practiceWithBooking()
    const { path } = await makeFeed(practice)
    const first = await read(path)
    const headers = { 'if-none-match': String(first.headers.etag) }
    expect((await read(path, headers)).status).toBe(304)
    expect((await consumer.cancel(cancelLink)).status).toBe(200)
    const second = await read(path, headers)
    expect([second.status, parse(second.text).length]).toEqual([200, 0])
  })

  it('keeps the local time across a clock change', async () => {
    const practice = await makePractice(holdfast.crm, {})
    const starts = ['2026-10-24T09:00', '2026-10-25T09:00'].map((start, index) => ({ start, index }))
    holdfast.clock.shiftMs = Date.parse('2026-10-20T00:00Z') - Date.now()
    try {
      for (const { start, index } of starts)
        await holdfast.crm.post(`${practice.path}/appointments`, {
          reference: `clock-${index}@plat`,
          start,
          end: start.replace('09:00', '10:00'),
          resourceReference: practice.resource,
          productReference: practice.product,
        })
      const { path } = await makeFeed(practice)
      const entries = parse((await read(path)).text)
      expect(entries.map(entry => new Date(entry.start).toISOString())).toEqual([
        '2026-10-24T07:00:00.000Z',
        '2026-10-25T08:00:00.000Z',
      ])
    } finally {
      holdfast.clock.shiftMs = 0
    }
  })

  it('leaves out erased people', async () => {
    const { practice, person } = await practiceWithBooking()
    const { path } = await makeFeed(practice, { names: true })
    const first = await read(path)
    expect(first.text).toContain(person.lastname)
    const rows = await holdfast.query('select reference from customer where email = $1', [person.email])
    const { reference } = rows[0]
    await holdfast.crm.delete(
      `${practice.path}/customers/${encodeURIComponent(reference)}?ignoreFutureAppointments`,
    )
    const after = await read(path, { 'if-none-match': String(first.headers.etag) })
    expect(after.status).toBe(200)
    expect(after.text).not.toContain(person.lastname)
  })
})

describe('its address', () => {
  it('stops working once it is revoked, and is shown once', async () => {
    const practice = await makePractice(holdfast.crm)
    const { path, uuid } = await makeFeed(practice, { description: 'Reception' })
    const listed = await holdfast.crm.get(`${practice.path}/calendars`)
    expect(listed.body).toMatchObject([{ uuid, kind: 'provider', names: false, description: 'Reception' }])
    expect(listed.text).not.toContain(path.split('/').at(-1)!.slice(0, 20))
    expect((await holdfast.crm.delete(`${practice.path}/calendars/${uuid}`)).status).toBe(204)
    expect((await read(path)).status).toBe(404)
    expect((await holdfast.crm.delete(`${practice.path}/calendars/${uuid}`)).status).toBe(404)
  })

  it.each([
    ['a Resource that is not there', { resourceReference: 'nope@plat' }, 404],
    ['a person who is not staff', { userReference: 'nope@plat' }, 404],
    ['both', { resourceReference: 'a@plat', userReference: 'b@plat' }, 400],
    ['names that are no yes or no', { names: 'yes' }, 400],
  ])('is refused for %s', async (_, body, status) => {
    const practice = await makePractice(holdfast.crm)
    expect((await holdfast.crm.post(`${practice.path}/calendars`, body)).status).toBe(status)
  })
})
