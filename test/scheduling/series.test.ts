// Series: several dates of one person, previewed, booked and changed together.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
} from '../support/build.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService({ DEFAULT_TIME_ZONE: 'Europe/Berlin' })
const whole = await makePractice(holdfast.crm, { timeZone: 'Europe/Berlin' })
let practice: Practice = whole
beforeEach(async () => {
  practice = await makeRoom(holdfast.crm, whole)
})

type Planned = {
  start: string
  end: string
  isFree: boolean
  resourceReference: string
  conflicts: { kind: string; what: string | null }[]
  nearest: { start: string; end: string; resourceReference: string }[]
}

const weekly = { first: '2030-01-07T10:00', unit: 'week', every: 1, count: 3, duration: 30 }
const preview = (body: object = {}) =>
  holdfast.crm.post(`${practice.path}/series/preview`, {
    productReference: practice.product,
    resourceReferences: [practice.resource],
    rule: weekly,
    ...body,
  })
const planOf = async (body: object = {}): Promise<Planned[]> => (await preview(body)).body.series.dates
const book = (customerReference: string, dates: object[], fields: object = {}, query = '') =>
  holdfast.crm.post(`${practice.path}/series${query}`, {
    productReference: practice.product,
    customerReference,
    dates,
    ...fields,
  })
const chosen = (dates: Planned[]) =>
  dates.map(({ start, end, resourceReference }) => ({ start, end, resourceReference }))
const open = (day: string, fields: object = {}) =>
  makeTimeslot(holdfast.crm, practice, { start: `${day}T08:00`, end: `${day}T18:00`, ...fields })
const mondays = ['2030-01-07', '2030-01-14', '2030-01-21']
const startsOf = ({ body }: Answer) => body.appointments.map((one: Planned) => one.start)
const close = (from: string, to: string) =>
  consoleCall(holdfast.app, 'POST', `/providers/${practice.uuid}/closures`, {
    from,
    to,
    reason: 'Carnival',
    resources: [practice.resourceUuid],
  })

describe('a preview', () => {
  it('names each date as free, in conflict or closed, with the nearest free times', async () => {
    for (const day of mondays) await open(day)
    await makeAppointment(holdfast.crm, practice, { start: '2030-01-14T09:45', end: '2030-01-14T10:15' })
    await close('2030-01-21', '2030-01-22')
    const dates = await planOf({ rule: { ...weekly, count: 4 } })
    expect(dates.map(one => one.conflicts.map(conflict => conflict.kind))).toEqual([
      [],
      ['overlap'],
      ['closed'],
      ['not-open'],
    ])
    expect(dates[1]!.nearest.map(one => one.start.slice(0, 16))).toEqual([
      '2030-01-14T09:30',
      '2030-01-14T08:00',
      '2030-01-14T10:00',
    ])
    expect(dates[3]!.nearest).toEqual([])
  })

  it('takes the first of several Resources that is free', async () => {
    const first = practice
    await open(mondays[0]!)
    practice = await makeRoom(holdfast.crm, practice)
    for (const day of mondays) await open(day)
    const dates = await planOf({ resourceReferences: [first.resource, practice.resource] })
    expect(dates.map(one => [one.isFree, one.resourceReference])).toEqual([
      [true, first.resource],
      [true, practice.resource],
      [true, practice.resource],
    ])
  })

  it('sees the other bookings of the Customer', async () => {
    for (const day of mondays) await open(day)
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    await book(customerReference, chosen(await planOf()))
    practice = await makeRoom(holdfast.crm, practice)
    for (const day of mondays) await open(day)
    const [date] = await planOf({ customerReference })
    expect(date!.conflicts.map(one => one.kind)).toEqual(['customer-booked'])
    expect(date!.nearest[0]!.start).not.toBe(date!.start)
  })

  it.each([
    ['rule', { rule: null }],
    ['rule.count', { rule: { ...weekly, count: null } }],
    ['rule.until', { rule: { ...weekly, until: '2030-02-30' } }],
    ['rule.first', { rule: { ...weekly, first: 'Monday' } }],
    ['rule.unit', { rule: { ...weekly, unit: 'year' } }],
    ['rule.every', { rule: { ...weekly, every: 0 } }],
    ['rule.weekdays', { rule: { ...weekly, unit: 'month', weekdays: ['1'] } }],
    ['duration', { rule: { ...weekly, duration: null } }],
    ['resourceReferences', { resourceReferences: [] }],
  ])('refuses %s', async (field, body) => {
    const { status, body: answer } = await preview(body)
    expect([status, answer.errors[0].field]).toEqual([400, field])
  })
})

describe('a booking', () => {
  it('books all dates as shown and sends one email with one calendar entry each', async () => {
    for (const day of mondays) await open(day)
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice)
    const dates = await planOf({ customerReference })
    const booked = await book(customerReference, chosen(dates), { message: 'See you soon.' })
    expect([booked.status, startsOf(booked)]).toEqual([201, dates.map(one => one.start)])
    expect(new Set(booked.body.appointments.map((one: { seriesId: string }) => one.seriesId))).toEqual(
      new Set([booked.body.seriesId]),
    )
    const mails = await mailsTo(holdfast, email)
    expect(mails.map(mail => mail.kind)).toEqual(['booked'])
    const [{ text, ics, subject }] = mails as [(typeof mails)[0]]
    expect(subject).toContain('3')
    for (const part of ['7 January', '14 January', '21 January', 'See you soon.', '/booked/'])
      expect(text).toContain(part)
    expect(ics!.content.match(/BEGIN:VEVENT/g)).toHaveLength(3)
    expect(new Set(ics!.content.match(/UID:.*/g)).size).toBe(3)
    const shown = await holdfast.crm.get(`${practice.path}/series/${booked.body.seriesId}`)
    expect(shown.body.series).toMatchObject({ customerReference, total: 3, past: 0, missed: 0 })
  })

  it('books nothing if one date is taken, and names it', async () => {
    for (const day of mondays) await open(day)
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice)
    const dates = chosen(await planOf())
    await makeAppointment(holdfast.crm, practice, {
      start: '2030-01-14T10:00',
      end: '2030-01-14T10:30',
      capacity: 1,
    })
    expectRefusal(await book(customerReference, dates), 409, 'conflict', 'dates[1]')
    expect(await mailsTo(holdfast, email)).toEqual([])
    expect((await planOf())[0]!.isFree).toBe(true)
    const anyway = dates.map((date, index) => ({ ...date, ignoreConflicts: index === 1 }))
    expect((await book(customerReference, anyway)).status).toBe(201)
  })

  it('takes a place in the groups that exist', async () => {
    for (const day of mondays) await open(day, { defaultCapacity: 5 })
    const [first, second] = [
      await makeCustomer(holdfast.crm, practice),
      await makeCustomer(holdfast.crm, practice),
    ]
    const dates = chosen(await planOf())
    const one = await book(first.customerReference, dates)
    const other = await book(second.customerReference, dates)
    const referencesOf = ({ body }: Answer) =>
      body.appointments.map((entry: { reference: string }) => entry.reference)
    expect(referencesOf(other)).toEqual(referencesOf(one))
    expectRefusal(
      await book(second.customerReference, dates),
      409,
      'already-participates',
      'customerReference',
    )
    const shown = await holdfast.crm.get(`${practice.path}/series/${other.body.seriesId}`)
    expect(shown.body.series).toMatchObject({ customerReference: second.customerReference, total: 3 })
  })

  it('refuses dates that overlap each other, end before they start, or have no Customer', async () => {
    for (const day of mondays) await open(day)
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const [date] = chosen(await planOf())
    expectRefusal(await book(customerReference, [date!, date!]), 400, 'invalid-field', 'dates[1].start')
    const reversed = { ...date!, start: date!.end, end: date!.start }
    expectRefusal(await book(customerReference, [reversed]), 400, 'invalid-field', 'dates[0].end')
    expect((await book('unknown', [date!])).status).toBe(404)
    expect((await book(customerReference, [])).status).toBe(400)
    expect((await holdfast.crm.get(`${practice.path}/series/none`)).status).toBe(404)
  })
})

describe('changing a series', () => {
  async function bookedSeries(fields: object = {}) {
    for (const day of mondays) await open(day, fields)
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice)
    const { body } = await book(customerReference, chosen(await planOf()), {}, '?sendMails=false')
    const path = `${practice.path}/series/${body.seriesId}`
    return { path, email, customerReference, references: body.appointments.map(referenceOf) as string[] }
  }
  const referenceOf = ({ reference }: { reference: string }) => reference
  const shownBy = ({ body }: Answer) =>
    body.series.dates.map((one: { start: string; state: string }) => `${one.start.slice(5, 16)} ${one.state}`)

  it('cancels one date and later ones, or all, with one email, and frees the time', async () => {
    const { path, email, references } = await bookedSeries()
    const later = { appointmentReference: references[1], message: 'On holiday.' }
    expect(shownBy(await holdfast.crm.post(`${path}/cancel`, later))).toEqual([
      '01-07T09:00 ACTIVE',
      '01-14T09:00 CANCELLED',
      '01-21T09:00 CANCELLED',
    ])
    const mails = await mailsTo(holdfast, email)
    expect(mails.map(mail => mail.kind)).toEqual(['cancelled'])
    expect(mails[0]!.ics!.content.match(/STATUS:CANCELLED/g)).toHaveLength(2)
    expect(mails[0]!.text).toContain('On holiday.')
    expect((await planOf()).map(one => one.isFree)).toEqual([false, true, true])
    await holdfast.crm.post(`${path}/cancel`, {})
    await holdfast.crm.post(`${path}/cancel`, {})
    expect((await mailsTo(holdfast, email)).map(mail => mail.kind)).toEqual(['cancelled', 'cancelled'])
    expect((await holdfast.crm.post(`${path}/cancel`, { appointmentReference: 'none' })).status).toBe(404)
  })

  it('leaves a group to the others', async () => {
    const first = await bookedSeries({ defaultCapacity: 5 })
    const other = await makeCustomer(holdfast.crm, practice)
    const plan = chosen(await planOf())
    const joined = await book(other.customerReference, plan)
    await holdfast.crm.post(`${practice.path}/series/${joined.body.seriesId}/cancel`, {})
    const { body } = await holdfast.crm.get(first.path)
    expect(body.series).toMatchObject({ total: 3, dates: [{ state: 'ACTIVE', others: 0 }, {}, {}] })
  })

  it('moves one date and later ones by the wall clock, with one email', async () => {
    const { path, email, references } = await bookedSeries()
    const to = { start: '2030-01-14T11:00', end: '2030-01-14T11:45' }
    const asked = { scope: 'later', appointmentReference: references[1], ...to }
    const { dates } = (await holdfast.crm.post(`${path}/move/preview`, asked)).body.series
    expect(dates.map((one: Planned) => [one.start.slice(5, 16), one.isFree])).toEqual([
      ['01-14T10:00', true],
      ['01-21T10:00', true],
    ])
    const moves = dates.map(({ start, end, resourceReference, appointmentReference }: Planned & Named) => ({
      start,
      end,
      resourceReference,
      appointmentReference,
    }))
    expect(shownBy(await holdfast.crm.post(`${path}/move`, { dates: moves }))).toEqual([
      '01-07T09:00 ACTIVE',
      '01-14T10:00 ACTIVE',
      '01-21T10:00 ACTIVE',
    ])
    const mails = await mailsTo(holdfast, email)
    expect(mails.map(mail => mail.kind)).toEqual(['moved'])
    expect(mails[0]!.text).toContain('previously Monday, 14 January 2030, 10:00 – 10:30')
    expect(mails[0]!.ics!.content.match(/BEGIN:VEVENT/g)).toHaveLength(2)
  })
  type Named = { appointmentReference: string }

  it('moves one person of a group: this date, or it and later ones; the others stay', async () => {
    const first = await bookedSeries({ defaultCapacity: 2 })
    const other = await makeCustomer(holdfast.crm, practice)
    const joined = await book(other.customerReference, chosen(await planOf()), {}, '?sendMails=false')
    const path = `${practice.path}/series/${joined.body.seriesId}`
    const at = (start: string) => ({ start: `2030-01-${start}`, end: `2030-01-${start.slice(0, 3)}15:30` })
    const shift = async (scope: string, appointmentReference: string, to: object) => {
      const asked = { scope, appointmentReference, ...to }
      const { dates } = (await holdfast.crm.post(`${path}/move/preview`, asked)).body.series
      const sent = dates.map((one: Planned & Named) => ({ ...one, nearest: undefined, conflicts: undefined }))
      return { dates, send: () => holdfast.crm.post(`${path}/move`, { dates: sent }) }
    }
    const [_first, second, third] = first.references as [string, string, string]
    // Where the class takes place, it is full: both have a place in it.
    const same = await shift('this', second, { start: '2030-01-21T10:00', end: '2030-01-21T10:30' })
    expect(same.dates.map((one: Planned) => one.conflicts.map(why => why.kind))).toEqual([['full']])
    const one = await shift('this', second, at('14T15:00'))
    expect(one.dates).toMatchObject([{ isFree: true, joins: false }])
    expect(shownBy(await one.send())).toEqual([
      '01-07T09:00 ACTIVE',
      '01-14T14:00 ACTIVE',
      '01-21T09:00 ACTIVE',
    ])
    const mails = await mailsTo(holdfast, other.email)
    expect([mails.length, mails[0]!.kind]).toEqual([1, 'moved'])
    expect(await mailsTo(holdfast, first.email)).toEqual([])
    const stays = (await holdfast.crm.get(first.path)).body.series
    expect(stays.dates).toMatchObject([
      { others: 1 },
      { others: 0, start: '2030-01-14T09:00:00Z' },
      { others: 1 },
    ])

    // All of them by a week: into the groups that exist, where the own place is left at the same time.
    await open('2030-01-28', { defaultCapacity: 2 })
    const all = await shift('all', third, { start: '2030-01-28T10:00', end: '2030-01-28T10:30' })
    expect(
      all.dates.map((one: Planned & { joins: boolean }) => [one.start.slice(5, 13), one.isFree, one.joins]),
    ).toEqual([
      ['01-14T09', true, true],
      ['01-21T09', true, true],
      ['01-28T09', true, false],
    ])
    expect(shownBy(await all.send())).toEqual([
      '01-14T09:00 ACTIVE',
      '01-21T09:00 ACTIVE',
      '01-28T09:00 ACTIVE',
    ])
    const rows = await holdfast.query(
      `select to_char(start_at, 'MM-DD') as day, string_agg(participation.name, ',' order by participation.id) as names
       from appointment join participation on appointment_id = appointment.id
       join resource on resource.id = resource_id
       where resource.reference = $1 and appointment.state = 'ACTIVE' and participation.state = 'BOOKED'
       group by appointment.id, start_at order by start_at`,
      [practice.resource],
    )
    expect(rows.map(row => `${row.day} ${row.names.split(',').length}`)).toEqual([
      '01-07 1',
      '01-14 2',
      '01-21 2',
      '01-28 1',
    ])
    // "This and later" cancelled: the first person keeps the class.
    const fourth = (await holdfast.crm.get(path)).body.series.dates[1].appointmentReference
    await holdfast.crm.post(`${path}/cancel`, { appointmentReference: fourth })
    expect((await holdfast.crm.get(first.path)).body.series).toMatchObject({ total: 3 })
    expect((await holdfast.crm.get(path)).body.series).toMatchObject({ total: 1 })
  })

  it('shifts all by a week, each to the time of the next, and refuses what is taken', async () => {
    const { path, references } = await bookedSeries()
    await open('2030-01-28')
    const asked = { scope: 'all', appointmentReference: references[0] }
    const to = { start: '2030-01-14T10:00', end: '2030-01-14T10:30' }
    const { dates } = (await holdfast.crm.post(`${path}/move/preview`, { ...asked, ...to })).body.series
    expect(dates.map((one: Planned) => one.isFree)).toEqual([true, true, true])
    const moves = dates.map((one: Planned & Named) => ({ ...one, nearest: undefined, conflicts: undefined }))
    await makeAppointment(holdfast.crm, practice, {
      start: '2030-01-28T10:00',
      end: '2030-01-28T10:30',
      capacity: 1,
    })
    expectRefusal(await holdfast.crm.post(`${path}/move`, { dates: moves }), 409, 'conflict', 'dates[2]')
    const twice = [moves[0], { ...moves[1], appointmentReference: references[0] }]
    expect((await holdfast.crm.post(`${path}/move`, { dates: twice })).status).toBe(400)
    moves[2].ignoreConflicts = true
    expect(shownBy(await holdfast.crm.post(`${path}/move?sendMails=false`, { dates: moves }))).toEqual([
      '01-14T09:00 ACTIVE',
      '01-21T09:00 ACTIVE',
      '01-28T09:00 ACTIVE',
    ])
  })

  it('changes Resource and Product of all dates', async () => {
    const { path, references } = await bookedSeries()
    const other = await makeRoom(holdfast.crm, practice)
    const product = await makeProduct(holdfast.crm, practice, { name: 'Massage' })
    practice = other
    for (const day of mondays) await open(day)
    const moves = mondays.map((day, index) => ({
      start: `${day}T10:00`,
      end: `${day}T11:00`,
      resourceReference: other.resource,
      appointmentReference: references[index],
    }))
    const body = { dates: moves, productReference: product.reference }
    const { series } = (await holdfast.crm.post(`${path}/move`, body)).body
    for (const date of series.dates)
      expect(date).toMatchObject({ productName: 'Massage', resourceReference: other.resource })
  })

  it('offers freed dates to the waiting list in the same transaction', async () => {
    const { path } = await bookedSeries()
    await setChannel(holdfast, practice.resourceUuid, { waitingList: true })
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    await holdfast.crm.post(`${practice.path}/waiting_list`, {
      customerReference,
      productReference: practice.product,
      resourceReferences: [practice.resource],
      from: mondays[1],
      to: mondays[1],
      timeFrom: '10:00',
      timeTo: '10:30',
    })
    await holdfast.crm.post(`${path}/cancel`, {})
    const { body } = await holdfast.crm.get(`${practice.path}/waiting_list?state=OFFERED`)
    expect(body.entries).toHaveLength(1)
  })
})

describe('what was shown', () => {
  /**
   * Two weeks from a Sunday, open except on Saturdays: the clocks go forward on 31 March and back on 27
   * October; Good Friday, Easter Monday and Reformation Day are closed as holidays, the second Tuesday too.
   */
  const seasons = ['2030-03-24', '2030-04-14', '2030-10-20'].map(text => Temporal.PlainDate.from(text))
  const holidays = ['2030-04-19', '2030-04-22', '2030-05-01', '2030-10-31']
  const berlin = 'Europe/Berlin'

  it('is what is booked, over clock changes, holidays and closures', async () => {
    practice = await makePractice(holdfast.crm, { timeZone: berlin })
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const closures = `/providers/${practice.uuid}/closures`
    await consoleCall(holdfast.app, 'POST', `${closures}/holidays`, {
      country: 'DE',
      state: 'HH',
      year: 2030,
    })
    const shut = [...holidays, ...seasons.map(sunday => `${sunday.add({ days: 9 })}`)]
    for (const sunday of seasons) {
      await close(`${sunday.add({ days: 9 })}`, `${sunday.add({ days: 10 })}`)
      const days = Array.from({ length: 14 }, (_, offset) => sunday.add({ days: offset }))
      const open = days.filter(one => one.dayOfWeek !== 6)
      await Promise.all(
        open.map(one => makeTimeslot(holdfast.crm, practice, { start: `${one}T01:00`, end: `${one}T18:00` })),
      )
    }
    const isWithin = (days: number) => days >= 0 && days < 14
    /** By the calendar alone: what each date of the rule is, and whether it is open. */
    const expected = (first: Temporal.PlainDateTime, every: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const wall = first.add({ days: index * every })
        const day = `${wall.toPlainDate()}`
        const isIn = wall.dayOfWeek !== 6 && seasons.some(one => isWithin(one.until(day).days))
        // Spring leaves out an hour: the time moves forward. Autumn repeats one: the first of the two.
        const start = wall.toZonedDateTime(berlin).toInstant().toString()
        return { start, why: shut.includes(day) ? 'closed' : isIn ? null : 'not-open' }
      })
    const shownAs = ({ start, conflicts }: Planned) => ({
      start: Temporal.Instant.from(start).toString(),
      why: conflicts.find(one => one.kind === 'closed')?.kind ?? conflicts[0]?.kind ?? null,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seasons),
        fc.integer({ min: 0, max: 6 }),
        // Often in the night of the clock change.
        fc.oneof(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 4, max: 70 })),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 2, max: 8 }),
        async (sunday, offset, quarter, every, count) => {
          const first = sunday
            .add({ days: offset })
            .toPlainDateTime()
            .add({ minutes: quarter * 15 })
          const rule = { first: `${first}`, unit: 'day', every, count, duration: 30 }
          const plan = await planOf({ rule, customerReference })
          expect(plan.map(shownAs)).toEqual(expected(first, every, count))
          const dates = plan.flatMap(one => (one.isFree ? [one] : one.nearest.slice(0, 1)))
          const distinct = dates.filter(
            (one, index) =>
              !dates.slice(0, index).some(other => other.start < one.end && one.start < other.end),
          )
          if (distinct.length === 0) return
          const booked = await book(customerReference, chosen(distinct as Planned[]), {}, '?sendMails=false')
          expect([booked.status, startsOf(booked).toSorted()]).toEqual([
            201,
            distinct.map(one => one.start).toSorted(),
          ])
          await holdfast.crm.delete(`${practice.path}/appointments/withoutNotification`, {
            seriesId: booked.body.seriesId,
          })
        },
      ),
      {
        numRuns: 8,
        // Over the nights of the clock changes at half past two, and over Easter.
        examples: [
          [seasons[0]!, 5, 10, 1, 4],
          [seasons[2]!, 5, 10, 1, 8],
          [seasons[1]!, 2, 40, 1, 8],
        ],
      },
    )
  })

  it('of two crossing series, each date has one winner and each series all or nothing', async () => {
    const rooms = [practice, await makeRoom(holdfast.crm, practice)]
    for (const room of rooms) {
      practice = room
      for (const day of mondays) await open(day)
    }
    const dates = mondays.map((day, index) => ({
      start: `${day}T10:00`,
      end: `${day}T10:30`,
      resourceReference: rooms[index % 2]!.resource,
    }))
    const customers = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(holdfast.crm, practice)))
    const answers = await Promise.all(
      customers.map(({ customerReference }, index) =>
        book(customerReference, index % 2 === 0 ? dates : dates.toReversed()),
      ),
    )
    expect(answers.map(one => one.status).toSorted()).toEqual([201, ...Array(7).fill(409)])
    const rows = await holdfast.query(
      `select count(*)::int as count from appointment join resource on resource.id = resource_id
       where resource.reference = any ($1)`,
      [rooms.map(one => one.resource)],
    )
    expect(rows[0].count).toBe(3)
  })
})
