// The one search for free times behind the booking dialog, "Next free" and moving.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
} from '../support/build.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
let practice: Practice

beforeEach(async () => {
  practice = await makePractice(holdfast.crm)
})

type Time = { start: string; end: string; resource: { name: string }; appointmentUuid: string | null }

async function free(query: Record<string, string | number> = {}): Promise<Time[]> {
  const all = new URLSearchParams({ productUuid: practice.productUuid, from: '2030-01-07' })
  for (const [name, value] of Object.entries(query)) all.set(name, String(value))
  const { status, body } = await consoleCall(
    holdfast.app,
    'GET',
    `/providers/${practice.uuid}/free-times?${all}`,
  )
  expect(status).toBe(200)
  return body.times
}

/** On the Provider's clocks, which are an hour ahead of UTC in January. */
const clock = (text: string) => new Date(Date.parse(text) + 3_600_000).toISOString().slice(11, 16)
const starts = (times: Time[]) => times.map(one => clock(one.start))

describe('free times for staff', () => {
  it('are not bound by the notice, the horizon and the visibility of the public channel', async () => {
    await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T10:00' })
    const channel = { visible: false, minimumNoticeMinutes: 10_000, horizonDays: 1 }
    const path = `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    expect((await consoleCall(holdfast.app, 'PATCH', path, channel)).status).toBe(200)
    expect(starts(await free())).toEqual(['08:00', '08:30', '09:00', '09:30'])
  })

  it('follow the raster of the Timeslot and the length of the Product, and are all there', async () => {
    await makeTimeslot(holdfast.crm, practice, {
      start: '2030-01-07T08:10',
      end: '2030-01-07T13:10',
      raster: 10,
      defaultAcceptBookings: false,
    })
    const long = await makeProduct(holdfast.crm, practice, { name: 'Long', minDuration: 50 })
    const times = await free({ productUuid: long.uuid })
    expect(times).toHaveLength(26)
    expect([times[0]!, times.at(-1)!].map(one => [clock(one.start), clock(one.end)])).toEqual([
      ['08:10', '09:00'],
      ['12:20', '13:10'],
    ])
  })

  it('omit booked, closed and past times, but not the Appointment being moved', async () => {
    await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T11:00' })
    const at = { start: '2030-01-07T09:00', end: '2030-01-07T10:00', capacity: 1 }
    const { uuid } = await makeAppointment(holdfast.crm, practice, at)
    const closure = { from: '2030-01-07T10:30', to: '2030-01-07T11:00', reason: 'Meeting' }
    await consoleCall(holdfast.app, 'POST', `/resources/${practice.resourceUuid}/blocks`, closure)
    expect(starts(await free())).toEqual(['08:00', '08:30', '10:00'])
    const moving = { appointmentUuid: uuid, duration: 60, resourceUuid: practice.resourceUuid }
    expect(starts(await free(moving))).toEqual(['08:00', '08:30', '09:00', '09:30'])
    expect(await free({ from: '2020-01-07' })).toEqual([])
  })

  it('offer a group with places left, and not a full one', async () => {
    await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T09:00', raster: 60, defaultCapacity: 2 })
    const at = { start: '2030-01-07T08:00', end: '2030-01-07T09:00', capacity: 2, acceptBookings: false }
    const { uuid } = await makeAppointment(holdfast.crm, practice, at)
    expect(await free()).toMatchObject([{ appointmentUuid: uuid, capacityLeft: 2 }])
    const add = (name: string) =>
      consoleCall(holdfast.app, 'POST', `/appointments/${uuid}/participations`, { customer: { name } })
    await add('Ann')
    await add('Ben')
    expect(await free()).toEqual([])
  })

  it('look on from the chosen day for the next days that have one, at any Resource that offers the Product', async () => {
    const other = await makeProduct(holdfast.crm, practice, { name: 'Other' })
    await makeTimeslot(holdfast.crm, practice, { start: '2030-01-07T08:00', end: '2030-01-07T09:00' })
    const room = await makeRoom(holdfast.crm, practice, { internalName: 'Second room' })
    const later = { start: '2030-03-04T10:20', end: '2030-03-04T11:20', raster: 20 }
    await makeTimeslot(holdfast.crm, room, later)
    const wrong = await makeRoom(holdfast.crm, practice, {
      internalName: 'Wrong',
      products: [other.reference],
    })
    await makeTimeslot(holdfast.crm, wrong, { start: '2030-02-04T10:00', end: '2030-02-04T11:00' })
    const found = await free({ nextDays: 2 })
    expect(found.map(one => one.start)).toEqual(['2030-01-07T07:00:00Z', '2030-03-04T09:20:00Z'])
    expect(found[1]!.resource.name).toBe('Second room')
    expect(starts(await free({ from: '2030-01-08', nextDays: 1 }))).toEqual(['10:20'])
  })
})

describe('a wish', () => {
  type Group = {
    date: string
    resource: { name: string }
    count: number
    times: (Time & { notPublic: string | null })[]
  }
  async function groups(query: Record<string, string | number>): Promise<Group[]> {
    const all = new URLSearchParams({ productUuid: practice.productUuid, from: '2030-01-07', perGroup: '2' })
    for (const [name, value] of Object.entries(query)) all.set(name, String(value))
    const { status, body } = await consoleCall(
      holdfast.app,
      'GET',
      `/providers/${practice.uuid}/free-times?${all}`,
    )
    expect({ status, times: body.times }).toEqual({ status: 200, times: [] })
    return body.groups
  }
  const shown = (found: Group[]) =>
    found.map(one => [one.date, one.resource.name, one.count, ...starts(one.times)].join(' '))

  it('finds weekdays and hours at any Resource, in groups, over the API too', async () => {
    const room = await makeRoom(holdfast.crm, practice, { internalName: 'Second room' })
    for (const place of [practice, room])
      for (const day of ['07', '08', '10'])
        await makeTimeslot(holdfast.crm, place, {
          start: `2030-01-${day}T14:00`,
          end: `2030-01-${day}T19:00`,
        })
    await makeAppointment(holdfast.crm, room, {
      start: '2030-01-10T17:00',
      end: '2030-01-10T19:00',
      capacity: 1,
    })
    const wish = { to: '2030-01-14', weekdays: '2,4', timeFrom: '17:00', duration: 45 }
    const found = [
      '2030-01-08 R1 3 17:00 17:30',
      '2030-01-08 Second room 3 17:00 17:30',
      '2030-01-10 R1 3 17:00 17:30',
    ]
    expect(shown(await groups(wish))).toEqual(found)
    expect(shown(await groups({ ...wish, timeTo: '18:00' }))[0]).toBe('2030-01-08 R1 1 17:00')
    expect(shown(await groups({ ...wish, nextDays: 1 }))).toEqual(found.slice(0, 2))
    expect(shown(await groups({ ...wish, from: '2030-01-09', nextDays: 5, until: '2030-01-09' }))).toEqual([])
    const named = { ...wish, resourceUuids: room.resourceUuid }
    expect(shown(await groups(named))).toEqual(found.slice(1, 2))
    const query = new URLSearchParams({
      productReference: practice.product,
      from: '2030-01-07',
      perGroup: '2',
    })
    for (const [name, value] of Object.entries(wish)) query.set(name, String(value))
    const { status, body } = await holdfast.crm.get(`${practice.path}/free_times?${query}`)
    expect(status).toBe(200)
    expect(shown(body.freeTimes.groups)).toEqual(found)
  })

  it('says why a time is not on the public list', async () => {
    await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T09:00' })
    await makeTimeslot(holdfast.crm, practice, {
      start: '2030-01-07T10:00',
      end: '2030-01-07T11:00',
      defaultAcceptBookings: false,
    })
    const closure = { from: '2030-01-07T08:30', to: '2030-01-07T09:00', reason: 'Meeting' }
    await consoleCall(holdfast.app, 'POST', `/resources/${practice.resourceUuid}/blocks`, closure)
    const reasons = async (query = {}) =>
      (await groups({ perGroup: 9, ...query })).flatMap(one => one.times.map(time => time.notPublic))
    expect(await reasons()).toEqual([null, 'not-bookable', 'not-bookable'])
    // Beyond the first ones, times are only counted.
    expect((await groups({ perGroup: 1 })).map(one => [one.count, one.times.length])).toEqual([[3, 1]])
    expect(await reasons({ includeClosed: true })).toEqual([null, 'closed', 'not-bookable', 'not-bookable'])
    const path = `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    await consoleCall(holdfast.app, 'PATCH', path, { horizonDays: 1 })
    expect((await reasons())[0]).toBe('horizon')
  })

  it('refuses weekdays and hours that do not exist', async () => {
    for (const query of ['weekdays=0', 'weekdays=1,x', 'timeFrom=25:00', 'timeFrom=12:00&timeTo=11:00']) {
      const path = `/providers/${practice.uuid}/free-times?productUuid=${practice.productUuid}&from=2030-01-07&${query}`
      expect([query, (await consoleCall(holdfast.app, 'GET', path)).status]).toEqual([query, 400])
    }
  })
})

describe('customers who may be the one to be added', () => {
  const matches = async (query: string) =>
    (
      await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/customer-matches?${query}`)
    ).body.customers.map((one: { name: string; same: string[] }) => [one.name, ...one.same])

  it('have the same name, email or number, however it is written', async () => {
    await makeCustomer(holdfast.crm, practice, {
      userName: 'Zoë Evans',
      email: 'zoe@example.org',
      mobile: '+49 171 7654321',
    })
    await makeCustomer(holdfast.crm, practice, { userName: 'Zoë Evansson', email: 'other@example.org' })
    expect(await matches('name=zoë%20%20evans')).toEqual([['Zoë Evans', 'name']])
    expect(await matches('email=ZOE@example.org')).toEqual([['Zoë Evans', 'email']])
    expect(await matches('name=Someone&mobile=0171/7654321')).toEqual([['Zoë Evans', 'mobile']])
    expect(await matches('name=Evans')).toEqual([])
  })
})
