// Consumers book several dates at once, where the channel allows it.

import { beforeEach, describe, expect, it } from 'vitest'
import { makePractice, makeRoom, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, form, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0', HOLDS_PER_CLIENT: '3', HOLDS_PER_RESOURCE: '3' })
const whole = await makePractice(holdfast.crm, { timeZone: 'Europe/Berlin' })
let practice: Practice = whole
const mondays = ['2030-01-07', '2030-01-14', '2030-01-21']

beforeEach(async () => {
  practice = await makeRoom(holdfast.crm, whole)
  for (const day of mondays)
    await makeTimeslot(holdfast.crm, practice, { start: `${day}T08:00`, end: `${day}T12:00` })
  await setChannel(holdfast, practice.resourceUuid, { seriesMax: 3 })
})

const consumer = asConsumer(overApp(holdfast.app))
type Held = { start: string; state: string; placeholder_id: string; nearest: { start: string }[] }

async function reserve(rule: object = {}, from = '10:00', more: object = {}) {
  const slots = slotsOf(await consumer.list(practice.resourceUuid))
  const slot = slots.find(one => one.start.startsWith(`2030-01-07T${from}`))!
  const body = {
    timeslot_uuid: slot.timeslot_uuid,
    product_uuid: practice.productUuid,
    from: slot.start,
    to: slot.end,
    rule: { unit: 'week', every: 1, count: 3, ...rule },
    ...more,
  }
  const path = `/resources/${practice.resourceUuid}/reserve_series`
  return { slot, answer: await consumer.send('POST', path, body) }
}

let visitors = 0
function complete(slot: { start: string; end: string; timeslot_uuid: string }, placeholder_ids: string[]) {
  const email = `series-${++visitors}@example.org`
  const body = {
    start: slot.start,
    end: slot.end,
    timeslot_uuid: slot.timeslot_uuid,
    product_uuid: practice.productUuid,
    placeholder_ids,
    email,
    firstname: 'Ann',
    lastname: 'Winter',
    locale: 'en',
  }
  const send = () => consumer.complete(practice.resourceUuid, body)
  return { email, send }
}

const held = ({ body }: Answer): Held[] => body.dates
const idsOf = (answer: Answer) => held(answer).flatMap(one => one.placeholder_id ?? [])

describe('a series of a consumer', () => {
  it('is held date by date, counts as one hold, and is booked in one step with one email', async () => {
    const { slot, answer } = await reserve()
    expect(held(answer).map(one => one.state)).toEqual(['held', 'held', 'held'])
    const left = slotsOf(await consumer.list(practice.resourceUuid)).map(one => Date.parse(one.start))
    for (const { start } of held(answer)) expect(left).not.toContain(Date.parse(start))
    const { email, send } = complete(slot, idsOf(answer).slice(0, 2))
    const booked = await send()
    expect([booked.status, booked.body.createdAppointments.length]).toEqual([201, 2])
    const again = await send()
    expect(again.body.createdAppointments.map(uuidOf)).toEqual(booked.body.createdAppointments.map(uuidOf))
    const mails = await mailsTo(holdfast, email)
    expect(mails.map(mail => mail.kind)).toEqual(['booked'])
    expect(mails[0]!.ics!.content.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    const rows = await holdfast.query(
      `select kind, count(*)::int from event
       where kind in ('customer.created', 'participation.booked') and xid = (select max(xid) from event)
       group by kind order by kind`,
    )
    expect(rows).toEqual([
      { kind: 'customer.created', count: 1 },
      { kind: 'participation.booked', count: 2 },
    ])
  })
  const uuidOf = (one: { appointment_uuid: string }) => one.appointment_uuid

  it('names taken dates with the nearest free times', async () => {
    await reserve({ count: 2 })
    const { answer } = await reserve({ count: 2 }, '10:30')
    expect(answer.status).toBe(200)
    const slots = slotsOf(await consumer.list(practice.resourceUuid))
    const first = slots.find(one => one.start.startsWith('2030-01-07T11:00'))!
    const third = slots.find(one => one.start.startsWith('2030-01-14T11:00'))!
    await consumer.reserve(practice.resourceUuid, {
      timeslot_uuid: third.timeslot_uuid,
      product_uuid: practice.productUuid,
      from: third.start,
      to: third.end,
    })
    const path = `/resources/${practice.resourceUuid}/reserve_series`
    const body = {
      timeslot_uuid: first.timeslot_uuid,
      product_uuid: practice.productUuid,
      from: first.start,
      to: first.end,
      rule: { unit: 'week', every: 1, count: 2 },
    }
    const own = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    const dates = held(await consumer.send('POST', path, body, own))
    expect(dates.map(one => one.state)).toEqual(['held', 'taken'])
    expect(dates[1]!.nearest[0]!.start).toBe('2030-01-14T10:30:00Z')
  })

  it('is changed in one step: its holds are released, and a date moves to another time', async () => {
    const single = await reserve({ count: 1 })
    const held = idsOf(single.answer)
    const change = (count: number, placeholder_ids: string[], instead: object[] = []) =>
      consumer.send('POST', `/resources/${practice.resourceUuid}/reserve_series`, {
        timeslot_uuid: single.slot.timeslot_uuid,
        product_uuid: practice.productUuid,
        from: single.slot.start,
        to: single.slot.end,
        rule: { unit: 'week', every: 1, count },
        placeholder_ids,
        instead,
      })
    // Its own hold would be in the way.
    expect((await change(2, [])).body.dates.map((one: Held) => one.state)).toEqual(['taken', 'held'])
    const second = held.concat(idsOf(await change(3, held)))
    const other = { date: '2030-01-14T10:00', from: '2030-01-14T11:00+01:00' }
    const answer = await change(3, second, [other])
    const starts = answer.body.dates.map((one: Held) => `${one.state} ${one.start.slice(5, 16)}`)
    expect(starts).toEqual(['held 01-07T09:00', 'held 01-14T10:00', 'held 01-21T09:00'])
    const left = await liveHolds()
    expect(left).toEqual(['2030-01-07 10:00', '2030-01-14 10:00', '2030-01-14 11:00', '2030-01-21 10:00'])
    for (const wrong of [
      { ...other, date: '2030-01-15T10:00' },
      { ...other, from: '2030-01-18T10:00' },
    ])
      expectRefusal(await change(3, [], [wrong]), 400, 'invalid-field', 'instead')
    expect(await liveHolds()).toEqual(left)
  })

  async function liveHolds() {
    const rows = await holdfast.query(
      `select to_char(start_at at time zone 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') as at
       from participation join appointment on appointment.id = appointment_id join resource on resource.id = resource_id
       where participation.state = 'RESERVED' and resource.uuid = $1 order by at`,
      [practice.resourceUuid],
    )
    return rows.map(row => row.at)
  }

  it('is refused beyond the limit of the channel, and where the channel takes none', async () => {
    expectRefusal((await reserve({ count: 4 })).answer, 400, 'invalid-field', 'rule.count')
    expectRefusal((await reserve({ count: null })).answer, 400, 'invalid-field', 'rule.count')
    await setChannel(holdfast, practice.resourceUuid, { seriesMax: 0 })
    expectRefusal((await reserve()).answer, 400, 'invalid-field', 'rule')
  })

  it('is booked by one of two clients, all of it or nothing', async () => {
    const { slot, answer } = await reserve()
    const answers = await Promise.all(
      [complete(slot, idsOf(answer)), complete(slot, idsOf(answer))].map(one => one.send()),
    )
    expect(answers.map(one => one.status).toSorted()).toEqual([201, 412])
    const gone = complete(slot, [...idsOf(answer), crypto.randomUUID()])
    expectRefusal(await gone.send(), 412, '201')
    expectRefusal(await complete(slot, ['none']).send(), 400, 'invalid-field', 'placeholder_ids')
  })

  it('is booked on the page without JavaScript', async () => {
    const path = `/book/${practice.resourceUuid}/series`
    const page = await consumer.send('GET', `${path}?lang=en&date=2030-01-07`)
    const slot = /name="slot" value="([^"]*)"/.exec(page.text)![1]!
    const start = new URLSearchParams({ slot, rhythm: '1 week', count: '3' }).toString()
    const dates = await consumer.send('POST', `${path}?lang=en`, start, { headers: form })
    expect([dates.status, dates.text.match(/name="held"/g)?.length]).toEqual([200, 3])
    const plan = /name="plan" value="([^"]*)"/.exec(dates.text)![1]!.replaceAll('&quot;', '"')
    const ticked = [...dates.text.matchAll(/name="held" value="([^"]*)"/g)].map(found => found[1]!)
    const body = (fields: Record<string, string>) => {
      const sent = new URLSearchParams({ plan, ...fields })
      for (const one of ticked.slice(0, 2)) sent.append('held', one)
      return sent.toString()
    }
    const to = `${path}/complete?lang=en`
    const wrong = await consumer.send('POST', to, body({ email: 'none' }), { headers: form })
    expect(wrong.status).toBe(400)
    const person = { firstname: 'Ann', lastname: 'Winter', email: 'page-series@example.org' }
    const done = await consumer.send('POST', to, body(person), { headers: form })
    expect([done.status, done.text.match(/href="\/booked\//g)?.length]).toEqual([200, 2])
    expect(done.text).toContain('class="badge confirmed"')
    expect(done.text).toContain('>Book another appointment</a>')
    expect((await mailsTo(holdfast, person.email)).map(mail => mail.kind)).toEqual(['booked'])
    const odd = await consumer.send('POST', to, 'plan={"dates":1}', { headers: form })
    expect(odd.status).toBe(400)
  })

  it('takes another time on the page, and books nothing that was not shown', async () => {
    await reserve({ count: 1 }, '09:00')
    const path = `/book/${practice.resourceUuid}/series`
    // The second Monday is taken at eight.
    const slots = slotsOf(await consumer.list(practice.resourceUuid))
    const eight = slots.find(one => one.start.startsWith('2030-01-14T08:00'))!
    await consumer.reserve(practice.resourceUuid, {
      timeslot_uuid: eight.timeslot_uuid,
      product_uuid: practice.productUuid,
      from: eight.start,
      to: eight.end,
    })
    const page = await consumer.send('GET', `${path}?lang=en&date=2030-01-07`)
    const slot = /name="slot" value="([^"]*)"/.exec(page.text)![1]!
    const start = new URLSearchParams({ slot, rhythm: '1 week', count: '2' }).toString()
    const dates = await consumer.send('POST', `${path}?lang=en`, start, { headers: form })
    expect(dates.text.match(/name="(held|instead1)"/g)).toEqual(['name="held"', 'name="instead1"'])
    const plan = /name="plan" value="([^"]*)"/.exec(dates.text)![1]!.replaceAll('&quot;', '"')
    const held = /name="held" value="([^"]*)"/.exec(dates.text)![1]!
    const person = { firstname: 'Ann', lastname: 'Winter', email: 'instead@example.org' }
    const send = (chosen: object) =>
      consumer.send(
        'POST',
        `${path}/complete?lang=en`,
        new URLSearchParams({ plan, held, ...person, ...chosen }).toString(),
        { headers: form },
      )
    const nearest = JSON.parse(plan).dates[1].nearest
    await consumer.reserve(practice.resourceUuid, {
      timeslot_uuid: nearest[0].timeslot_uuid,
      product_uuid: practice.productUuid,
      from: nearest[0].start,
      to: nearest[0].end,
    })
    const gone = await send({ instead1: '0' })
    expect([gone.status, gone.text.includes('A date is no longer reserved')]).toEqual([409, true])
    expect(await mailsTo(holdfast, person.email)).toEqual([])
    const again = /name="plan" value="([^"]*)"/.exec(gone.text)![1]!.replaceAll('&quot;', '"')
    const ticked = /name="held" value="([^"]*)"/.exec(gone.text)![1]!
    const done = await send({ plan: again, held: ticked, instead1: '1' })
    expect([done.status, done.text.match(/href="\/booked\//g)?.length]).toEqual([200, 2])
  })
})
