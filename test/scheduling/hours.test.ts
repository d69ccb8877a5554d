// Opening hours: rules that become Timeslots at once and every day, without affecting bookings.

import { describe, expect, it } from 'vitest'
import { extendHours, rebuildHoursForZone } from '../../src/actions/scheduling/hours/hours.ts'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { makePractice, makeResource, makeTimeslot, type Practice, setClock } from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { type Answer, call, consoleToken, useService } from '../support/service.ts'
import { whileReading, whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()

const headers = { authorization: `Bearer ${consoleToken}` }
const pathOf = ({ resourceUuid }: Practice) => `/console/api/resources/${resourceUuid}/hours`
const put = (practice: Practice, body: object) =>
  call(holdfast.app, 'PUT', pathOf(practice), body, { headers })
const get = (practice: Practice) => call(holdfast.app, 'GET', pathOf(practice), undefined, { headers })
const morning = { from: '08:00', to: '12:00', raster: 60 }
const everyDay = { weekdays: ['1', '2', '3', '4', '5', '6', '7'], ...morning }
const consumer = () => asConsumer(overApp(holdfast.app))
const list = async ({ resourceUuid }: Practice) => slotsOf(await consumer().list(resourceUuid))
const startsOf = async (practice: Practice) => (await list(practice)).map(slot => slot.start)

/** A thousand Resources whose Timeslots end one day short. */
const crowdOf = (provider: string) => `
  with room as (
    insert into resource (provider_id, reference, public_name, internal_name)
    select id, 'crowd-' || number, 'Crowd', 'C' from provider, generate_series(1, 1000) as number
    where uuid = '${provider}'
    returning id, provider_id
  ), hours as (
    insert into opening_hours (resource_id, provider_id, weeks, made_until)
    select id, provider_id, 12, (now() at time zone 'UTC')::date + 83 from room
  )
  insert into opening_rule (resource_id, provider_id, position, weekdays, from_minute, to_minute, raster, capacity,
    accept_bookings)
  select id, provider_id, 1, '{1,2,3,4,5,6,7}', 480, 720, 30, 1, true from room`

/** Books a day that is certainly in the future. */
async function bookOn(practice: Practice, index: number) {
  const slot = (await list(practice))[index]!
  const done = await consumer().complete(practice.resourceUuid, bookingOf(slot, newPerson()))
  expect(done.status).toBe(201)
  return slot
}

/** A week later, the opening hours change after the job has found the Resource and before it continues. */
async function extendWhile(practice: Practice, change: () => Promise<Answer>) {
  const inAWeek = 7 * 86_400_000
  try {
    holdfast.clock.shiftMs = inAWeek
    await extendHours(holdfast.service) // All others are done.
    holdfast.clock.shiftMs = 0
    await put(practice, { hoursWeeks: 2, rules: [everyDay] })
    holdfast.clock.shiftMs = inAWeek
    const changed = async () => expect((await change()).status).toBe(200)
    await whileReading(holdfast, changed, () => extendHours(holdfast.service))
    return await startsOf(practice)
  } finally {
    holdfast.clock.shiftMs = 0
  }
}

describe('rules', () => {
  it('are offered at once, in local time, as many weeks ahead as requested', async () => {
    const practice = await makePractice(holdfast.crm)
    const { status, body } = await put(practice, { hoursWeeks: 2, rules: [everyDay] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ hoursWeeks: 2, rules: [{ ...everyDay, capacity: 1, acceptBookings: true }] })
    expect((await get(practice)).body).toEqual(body)
    const starts = await startsOf(practice)
    const days = new Set(starts.map(start => start.slice(0, 10)))
    expect(days.size).toBeGreaterThanOrEqual(14)
    expect(new Set(starts.map(start => start.slice(11, 16)))).toEqual(
      new Set(['08:00', '09:00', '10:00', '11:00']),
    )
  })

  it('can be replaced; Timeslots of the CRM are not changed', async () => {
    const practice = await makePractice(holdfast.crm)
    await makeTimeslot(holdfast.crm, practice)
    const before = await startsOf(practice)
    await put(practice, { hoursWeeks: 1, rules: [everyDay] })
    expect((await startsOf(practice)).length).toBeGreaterThan(before.length)
    await put(practice, { rules: [] })
    expect(await startsOf(practice)).toEqual(before)
  })

  it('that change keep booked times, and offer nothing else there', async () => {
    const practice = await makePractice(holdfast.crm)
    const first = await put(practice, { hoursWeeks: 1, rules: [everyDay] })
    const slot = await bookOn(practice, 7)
    const [rule] = first.body.rules
    await put(practice, { hoursWeeks: 1, rules: [{ ...rule, from: '14:00', to: '16:00' }] })
    const starts = await startsOf(practice)
    expect(new Set(starts.map(start => start.slice(11, 16)))).toEqual(new Set(['14:00', '15:00']))
    const { body } = await holdfast.crm.get(
      `${practice.path}/resource/${practice.resource}/timeslots?from=2000-01-01T00:00&to=2100-01-01T00:00`,
    )
    const rest = body.filter((one: { appointments: unknown[] }) => one.appointments.length > 0)
    expect(rest).toHaveLength(1)
    expect(Date.parse(rest[0].start)).toBe(Date.parse(slot.start))
    expect(rest[0].defaultAcceptBookings).toBe(false)
  })

  describe('that change in the afternoon open the rest of the day', () => {
    async function inTheAfternoon(change: (practice: Practice) => Promise<Answer>) {
      const practice = await makePractice(holdfast.crm)
      try {
        setClock(holdfast, '2030-01-07T06:00:00Z')
        await put(practice, { hoursWeeks: 1, rules: [everyDay] })
        setClock(holdfast, '2030-01-07T12:30:00Z')
        expect((await startsOf(practice)).some(start => start.startsWith('2030-01-07'))).toBe(false)
        expect((await change(practice)).status).toBe(200)
        return (await startsOf(practice)).filter(start => start.startsWith('2030-01-07'))
      } finally {
        holdfast.clock.shiftMs = 0
      }
    }

    it('reopen a day that was already over', async () => {
      const today = await inTheAfternoon(async practice => {
        const [rule] = (await get(practice)).body.rules
        return put(practice, { hoursWeeks: 1, rules: [{ ...rule, to: '16:00' }] })
      })
      expect(today).toEqual(['2030-01-07T14:00:00+01:00', '2030-01-07T15:00:00+01:00'])
    })

    it('reopen a day when it is morning again in another zone', async () => {
      const today = await inTheAfternoon(practice =>
        call(
          holdfast.app,
          'PATCH',
          `/console/api/providers/${practice.uuid}`,
          { timeZone: 'America/New_York' },
          { headers },
        ),
      )
      expect(today.map(start => start.slice(11))).toEqual(
        ['08', '09', '10', '11'].map(hour => `${hour}:00:00-05:00`),
      )
    })

    it('do not change past Timeslots', async () => {
      await inTheAfternoon(practice => put(practice, { hoursWeeks: 1, rules: [] }))
      const count = `select count(*)::int as count from timeslot where opening_day = '2030-01-07' and end_at = '2030-01-07T11:00Z'`
      expect((await holdfast.query(count))[0].count).toBeGreaterThan(0)
    })
  })

  it('that run past midnight are one Timeslot', async () => {
    const practice = await makePractice(holdfast.crm)
    await put(practice, { hoursWeeks: 1, rules: [{ ...everyDay, from: '22:00', to: '02:00' }] })
    const hours = new Set((await startsOf(practice)).map(start => start.slice(11, 16)))
    expect(hours).toEqual(new Set(['22:00', '23:00', '00:00', '01:00']))
  })

  it('follow the Provider into another zone', async () => {
    const practice = await makePractice(holdfast.crm)
    await put(practice, { hoursWeeks: 1, rules: [everyDay] })
    const path = `/console/api/providers/${practice.uuid}`
    await call(holdfast.app, 'PATCH', path, { timeZone: 'America/New_York' }, { headers })
    const starts = await startsOf(practice)
    expect(starts.every(start => /T(08|09|10|11):00:00-0[45]:00/.test(start))).toBe(true)
  })

  it('follow with the job of each minute if the response could not wait for all of them', async () => {
    const practice = await makePractice(holdfast.crm)
    await put(practice, { hoursWeeks: 1, rules: [everyDay] })
    const { pool } = holdfast.service.db
    const mark = `update opening_hours set zone_changed = true
      where provider_id = (select id from provider where uuid = $1)`
    await pool.query(`update provider set time_zone = 'America/New_York' where uuid = $1`, [practice.uuid])
    await pool.query(mark, [practice.uuid])
    await rebuildHoursForZone(holdfast.service, null, 0)
    const { rows } = await pool.query('select zone_changed from opening_hours where zone_changed')
    expect(rows).toHaveLength(1)
    await Promise.all([tidy(holdfast.service), tidy(holdfast.service)])
    const starts = await startsOf(practice)
    expect(new Set(starts.map(start => start.slice(11, 13)))).toEqual(new Set(['08', '09', '10', '11']))
    expect((await pool.query('select from opening_hours where zone_changed')).rows).toEqual([])
  })

  it('use the zone that the Provider has when they are saved', async () => {
    const practice = await makePractice(holdfast.crm)
    const { status } = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          await rival.query(`update provider set time_zone = 'America/New_York' where uuid = $1`, [
            practice.uuid,
          ])
          await rival.query('update resource set revision = revision + 1 where uuid = $1', [
            practice.resourceUuid,
          ])
        },
      },
      () => put(practice, { hoursWeeks: 1, rules: [everyDay] }),
    )
    expect(status).toBe(200)
    const starts = await startsOf(practice)
    expect(new Set(starts.map(start => start.slice(11, 13)))).toEqual(new Set(['08', '09', '10', '11']))
  })

  it.each([
    ['overlapping ones', { rules: [everyDay, { ...everyDay, from: '11:00', to: '13:00' }] }, 'rules[1]'],
    ['a time that is none', { rules: [{ ...everyDay, from: '25:00' }] }, 'rules[0].from'],
    ['no time between from and to', { rules: [{ ...everyDay, to: '08:00' }] }, 'rules[0].to'],
    ['a raster longer than the window', { rules: [{ ...everyDay, raster: 300 }] }, 'rules[0].raster'],
    ['a day that is none', { rules: [{ ...everyDay, validFrom: '2026-02-30' }] }, 'rules[0].validFrom'],
    ['every second week without a week', { rules: [{ ...everyDay, everyWeeks: 2 }] }, 'rules[0].weekOf'],
    [
      'times of one day that overlap',
      { rules: [], exceptions: [{ day: '2030-01-07', times: [morning, morning] }] },
      'exceptions',
    ],
    ['no weekday', { rules: [{ ...everyDay, weekdays: [] }] }, 'rules[0].weekdays'],
    ['an eighth weekday', { rules: [{ ...everyDay, weekdays: ['8'] }] }, 'rules[0].weekdays[0]'],
  ])('refuses %s and changes nothing', async (_, body, field) => {
    const practice = await makePractice(holdfast.crm)
    const answer = await put(practice, body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
    expect((await get(practice)).body.rules).toEqual([])
  })
})

describe('irregular hours', () => {
  const at = '2030-01-07T06:00:00Z' // A Monday.
  const monday = { weekdays: ['1'], from: '08:00', to: '09:00', raster: 60 }
  const shortTexts = async (practice: Practice) => (await startsOf(practice)).map(one => one.slice(5, 16))
  const putAll = (practice: Practice, resources: object[]) =>
    call(holdfast.app, 'PUT', allOf(practice), { resources }, { headers })
  const allOf = ({ uuid }: Practice) => `/console/api/providers/${uuid}/hours`

  /** In 2030, so that weekdays and dates are known. */
  async function in2030(work: (practice: Practice) => Promise<void>) {
    const practice = await makePractice(holdfast.crm)
    try {
      setClock(holdfast, at)
      await work(practice)
    } finally {
      holdfast.clock.shiftMs = 0
    }
  }

  it('open every second week, and other hours on single days', async () => {
    await in2030(async practice => {
      const rules = [{ ...monday, everyWeeks: 2, weekOf: '2030-01-16' }]
      const exceptions = [
        { day: '2030-01-22', times: [{ from: '10:00', to: '11:00', raster: 60 }] },
        { day: '2030-01-28', times: [] },
      ]
      const { body } = await put(practice, { hoursWeeks: 5, rules, exceptions })
      expect(body.rules).toMatchObject([{ everyWeeks: 2, weekOf: '2030-01-14' }])
      expect((await get(practice)).body).toEqual(body)
      expect(await shortTexts(practice)).toEqual(['01-14T08:00', '01-22T10:00', '02-11T08:00'])
      // A client that does not know of weeks and single days keeps both.
      const [{ everyWeeks: _, weekOf: __, ...rule }] = body.rules
      const again = await put(practice, { hoursWeeks: 5, rules: [rule] })
      expect(again.body).toEqual(body)
    })
  })

  it('are hidden from a version that does not know them, and put right by the daily job', async () => {
    await in2030(async practice => {
      const rules = [{ ...monday, everyWeeks: 2, weekOf: '2030-01-07' }]
      await put(practice, { hoursWeeks: 2, rules, exceptions: [{ day: '2030-01-09', times: [] }] })
      const { pool } = holdfast.service.db
      const read = `select weekdays from opening_rule where resource_id = (select id from resource where uuid = $1)`
      const { rows } = await pool.query(read, [practice.resourceUuid])
      expect(rows.map(row => row.weekdays)).toEqual([[], []])
      // What such a version leaves after its daily job: the next day without Timeslots.
      const made = `update opening_hours set made_until = case when resource_id = (select id from resource where uuid = $1)
        then '2030-02-05'::date else '2040-01-01' end`
      await pool.query(made, [practice.resourceUuid])
      setClock(holdfast, '2030-01-23T06:00:00Z')
      await extendHours(holdfast.service)
      expect(await shortTexts(practice)).toEqual(['02-04T08:00'])
    })
  })

  it('from a date on keep the Timeslots that stay the same', async () => {
    await in2030(async practice => {
      const first = (await put(practice, { hoursWeeks: 3, rules: [monday] })).body.rules[0]
      const slots = async () => (await list(practice)).map(one => [one.start, one.timeslot_uuid])
      const before = await slots()
      const rules = [
        { ...first, validUntil: '2030-01-13' },
        { ...monday, validFrom: '2030-01-14' },
      ]
      expect((await put(practice, { hoursWeeks: 3, rules })).status).toBe(200)
      expect(await slots()).toEqual(before)
    })
  })

  it('of several people change together or not at all, with the bookings they leave outside', async () => {
    const practice = await makePractice(holdfast.crm)
    const uuids = [practice.resourceUuid, (await makeResource(holdfast.crm, practice)).uuid]
    const hoursOf = (rules: object[]) => uuids.map(resourceUuid => ({ resourceUuid, hoursWeeks: 1, rules }))
    const saved = await putAll(practice, hoursOf([everyDay]))
    expect(saved.status).toBe(200)
    const slot = await bookOn(practice, 7)
    const all = await call(holdfast.app, 'GET', allOf(practice), undefined, { headers })
    expect(all.body.resources).toEqual(saved.body.resources)

    const later = [{ ...everyDay, from: '14:00', to: '16:00' }]
    const preview = (rules: object[]) =>
      call(holdfast.app, 'POST', `${allOf(practice)}/preview`, { resources: hoursOf(rules) }, { headers })
    const { body } = await preview(later)
    expect(body.appointments.map((one: { start: string }) => Date.parse(one.start))).toEqual([
      Date.parse(slot.start),
    ])
    expect((await preview([everyDay])).body.appointments).toEqual([])

    const wrong = await putAll(practice, [hoursOf(later)[0]!, { ...hoursOf(later)[1], etag: '"old"' }])
    expect([wrong.status, wrong.body.errors[0].errorCode]).toEqual([409, 'changed'])
    const unknown = await putAll(practice, [{ ...hoursOf(later)[0], resourceUuid: 'x' }])
    expect([unknown.status, unknown.body.errors[0].field]).toEqual([400, 'resources[0].resourceUuid'])
    const now = await call(holdfast.app, 'GET', allOf(practice), undefined, { headers })
    expect(now.body.resources).toEqual(saved.body.resources)

    // Two changes that name the Resources in different orders do not wait for each other forever.
    const both = await Promise.all([
      putAll(practice, hoursOf(later)),
      putAll(practice, hoursOf([everyDay]).reverse()),
    ])
    expect(both.map(one => one.status)).toEqual([200, 200])
    const end = await call(holdfast.app, 'GET', allOf(practice), undefined, { headers })
    expect(
      new Set(end.body.resources.map((one: { rules: { from: string }[] }) => one.rules[0]!.from)).size,
    ).toBe(1)
  })
})

describe('the daily job', () => {
  it('adds the next day once, without affecting bookings', async () => {
    const practice = await makePractice(holdfast.crm)
    await put(practice, { hoursWeeks: 1, rules: [everyDay] })
    const before = await startsOf(practice)
    holdfast.clock.shiftMs += 2 * 86_400_000
    try {
      await extendHours(holdfast.service)
      await extendHours(holdfast.service)
      const after = await startsOf(practice)
      expect(new Set(after).size).toBe(after.length)
      expect(after.at(-1)! > before.at(-1)!).toBe(true)
      expect(after.filter(start => start > before.at(-1)!)).toHaveLength(8)
    } finally {
      holdfast.clock.shiftMs = 0
    }
  })

  it('uses the zone that the Provider has once the Resource is locked', async () => {
    const practice = await makePractice(holdfast.crm)
    const path = `/console/api/providers/${practice.uuid}`
    const starts = await extendWhile(practice, () =>
      call(holdfast.app, 'PATCH', path, { timeZone: 'America/New_York' }, { headers }),
    )
    expect(new Set(starts.map(start => start.slice(11, 13)))).toEqual(new Set(['08', '09', '10', '11']))
    expect(starts.length).toBeGreaterThanOrEqual(14 * 4)
  })

  it('uses the rules that exist once the Resource is locked', async () => {
    const practice = await makePractice(holdfast.crm)
    const starts = await extendWhile(practice, async () => {
      const [rule] = (await get(practice)).body.rules
      return put(practice, { hoursWeeks: 1, rules: [{ ...rule, weekdays: ['1'] }] })
    })
    expect(starts.map(start => new Date(start).getUTCDay())).toEqual(starts.map(() => 1))
    expect(starts.length).toBeLessThanOrEqual(2 * 4)
  })

  it('extends a thousand Resources in small batches, with the same few statements each', async () => {
    const { uuid } = await makePractice(holdfast.crm)
    await holdfast.query(crowdOf(uuid))
    const { db } = holdfast.service
    const batches: number[] = []
    const transaction: typeof db.transaction = work =>
      db.transaction(tx => {
        const batch = batches.push(0) - 1
        const query: typeof tx.query = statement => {
          batches[batch]!++
          return tx.query(statement)
        }
        return work({ ...tx, query })
      })
    await extendHours({ ...holdfast.service, db: { ...db, transaction } })
    // Lock, read, insert, save and record, in two hundred batches, a query that finds no more, and remnants.
    expect(new Set(batches.slice(0, -2))).toEqual(new Set([5]))
    expect([batches.length >= 202, ...batches.slice(-2)]).toEqual([true, 1, 1])
    const { rows } = await db.pool.query(
      `select count(*)::int as count, (app_now() at time zone 'Europe/Berlin')::date - (app_now() at time zone 'UTC')::date as ahead
      from timeslot join resource on resource.id = resource_id where public_name = 'Crowd'`,
    )
    // Late in the evening UTC, the next day has already begun there.
    expect(rows[0].count).toBe(1000 * (1 + rows[0].ahead))
  })

  it('deletes remnants of cancelled bookings', async () => {
    const practice = await makePractice(holdfast.crm)
    await put(practice, { hoursWeeks: 1, rules: [everyDay] })
    await bookOn(practice, 5)
    await put(practice, { rules: [] })
    const slots = () =>
      holdfast.crm.get(
        `${practice.path}/resource/${practice.resource}/timeslots?from=2000-01-01T00:00&to=2100-01-01T00:00`,
      )
    const [rest] = (await slots()).body
    const reference = rest.appointments[0].reference
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
    await extendHours(holdfast.service)
    expect((await slots()).body).toEqual([])
  })
})
