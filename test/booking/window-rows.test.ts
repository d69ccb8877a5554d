// What the database sends for a list: as little as decides what is on it.

import { expect, it } from 'vitest'
import type { Queryable } from '../../src/db/base/pool.ts'
import { fromNow, loadWindows, type WindowRow } from '../../src/db/booking/windows.ts'
import { makeAppointment, makeParticipation, makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const { db } = holdfast.service
const consumer = asConsumer(overApp(holdfast.app))

/** The window of the only Resource with this uuid, and the text that its Appointments came as. */
async function windowOf(uuid: string) {
  let sent: WindowRow[] = []
  const watched = {
    async query(statement: Parameters<Queryable['query']>[0]) {
      sent = await db.query<WindowRow>(statement)
      return sent
    },
  } as Queryable
  const { rows } = await db.pool.query('select id::int from resource where uuid = $1', [uuid])
  const wanted = [{ resourceId: rows[0].id as number, channelKey: 'RESOURCE_PUBLIC' as const }]
  const [loaded] = await loadWindows(watched, wanted, fromNow())
  return { appointments: loaded!.window.appointments, text: JSON.parse(sent[0]!.appointments) }
}

it('sends participants where an Appointment can be joined, or ends with them', async () => {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T20:00' })
  const make = async (hour: string, acceptBookings: boolean) => {
    const times = { start: `2030-01-07T${hour}:00`, end: `2030-01-07T${hour}:30` }
    const { reference } = await makeAppointment(holdfast.crm, practice, {
      ...times,
      acceptBookings,
      capacity: 3,
    })
    await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
  }
  await make('08', false)
  await make('09', true)
  await make('10', false)
  const free = slotsOf(await consumer.list(practice.resource)).find(slot => slot.start.includes('T11:00'))
  await consumer.reserve(practice.resource, holdOf(free!))
  const { appointments, text } = await windowOf(practice.resourceUuid)
  expect(appointments.map(one => [new Date(one.start).getUTCHours(), one.taken, one.open])).toEqual([
    [7, 0, false],
    [8, 1, true],
    [9, 0, false],
    [10, 1, false],
  ])
  const [_first, places] = text
  expect(places).toHaveLength(2)
  expect(places.filter(Array.isArray)).toHaveLength(1)
})

it('sends an Appointment that cannot be joined as four values', async () => {
  const practice = await makePractice(holdfast.crm)
  const at = (hour: string) => ({ start: `2030-01-07T${hour}:00`, end: `2030-01-07T${hour}:30` })
  for (const [hour, acceptBookings] of [
    ['08', false],
    ['09', true],
    ['10', true],
    ['11', false],
  ] as const)
    await makeAppointment(holdfast.crm, practice, { ...at(hour), acceptBookings })
  const { appointments, text } = await windowOf(practice.resourceUuid)
  expect(text[0].map((one: unknown) => (Array.isArray(one) ? 'whole' : typeof one)).sort()).toEqual([
    ...['boolean', 'boolean'],
    ...['number', 'number', 'number', 'number', 'number', 'number'],
    ...['whole', 'whole'],
  ])
  expect(appointments.map(one => [one.open, one.end - one.start, one.blockedTo - one.blockedFrom])).toEqual(
    [false, true, true, false].map(open => [open, 1_800_000, 1_800_000]),
  )
})
