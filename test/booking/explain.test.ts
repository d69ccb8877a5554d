import { beforeEach, expect, it } from 'vitest'
import {
  appointmentBody,
  makeAppointment,
  makePractice,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
  setProduct,
} from '../support/build.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { call, consoleCall, useService } from '../support/service.ts'

let practice: Practice
const holdfast = await useService()

beforeEach(async () => {
  setClock(holdfast, '2030-01-01T08:00:00Z')
  practice = await makePractice(holdfast.crm)
})

async function explain(query = '', date = '2030-01-07') {
  const path = `/resources/${practice.resourceUuid}/explain?date=${date}${query}`
  const { status, body } = await consoleCall(holdfast.app, 'GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.lines as {
    start: string
    offered: boolean
    reason: string
    text: string
    appointment: string | null
  }[]
}

const reasonAt = async (time: string, query?: string) =>
  (await explain(query)).find(line => line.start === `2030-01-07T${time}:00Z`)?.reason

const consumer = () => asConsumer(overApp(holdfast.app))

it('offers exactly the lines that the list offers', async () => {
  await makeTimeslot(holdfast.crm, practice)
  await makeAppointment(holdfast.crm, practice)
  await setProduct(holdfast, practice.productUuid, { leadTimeMinutes: 15, followUpTimeMinutes: 40 })
  const offered = (await explain()).filter(line => line.offered).map(line => Date.parse(line.start))
  const list = await consumer().list(practice.resource)
  const listed = list.body['2030-01-07'].map((slot: { start: string }) => Date.parse(slot.start))
  expect(offered).toEqual(listed)
  expect(offered.length).toBeGreaterThan(5)
})

it('names the conflict: an Appointment, its buffer, or a hold and its expiry', async () => {
  await makeTimeslot(holdfast.crm, practice)
  await setProduct(holdfast, practice.productUuid, { followUpTimeMinutes: 30 })
  const { reference } = await makeAppointment(holdfast.crm, practice)
  const lines = await explain()
  expect(lines.find(line => line.start === '2030-01-07T09:00:00Z')).toMatchObject({
    reason: 'taken',
    appointment: reference,
  })
  expect(lines.find(line => line.start === '2030-01-07T09:30:00Z')).toMatchObject({
    reason: 'buffer',
    appointment: reference,
  })
  expect(lines.find(line => line.start === '2030-01-07T11:00:00Z')).toMatchObject({
    reason: 'free',
    offered: true,
  })

  const { body } = await consumer().list(practice.resource)
  const slot = body['2030-01-07'].at(-1)
  const hold = {
    timeslot_uuid: slot.timeslot_uuid,
    product_uuid: practice.productUuid,
    from: slot.start,
    to: slot.end,
  }
  const held = await consumer().reserve(practice.resource, hold)
  const line = (await explain()).find(one => Date.parse(one.start) === Date.parse(slot.start))!
  expect(line.reason).toBe('held')
  expect(line.text).toContain(held.body.participation.expiresAt)
})

it('reports notice, horizon, channel, product, archive, Timeslot state and remaining time', async () => {
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T09:15' })
  expect(await reasonAt('08:00')).toBe('rest')
  expect(await reasonAt('07:00')).toBe('free')
  await setChannel(holdfast, practice.resourceUuid, { minimumNoticeMinutes: 7 * 24 * 60 })
  expect(await reasonAt('07:00')).toBe('notice')
  await setChannel(holdfast, practice.resourceUuid, { minimumNoticeMinutes: 0, horizonDays: 2 })
  expect(await reasonAt('07:00')).toBe('horizon')
  await setChannel(holdfast, practice.resourceUuid, { horizonDays: null, visible: false })
  expect(await reasonAt('07:00')).toBe('channel')
  expect(await reasonAt('07:00', '&channelKey=CALENDAR_PUBLIC')).toBe('free')
  await setChannel(holdfast, practice.resourceUuid, { visible: true, products: [] })
  expect(await reasonAt('07:00')).toBe('product')
  await setChannel(holdfast, practice.resourceUuid, { products: null })
  const path = `${practice.path}/resources/${encodeURIComponent(practice.resource)}`
  await holdfast.crm.post(path, { archived: true })
  expect(await reasonAt('07:00')).toBe('archived')
  await holdfast.crm.post(path, { archived: false })
  await makeTimeslot(holdfast.crm, practice, {
    start: '2030-01-07T12:00',
    end: '2030-01-07T13:00',
    state: 'CREATED',
  })
  expect(await reasonAt('11:00')).toBe('not-bookable')
})

it('shows the places left of an Appointment that can be joined', async () => {
  await makeTimeslot(holdfast.crm, practice)
  await holdfast.crm.post(
    `${practice.path}/appointments`,
    appointmentBody(practice, { capacity: 3, acceptBookings: true }),
  )
  const line = (await explain()).find(one => one.start === '2030-01-07T09:00:00Z')
  expect(line).toMatchObject({
    offered: true,
    reason: 'joinable',
    text: 'Can be joined: 3 of 3 places left.',
  })
})

it('refuses an invalid day, an unknown Resource and anonymous requests', async () => {
  const at = `/resources/${practice.resourceUuid}/explain`
  expect((await consoleCall(holdfast.app, 'GET', `${at}?date=2030-02-30`)).body.errors[0].field).toBe('date')
  expect((await consoleCall(holdfast.app, 'GET', at)).body.errors[0].field).toBe('date')
  expect((await consoleCall(holdfast.app, 'GET', '/resources/nope/explain?date=2030-01-07')).status).toBe(404)
  expect((await call(holdfast.app, 'GET', `/console/api${at}?date=2030-01-07`)).status).toBe(401)
})
