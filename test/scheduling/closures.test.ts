// Closures, blocks and public holidays: time that is not offered, in lists and in bookings, without affecting
// existing bookings.

import { describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setProduct,
  setProvider,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0', DEFAULT_TIME_ZONE: 'Europe/Berlin' })

const consumer = () => asConsumer(overApp(holdfast.app))
const listOf = async ({ resourceUuid }: Practice) => slotsOf(await consumer().list(resourceUuid))
const startsOf = async (practice: Practice) => (await listOf(practice)).map(slot => slot.start.slice(11, 16))
const slotAt = async (practice: Practice, time: string) =>
  (await listOf(practice)).find(slot => slot.start.slice(11, 16) === time)!

const pathOf = ({ uuid }: Practice) => `/providers/${uuid}/closures`
const monday = { from: '2030-01-07', to: '2030-01-08', reason: 'Public holiday' }
const morning = { from: '2030-01-07T08:00', to: '2030-01-07T09:30', reason: 'Team breakfast' }
const close = (practice: Practice, body: object = monday) =>
  consoleCall(holdfast.app, 'POST', pathOf(practice), body)
const open = (practice: Practice, uuid: string) =>
  consoleCall(holdfast.app, 'DELETE', `${pathOf(practice)}/${uuid}`)
const closuresOf = async (practice: Practice, query = '') =>
  (await consoleCall(holdfast.app, 'GET', pathOf(practice) + query)).body.closures

/** Open on one Monday from 08:00 to 10:00. */
async function makeOpen(fields: Record<string, unknown> = {}) {
  const practice = await makePractice(holdfast.crm, { timeZone: 'Europe/Berlin' })
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T10:00', ...fields })
  return practice
}

const explain = async ({ resourceUuid }: Practice) => {
  const path = `/resources/${resourceUuid}/explain?date=2030-01-07`
  return (await consoleCall(holdfast.app, 'GET', path)).body.lines as {
    reason: string
    text: string
    offered: boolean
  }[]
}

describe('a closure', () => {
  it('takes whole days off offer without changing Timeslots, until it is deleted', async () => {
    const practice = await makeOpen()
    const before = await listOf(practice)
    const { status, body } = await close(practice)
    expect([status, body]).toEqual([
      201,
      {
        closure: {
          uuid: expect.any(String),
          from: '2030-01-06T23:00:00Z',
          to: '2030-01-07T23:00:00Z',
          allDay: true,
          reason: 'Public holiday',
          resources: null,
        },
        appointments: [],
      },
    ])
    expect(await closuresOf(practice)).toEqual([body.closure])
    expect((await consumer().list(practice.resourceUuid)).status).toBe(204)
    expect((await open(practice, body.closure.uuid)).status).toBe(204)
    expect(await listOf(practice)).toEqual(before)
    expect((await open(practice, body.closure.uuid)).status).toBe(404)
  })

  it('of some hours keeps the rest on offer: slots from its end, but none that reach into it', async () => {
    const practice = await makeOpen()
    await close(practice, { ...morning, from: '2030-01-07T08:45', to: '2030-01-07T09:00:00+01:00' })
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
    await setProduct(holdfast, practice.productUuid, { leadTimeMinutes: 60, followUpTimeMinutes: 60 })
    // A buffer may lie in closed time, as it may lie before the Timeslot.
    expect(await startsOf(practice)).toEqual(['08:00', '09:00', '09:30'])
  })

  it('of some Resources keeps the others open; of the Provider, it also closes later Resources', async () => {
    const practice = await makeOpen()
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room, { end: '2030-01-07T10:00' })
    const { body } = await close(practice, { ...monday, resources: [practice.resourceUuid.toUpperCase()] })
    expect(body.closure.resources).toEqual([practice.resourceUuid])
    expect([await startsOf(practice), (await startsOf(room)).length]).toEqual([[], 4])
    await close(practice)
    const later = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, later)
    expect([await startsOf(room), await startsOf(later)]).toEqual([[], []])
  })

  it('refuses holds and bookings, with its reason', async () => {
    const practice = await makeOpen()
    const slot = await slotAt(practice, '08:30')
    await close(practice)
    for (const answer of [
      await consumer().reserve(practice.resourceUuid, holdOf(slot)),
      await consumer().complete(practice.resourceUuid, bookingOf(slot)),
    ])
      expect([answer.status, answer.body.errors[0]]).toEqual([
        412,
        expect.objectContaining({ errorCode: '201', message: 'This time is closed: Public holiday' }),
      ])
  })

  it('is public with its reason, for calendars; a block is not', async () => {
    const practice = await makeOpen()
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const soon = { from: day(20), to: day(21), reason: 'Public holiday' }
    await close(practice, soon)
    await close(practice, { ...soon, from: day(10), to: day(11), resources: [practice.resourceUuid] })
    await consoleCall(holdfast.app, 'POST', `/resources/${practice.resourceUuid}/blocks`, soon)
    const { body } = await overApp(holdfast.app)(
      'POST',
      `/resources/public_data?ref=${practice.resourceUuid}`,
    )
    expect(body.closures.map((one: { reason: string }) => one.reason)).toEqual([
      'Public holiday',
      'Public holiday',
    ])
    expect(body.closures[1]).toEqual({
      from: expect.stringMatching(/T2[23]:00:00Z$/),
      to: expect.stringMatching(/T2[23]:00:00Z$/),
      reason: 'Public holiday',
    })
  })

  it('is its own reason in the explanation, for every line in it', async () => {
    const practice = await makeOpen()
    await close(practice, morning)
    const lines = await explain(practice)
    expect(lines.map(line => line.reason)).toEqual(['closed', 'closed', 'closed', 'free'])
    expect(lines[0]!.text).toBe('Closed: Team breakfast')
  })

  it('lets a live hold be completed, but not moved to another time in it', async () => {
    const practice = await makeOpen()
    const [slot, other] = await listOf(practice)
    const held = await consumer().reserve(practice.resourceUuid, holdOf(slot!))
    const placeholder_id = held.body.participation.customer_uuid
    await close(practice)
    const moved = await consumer().complete(practice.resourceUuid, bookingOf(other!, { placeholder_id }))
    expect(moved.status).toBe(412)
    const done = await consumer().complete(practice.resourceUuid, bookingOf(slot!, { placeholder_id }))
    expect(done.status).toBe(201)
  })

  it('names the Appointments in it, which stay, without holds, cancelled ones and other days', async () => {
    const practice = await makeOpen()
    const [first, second, third] = await listOf(practice)
    expect((await consumer().complete(practice.resourceUuid, bookingOf(first!))).status).toBe(201)
    await consumer().reserve(practice.resourceUuid, holdOf(second!))
    const gone = await consumer().complete(practice.resourceUuid, bookingOf(third!))
    await consumer().cancel(gone.body.createdAppointment.cancelLink)
    const own = await makeAppointment(holdfast.crm, practice, {
      start: '2030-01-07T16:00',
      end: '2030-01-07T17:00',
    })
    await makeAppointment(holdfast.crm, practice, { start: '2030-01-09T16:00', end: '2030-01-09T17:00' })
    const { body } = await close(practice)
    expect(body.appointments.map((one: { start: string }) => one.start)).toEqual([
      '2030-01-07T07:00:00Z',
      '2030-01-07T15:00:00Z',
    ])
    expect(body.appointments[0].people[0]).toMatchObject({ state: 'BOOKED' })
    expect(body.appointments[1].reference).toBe(own.reference)
  })

  it('takes group Appointments off offer, including full ones; the CRM may still create Appointments in it', async () => {
    const practice = await makeOpen({ defaultCapacity: 3 })
    await setChannel(holdfast, practice.resourceUuid, { showFull: true })
    const slot = await slotAt(practice, '08:00')
    await consumer().complete(practice.resourceUuid, bookingOf(slot))
    const group = await slotAt(practice, '08:00')
    expect(group.kind).toBe('models.LotAppointment')
    await close(practice)
    expect(await startsOf(practice)).toEqual([])
    expect((await consumer().complete(practice.resourceUuid, bookingOf(group))).status).toBe(412)
    expect((await explain(practice))[0]).toMatchObject({ reason: 'closed', offered: false })
    await makeAppointment(holdfast.crm, practice, {
      acceptBookings: true,
      start: '2030-01-07T09:00',
      end: '2030-01-07T09:30',
    })
    expect(await startsOf(practice)).toEqual([])
  })

  it('follows the Provider into another zone if given in local time, and stays if given with an offset', async () => {
    const practice = await makeOpen()
    await close(practice)
    await close(practice, { from: '2030-02-04T08:00:00Z', to: '2030-02-04T10:00:00Z', reason: 'Eclipse' })
    await setProvider(holdfast, practice.uuid, { timeZone: 'America/New_York' })
    const [day, eclipse] = await closuresOf(practice)
    expect([day.from, day.to]).toEqual(['2030-01-07T05:00:00Z', '2030-01-08T05:00:00Z'])
    expect(eclipse.from).toBe('2030-02-04T08:00:00Z')
    // 08:00 in Berlin is 02:00 there: still closed by the day.
    expect(await startsOf(practice)).toEqual([])
  })

  it('is listed until it is over, and within a requested period', async () => {
    const practice = await makeOpen()
    await close(practice, { from: '2020-01-07', to: '2020-01-08', reason: 'Long ago' })
    await close(practice)
    const reasons = async (query: string) =>
      (await closuresOf(practice, query)).map((one: { reason: string }) => one.reason)
    expect(await reasons('')).toEqual(['Public holiday'])
    expect(await reasons('?from=2020-01-01')).toEqual(['Long ago', 'Public holiday'])
    expect(await reasons('?from=2020-01-01&to=2021-01-01')).toEqual(['Long ago'])
  })

  it.each([
    ['from', { ...monday, from: '2030-02-30' }],
    ['to', { ...monday, to: 'soon' }],
    ['to', { ...monday, to: monday.from }],
    ['to', { ...monday, to: '2040-01-01' }],
    ['reason', { ...monday, reason: ' ' }],
    ['resources', { ...monday, resources: [] }],
    ['resources[0]', { ...monday, resources: ['unknown'] }],
    ['resources[0]', { ...monday, resources: ['11111111-1111-4111-8111-111111111111'] }],
  ])('with an invalid %s is refused by name', async (field, body) => {
    const practice = await makeOpen()
    const answer = await close(practice, body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
    expect((await startsOf(practice)).length).toBe(4)
  })

  it('races bookings: names those made before it and refuses later ones', async () => {
    const practice = await makePractice(holdfast.crm, { timeZone: 'Europe/Berlin' })
    await makeTimeslot(holdfast.crm, practice, { raster: 10, end: '2030-01-07T12:00' })
    const slots = await listOf(practice)
    const [closing, ...answers] = await Promise.all([
      close(practice),
      ...slots.map(slot => consumer().complete(practice.resourceUuid, bookingOf(slot))),
    ])
    const booked = answers.filter(answer => answer.status === 201)
    // 503: too many requests wait for the same lock.
    expect(answers.filter(answer => ![201, 412, 503].includes(answer.status))).toEqual([])
    const named = closing.body.appointments.map((one: { uuid: string }) => one.uuid)
    expect(new Set(named)).toEqual(new Set(booked.map(one => one.body.createdAppointment.appointment_uuid)))
    expect(await startsOf(practice)).toEqual([])
  })
})

describe('a block', () => {
  const blocksOf = ({ resourceUuid }: Practice) => `/resources/${resourceUuid}/blocks`

  it('closes one Resource for a reason that consumers never see, and is not a closure of the Provider', async () => {
    const practice = await makeOpen()
    const slot = await slotAt(practice, '08:00')
    const made = await consoleCall(holdfast.app, 'POST', blocksOf(practice), {
      ...morning,
      reason: 'Dentist',
    })
    expect([made.status, made.body.block.reason]).toEqual([201, 'Dentist'])
    expect(await startsOf(practice)).toEqual(['09:30'])
    const refused = await consumer().reserve(practice.resourceUuid, holdOf(slot))
    expect([refused.status, refused.text.includes('Dentist')]).toEqual([412, false])
    expect((await explain(practice))[0]).toMatchObject({
      reason: 'closed',
      text: 'Blocked by staff: Dentist',
    })
    expect(await closuresOf(practice)).toEqual([])
    expect((await open(practice, made.body.block.uuid)).status).toBe(404)
    const { body } = await consoleCall(holdfast.app, 'GET', blocksOf(practice))
    expect(body.blocks).toEqual([made.body.block])
  })

  it('can be deleted only at its own Resource', async () => {
    const practice = await makeOpen()
    const room = await makeRoom(holdfast.crm, practice)
    const { body } = await consoleCall(holdfast.app, 'POST', blocksOf(practice), morning)
    const remove = (at: Practice) => consoleCall(holdfast.app, 'DELETE', `${blocksOf(at)}/${body.block.uuid}`)
    expect((await remove(room)).status).toBe(404)
    expect((await remove(practice)).status).toBe(204)
    expect((await startsOf(practice)).length).toBe(4)
  })
})

describe('public holidays', () => {
  const bavaria = { country: 'DE', state: 'BY', year: 2030 }
  const add = (practice: Practice, body: object = bavaria) =>
    consoleCall(holdfast.app, 'POST', `${pathOf(practice)}/holidays`, body)

  it("are previewed in the Provider's language, and become closures once", async () => {
    const practice = await makeOpen({ start: '2030-01-01T08:00', end: '2030-01-01T10:00' })
    await setProvider(holdfast, practice.uuid, { language: 'de' })
    const preview = async () =>
      (await consoleCall(holdfast.app, 'GET', `${pathOf(practice)}/holidays?country=de&state=BY&year=2030`))
        .body
    const { holidays } = await preview()
    expect(holidays[0]).toEqual({ from: '2030-01-01', to: '2030-01-02', name: 'Neujahr', closed: false })
    expect(holidays.map((one: { name: string }) => one.name)).toContain('Fronleichnam')
    expect((await startsOf(practice)).length).toBe(4)
    const first = await add(practice)
    expect([first.status, first.body.added]).toEqual([201, holidays.length])
    expect(await startsOf(practice)).toEqual([])
    const again = await add(practice)
    expect([again.status, again.body.added, again.body.closures]).toEqual([200, 0, first.body.closures])
    // The whole country has fewer, and none of them is added twice.
    expect((await add(practice, { ...bavaria, state: null })).body.added).toBe(0)
    expect((await closuresOf(practice)).length).toBe(holidays.length)
    expect((await preview()).holidays.every((one: { closed: boolean }) => one.closed)).toBe(true)
  })

  it('added twice at the same time are created once', async () => {
    const practice = await makeOpen()
    const answers = await Promise.all([add(practice), add(practice)])
    expect(answers.map(one => one.status).sort()).toEqual([200, 201])
    expect(await closuresOf(practice)).toEqual(answers[0]!.body.closures)
  })

  it.each([
    ['country', { ...bavaria, country: 'XX' }],
    ['state', { ...bavaria, state: 'XX' }],
    ['region', { ...bavaria, region: 'XX' }],
    ['year', { ...bavaria, year: 1 }],
  ])('of an unknown %s are refused with a list of known ones', async (field, body) => {
    const answer = await add(await makeOpen(), body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })
})
