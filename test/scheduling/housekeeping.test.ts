import { beforeEach, describe, expect, it } from 'vitest'
import { remind, tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { makePractice, makeTimeslot, type Practice, setChannel, setClock } from '../support/build.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { useService } from '../support/service.ts'
import { whileReading } from '../support/transactions.ts'

let practice: Practice
let counter = 0
const holdfast = await useService()

beforeEach(async () => {
  setClock(holdfast, '2030-01-01T08:00:00Z')
  practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
})

async function book() {
  const email = `guest-${++counter}@example.org`
  const consumer = asConsumer(overApp(holdfast.app))
  const list = await consumer.list(practice.resource, { prdRef: practice.productUuid })
  const { start, end, timeslot_uuid } = list.body['2030-01-07'][0]
  const person = { email, firstname: 'Ann', lastname: 'Berg', locale: 'en' }
  const body = { start, end, timeslot_uuid, product_uuid: practice.productUuid, ...person }
  const { status } = await consumer.complete(practice.resource, body)
  if (status !== 201) throw new Error(`book: ${status}`)
  return { email, consumer, start, end, timeslot_uuid }
}

async function moveToJune() {
  const list = `${practice.path}/appointments?from=2030-01-01T00:00&to=2030-02-01T00:00`
  const [appointment] = (await holdfast.crm.get(list)).body
  const path = `${practice.path}/appointments/${encodeURIComponent(appointment.reference)}/move`
  const { status } = await holdfast.crm.post(path, { start: '2030-06-07T10:00', end: '2030-06-07T10:30' })
  expect(status).toBe(200)
}

describe('reminders', () => {
  it("are sent once, at the channel's time, however many instances ask", async () => {
    const { email } = await book()
    setClock(holdfast, '2030-01-06T06:59:00Z')
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    setClock(holdfast, '2030-01-06T07:01:00Z')
    await Promise.all([remind(holdfast.service), remind(holdfast.service), remind(holdfast.service)])
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'reminder'])
  })

  it("follow the channel's setting; 0 disables them", async () => {
    await setChannel(holdfast, practice.resourceUuid, { reminderHours: 2 })
    const { email } = await book()
    setClock(holdfast, '2030-01-07T04:59:00Z')
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    await setChannel(holdfast, practice.resourceUuid, { reminderHours: 0 })
    setClock(holdfast, '2030-01-07T06:00:00Z')
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    await setChannel(holdfast, practice.resourceUuid, { reminderHours: 2 })
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'reminder'])
  })

  it('are not sent if no longer due under the lock', async () => {
    const { email } = await book()
    setClock(holdfast, '2030-01-06T08:00:00Z')
    const switchOff = () => setChannel(holdfast, practice.resourceUuid, { reminderHours: 0 })
    await whileReading(holdfast, switchOff, () => remind(holdfast.service))
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
  })

  it('are sent before the new time if the booking moved meanwhile', async () => {
    const { email } = await book()
    setClock(holdfast, '2030-01-06T08:00:00Z')
    await whileReading(holdfast, moveToJune, () => remind(holdfast.service))
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'moved'])
    setClock(holdfast, '2030-06-07T06:00:00Z')
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'moved', 'reminder'])
  })

  it('are not sent for bookings inside the window or for cancelled ones', async () => {
    const cancelled = await book()
    setClock(holdfast, '2030-01-06T12:00:00Z')
    const late = await book()
    await holdfast.query(`update participation set state = 'CANCELED' where email = $1`, [cancelled.email])
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, late.email)).toEqual(['booked'])
    expect(await mailKindsTo(holdfast, cancelled.email)).toEqual(['booked'])
  })
})

describe('the cleanup job', () => {
  it('removes expired holds, and their leftovers a day later', async () => {
    const { consumer, start, end, timeslot_uuid } = await book()
    const next = {
      from: end,
      to: new Date(Date.parse(end) + Date.parse(end) - Date.parse(start)).toISOString(),
    }
    const body = { timeslot_uuid, product_uuid: practice.productUuid, ...next }
    expect((await consumer.reserve(practice.resource, body)).status).toBe(200)
    const count = async (where: string) => {
      const rows = await holdfast.service.db.pool.query(`select count(*)::int as count from ${where}`)
      return rows.rows[0].count as number
    }
    await tidy(holdfast.service)
    expect(await count(`participation where state = 'RESERVED'`)).toBe(1)
    setClock(holdfast, '2030-01-01T08:03:01Z')
    await tidy(holdfast.service)
    expect(await count(`participation where state = 'RESERVED'`)).toBe(0)
    expect(await count(`appointment where deleted_at is not null`)).toBe(1)
    setClock(holdfast, '2030-01-02T09:00:00Z')
    await tidy(holdfast.service)
    expect(await count(`appointment where deleted_at is not null`)).toBe(0)
    expect(await count(`participation where state = 'BOOKED' and email like 'guest-%'`)).toBeGreaterThan(0)
  })
})
