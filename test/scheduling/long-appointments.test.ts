// Appointments may last as long as the calendar allows. Every query for a period finds them, and all others.

import { expect, it } from 'vitest'
import { appointmentBody, makePractice } from '../support/build.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const made = [
  appointmentBody(practice, { start: '1900-01-01T00:00Z', end: '9999-12-31T23:59:59Z' }),
  appointmentBody(practice, { start: '2030-01-07T10:00', end: '2030-01-07T10:30' }),
]
const uuids: string[] = []
for (const body of made)
  uuids.push((await holdfast.crm.post(`${practice.path}/appointments`, body)).body.appointment.uuid)

const period = 'from=2030-01-07T00:00&to=2030-01-08T00:00'
const days = 'from=2030-01-07&to=2030-01-08'
const uuidOf = ({ uuid }: { uuid: string }) => uuid
const onConsole = (method: string, path: string, body?: object) =>
  consoleCall(holdfast.app, method, `/providers/${practice.uuid}/${path}`, body)

it.each(['', `&resourceRef=${practice.resource}`])('the list of a period%s', async filter => {
  const { status, body } = await holdfast.crm.get(`${practice.path}/appointments?${period}${filter}`)
  expect([status, body.map(uuidOf)]).toEqual([200, uuids])
  const late = await holdfast.crm.get(`${practice.path}/appointments?from=9999-12-01T00:00Z${filter}`)
  expect(late.body.map(uuidOf)).toEqual(uuids.slice(0, 1))
  const early = await holdfast.crm.get(`${practice.path}/appointments?to=1900-01-02T00:00Z${filter}`)
  expect(early.body.map(uuidOf)).toEqual(uuids.slice(0, 1))
})

it('the diary and the calendar of the console', async () => {
  const diary = await onConsole('GET', `diary?${days}`)
  expect([diary.status, diary.body.entries.map(uuidOf)]).toEqual([200, uuids])
  const calendar = await onConsole('GET', `calendar?${days}`)
  expect([calendar.status, calendar.body.entries.map(uuidOf)]).toEqual([200, uuids])
})

it('closures name the Appointments in them', async () => {
  const closed = { from: '2030-01-07', to: '2030-01-08', reason: 'Closed' }
  const { status, body } = await onConsole('POST', 'closures', closed)
  expect([status, body.appointments.map(uuidOf)]).toEqual([201, uuids])
})

it('calendar feeds', async () => {
  const { body } = await holdfast.crm.post(`${practice.path}/calendars`, {})
  const feed = await call(holdfast.app, 'GET', new URL(body.url).pathname)
  expect([feed.status, feed.text.match(/BEGIN:VEVENT/g)?.length]).toEqual([200, 1])
})
