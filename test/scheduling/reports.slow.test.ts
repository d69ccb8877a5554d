// Reports: their numbers agree with the lists, and mean what docs/reports.md says.

import { describe, expect, it } from 'vitest'
import { prepareReports } from '../../src/actions/scheduling/report-parts.ts'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setClock,
  unique,
} from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const { crm } = holdfast

const reportOf = async ({ path }: Practice, query: Record<string, string> = {}) => {
  const asked = new URLSearchParams({ from: '2030-03-01', to: '2030-06-01', ...query })
  const { status, body } = await crm.get(`${path}/reports/bookings?${asked}`)
  expect([status, body.errors]).toEqual([200, undefined])
  return body.report
}

const change = async ({ path }: Practice, reference: string, fields: object) => {
  const { status } = await crm.post(`${path}/participations/${encodeURIComponent(reference)}`, fields)
  expect(status).toBe(200)
}
const mark = ({ path }: Practice, reference: string, attendance: string) =>
  crm.post(`${path}/participations/${encodeURIComponent(reference)}/attendance`, { attendance })

type Listed = {
  start: string
  resourceReference: string
  participations: { state: string; attendance: string | null; customerReference: string }[]
}

const localMonth = (start: string) =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(Date.parse(start)).slice(0, 7)

/** Counted in the list by hand. CANCELED: cancelled or declined. */
function counted(list: Listed[]) {
  const people = list.flatMap(one => one.participations)
  const inState = (state: string) => people.filter(one => one.state === state)
  return {
    bookings: inState('BOOKED').length,
    requests: inState('REQUESTED').length,
    ended: inState('CANCELED').length,
    noShows: inState('BOOKED').filter(one => one.attendance === 'MISSED').length,
    attended: inState('BOOKED').filter(one => one.attendance === 'ATTENDED').length,
  }
}
const asCounted = (line: Answer['body']) => ({
  bookings: line.bookings,
  requests: line.requests,
  ended: line.cancellations + line.declined,
  noShows: line.noShows,
  attended: line.attended,
})

describe('a report', () => {
  it('agrees with the list of Appointments after mixed traffic', async () => {
    const practice = await makePractice(crm)
    const room = await makeRoom(crm, practice)
    const regulars = [await makeCustomer(crm, practice), await makeCustomer(crm, practice)]
    // Around midnight at the end of a month, which is another day in UTC.
    const days = ['03-31T23:30', '04-01T00:30', '04-15T10:00', '05-31T23:00', '06-01T00:00', '02-28T23:30']
    const happen = async (number: number) => {
      const place = number % 3 === 0 ? room : practice
      const start = `2030-${days[number % days.length]}`
      const { reference } = await makeAppointment(crm, place, { start, end: `${start.slice(0, 14)}59` })
      const state = number % 5 === 4 ? 'REQUESTED' : 'BOOKED'
      const who =
        number % 4 === 0 ? { customerReference: regulars[number % 8 === 0 ? 0 : 1]!.customerReference } : {}
      const first = await makeParticipation(crm, place, reference, state, who)
      const second = await makeParticipation(crm, place, reference, 'BOOKED')
      if (number % 7 === 1) await change(place, second.reference, { state: 'CANCELED' })
      if (number % 7 === 2)
        await change(place, first.reference, { state: state === 'BOOKED' ? 'DELETED' : 'CANCELED' })
      if (number % 7 === 3) await mark(place, second.reference, number % 2 ? 'MISSED' : 'ATTENDED')
      const named = `${place.path}/appointments/${encodeURIComponent(reference)}`
      if (number % 11 === 5)
        await crm.post(`${named}/move`, { start: '2030-05-02T09:00', end: '2030-05-02T10:00' })
      const asked = `appointmentReference=${encodeURIComponent(reference)}`
      if (number % 11 === 6) await crm.delete(`${place.path}/appointments?${asked}`)
      if (number % 11 === 7) await crm.delete(`${place.path}/appointments/withoutNotification?${asked}`)
    }
    await Promise.all(Array.from({ length: 20 }, (_, number) => happen(number)))
    const { body } = await crm.get(`${practice.path}/appointments?includeArchived=true`)
    const inRange = (body as Listed[]).filter(one => /2030-0[345]/.test(localMonth(one.start)))
    const report = await reportOf(practice)
    expect(asCounted(report.totals)).toEqual(counted(inRange))
    expect(report.totals.bookings).toBeGreaterThan(15)
    expect(report.totals.cancellations).toBeGreaterThan(0)
    expect(report.totals.declined).toBeGreaterThan(0)
    expect(report.totals.noShows).toBeGreaterThan(0)
    for (const month of report.periods)
      expect([month.from, asCounted(month)]).toEqual([
        month.from,
        counted(inRange.filter(one => localMonth(one.start) === month.from.slice(0, 7))),
      ])
    for (const line of report.resources) {
      const own = inRange.filter(one => one.resourceReference === line.reference)
      expect(asCounted(line)).toEqual(counted(own))
      const only = await reportOf(practice, { resourceRef: line.reference, by: 'week' })
      expect(asCounted(only.totals)).toEqual(counted(own))
    }
    const visitors = new Set(
      inRange.flatMap(one =>
        one.participations.filter(who => who.state === 'BOOKED').map(who => who.customerReference),
      ),
    )
    expect(report.totals.customers).toBe(visitors.size)
    const inConsole = await consoleCall(
      holdfast.app,
      'GET',
      `/providers/${practice.uuid}/reports/bookings?from=2030-03-01&to=2030-06-01`,
    )
    expect(inConsole.body).toEqual(report)
    const weeks = await reportOf(practice, { by: 'week' })
    const narrow: Record<string, string>[] = [
      { resourceRef: room.resource },
      { productRef: practice.product },
      { resourceRef: practice.resource, productRef: practice.product },
    ]
    const narrowed = await Promise.all(narrow.map(one => reportOf(practice, one)))
    // Up to a day in May, and from there on live.
    const night = { atLeast: 1, now: Date.parse('2030-05-20T12:00Z'), days: 90 }
    await prepareReports(holdfast.service, night)
    expect(await reportOf(practice)).toEqual(report)
    expect(await reportOf(practice, { by: 'week' })).toEqual(weeks)
    expect(await Promise.all(narrow.map(one => reportOf(practice, one)))).toEqual(narrowed)
    const markAll = `update participation set attendance = 'MISSED' where state = 'BOOKED' and provider_id =
      (select id from provider where uuid = $1)`
    await holdfast.query(markAll, [practice.uuid])
    const { totals: later, periods } = await reportOf(practice)
    expect(periods[1].noShows).toBe(report.periods[1].noShows)
    expect(later.noShows).toBeGreaterThan(report.totals.noShows)
    await prepareReports(holdfast.service, night)
    expect((await reportOf(practice)).totals.noShows).toBe(report.totals.bookings)
  })

  it('tells new customers from returning ones, at whichever Resource they were before', async () => {
    const practice = await makePractice(crm)
    const room = await makeRoom(crm, practice)
    const { customerReference } = await makeCustomer(crm, practice)
    const book = async (place: Practice, day: string) => {
      const { reference } = await makeAppointment(crm, place, { start: `${day}T10:00`, end: `${day}T10:30` })
      await makeParticipation(crm, place, reference, 'BOOKED', { customerReference })
    }
    await book(practice, '2030-04-10')
    await book(room, '2030-05-10')
    const people = (line: Answer['body']) => [line.newCustomers, line.returningCustomers]
    const all = await reportOf(practice)
    expect([all.totals, ...all.periods].map(people)).toEqual([
      [1, 0],
      [0, 0],
      [1, 0],
      [0, 1],
    ])
    const atRoom = await reportOf(practice, { resourceRef: room.resource })
    expect(people(atRoom.periods[2])).toEqual([0, 1])
  })

  it('counts late cancellations and lead times by the clock', async () => {
    const practice = await makePractice(crm)
    setClock(holdfast, '2030-04-01T08:00Z')
    const booked = async (start: string) => {
      const { reference } = await makeAppointment(crm, practice, { start, end: start.replace(':00', ':30') })
      return makeParticipation(crm, practice, reference, 'BOOKED')
    }
    const [late, early] = [await booked('2030-04-20T10:00'), await booked('2030-04-21T10:00')]
    await booked('2030-04-01T12:00')
    await booked('2030-04-03T12:00')
    setClock(holdfast, '2030-04-19T12:00Z')
    await change(practice, late.reference, { state: 'CANCELED' })
    await change(practice, early.reference, { state: 'CANCELED' })
    holdfast.clock.shiftMs = 0
    const { totals } = await reportOf(practice)
    expect([totals.cancellations, totals.lateCancellations]).toEqual([2, 1])
    // Two hours and fifty hours before 12:00 in Berlin.
    expect(totals.leadTime).toEqual({
      averageMinutes: 26 * 60,
      underDay: 1,
      underWeek: 1,
      underMonth: 0,
      longer: 0,
    })
  })

  it('measures utilisation in elapsed time, without closures, and counts overlaps once', async () => {
    const practice = await makePractice(crm)
    // The clock goes forward at 02:00: four hours from 00:00 to 05:00.
    await makeTimeslot(crm, practice, { start: '2030-03-31T00:00', end: '2030-03-31T05:00' })
    await makeTimeslot(crm, practice, { start: '2030-03-31T04:00', end: '2030-03-31T05:00' })
    await makeTimeslot(crm, practice, { start: '2030-04-02T08:00', end: '2030-04-02T12:00' })
    const closed = { from: '2030-04-02T10:00', to: '2030-04-02T11:00', reason: 'Training' }
    expect(
      (await consoleCall(holdfast.app, 'POST', `/providers/${practice.uuid}/closures`, closed)).status,
    ).toBe(201)
    const book = async (start: string, end: string, capacity = 10) => {
      const { reference } = await makeAppointment(crm, practice, { start, end, capacity })
      return reference
    }
    await makeParticipation(crm, practice, await book('2030-03-31T01:00', '2030-03-31T04:00'), 'BOOKED')
    await makeParticipation(crm, practice, await book('2030-03-31T03:00', '2030-03-31T04:00'), 'BOOKED')
    await makeParticipation(crm, practice, await book('2030-04-02T09:30', '2030-04-02T10:30'), 'BOOKED')
    // An empty group, and a booking without a customer.
    await book('2030-04-02T08:00', '2030-04-02T08:30')
    await book('2030-04-02T11:30', '2030-04-02T12:00', 1)
    const report = await reportOf(practice)
    const usage = (line: Answer['body']) => [
      line.openMinutes,
      line.bookedMinutes,
      line.outsideMinutes,
      line.utilisation,
    ]
    expect(report.periods.map(usage)).toEqual([
      [240, 120, 0, 0.5],
      [180, 60, 30, 0.3333],
      [0, 0, 0, null],
    ])
    expect(usage(report.resources[0])).toEqual([420, 180, 30, 0.4286])
  })

  it('counts answers by choice', async () => {
    const practice = await makePractice(crm)
    const options = [
      { key: 'web', label: { en: 'Web' } },
      { key: 'friends', label: { en: 'Friends' } },
    ]
    await crm.post(`${practice.path}/questions`, {
      key: 'found',
      type: 'choice',
      label: { en: 'How?' },
      options,
    })
    await crm.post(`${practice.path}/questions`, { key: 'first', type: 'checkbox', label: { en: 'First?' } })
    const { reference } = await makeAppointment(crm, practice, {
      start: '2030-04-02T09:00',
      end: '2030-04-02T10:00',
    })
    for (const given of ['web', 'web', 'friends']) {
      const who = await makeParticipation(crm, practice, reference, 'BOOKED')
      await holdfast.query('update participation set answers = $1 where reference = $2', [
        { found: given, first: given === 'web' },
        who.reference,
      ])
    }
    const { body } = await crm.get(`${practice.path}/reports/answers?from=2030-04-01&to=2030-05-01`)
    expect(body.report.questions).toEqual([
      {
        key: 'found',
        label: { en: 'How?' },
        choices: [
          { key: 'web', label: { en: 'Web' }, count: 2 },
          { key: 'friends', label: { en: 'Friends' }, count: 1 },
        ],
      },
      {
        key: 'first',
        label: { en: 'First?' },
        choices: [
          { key: 'true', label: null, count: 2 },
          { key: 'false', label: null, count: 1 },
        ],
      },
    ])
  })

  it('is a CSV file without formulas', async () => {
    const practice = await makePractice(crm)
    const room = await makeRoom(crm, practice, { internalName: '=1+1', reference: unique('room') })
    await makeTimeslot(crm, room, { start: '2030-04-02T08:00', end: '2030-04-02T12:00' })
    const query = 'from=2030-04-01&to=2030-05-01'
    const { text, headers } = await crm.get(`${practice.path}/reports/bookings.csv?${query}&rows=resources`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(text).toMatch(/^\ufeff"uuid","reference","name","bookings",/)
    expect(text).toContain(`"'=1+1"`)
    const months = await crm.get(`${practice.path}/reports/bookings.csv?${query}`)
    expect(months.text.split('\r\n')).toHaveLength(3)
  })

  it('refuses periods that are none, or too long', async () => {
    const { path } = await makePractice(crm)
    const ask = (from: string, to: string) => crm.get(`${path}/reports/bookings?from=${from}&to=${to}`)
    expectRefusal(await ask('2030-04-01', '2030-04-01'), 400, 'invalid-field', 'to')
    expectRefusal(await ask('2030-04-01', '2032-04-01'), 400, 'invalid-field', 'to')
    expectRefusal(await ask('2030-02-30', '2030-04-01'), 400, 'invalid-field', 'from')
    expectRefusal(await crm.get(`${path}/reports/bookings?from=2030-04-01`), 400, 'missing-field', 'to')
  })
})
