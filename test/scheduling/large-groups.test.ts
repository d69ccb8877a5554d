import { expect, it } from 'vitest'
import { makeAppointment, makeParticipation, makePractice } from '../support/build.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

/** A group with one booking through the API and 149 copies of it. */
async function makeGroup() {
  const practice = await makePractice(holdfast.crm)
  const group = await makeAppointment(holdfast.crm, practice, { capacity: 500 })
  const first = await makeParticipation(holdfast.crm, practice, group.reference, 'BOOKED')
  await holdfast.service.db.pool.query(
    `insert into participation (provider_id, appointment_id, reference, name, email, state)
    select provider_id, appointment_id, reference || n, name, 'p' || n || '@example.org', state
    from participation, generate_series(1, 149) as n where reference = $1`,
    [first.reference],
  )
  return { practice, group }
}

it('events list at most 100 people of a group and say that there are more', async () => {
  const { practice, group } = await makeGroup()
  const start = (await holdfast.crm.get('/events?after=now')).body.next
  const last = await makeParticipation(holdfast.crm, practice, group.reference, 'BOOKED')
  const { events } = (await holdfast.crm.get(`/events?after=${start}&kinds=participation.booked`)).body
  const { data } = events[0]
  expect(data.participation.reference).toBe(last.reference)
  expect(data.appointment.participations).toHaveLength(100)
  expect(data.participationsTotal).toBe(151)
  const path = `${practice.path}/appointments/${encodeURIComponent(group.reference)}`
  expect((await holdfast.crm.get(path)).body.appointment.participations).toHaveLength(151)
})

it('cancelling a group informs each person once', async () => {
  const { practice, group } = await makeGroup()
  const start = (await holdfast.crm.get('/events?after=now')).body.next
  const cancelled = await holdfast.crm.delete(`${practice.path}/appointments`, {
    appointmentReference: group.reference,
    message: 'The hall is closed.',
  })
  expect(cancelled.body.appointment.participations).toHaveLength(150)
  const { events } = (
    await holdfast.crm.get(`/events?after=${start}&limit=500&kinds=participation.cancelled`)
  ).body
  expect(new Set(events.map((one: { data: { reference: string } }) => one.data.reference)).size).toBe(150)
  const { rows } = await holdfast.service.db.pool.query(
    `select count(*)::int, count(distinct recipient)::int as people from mail where kind = 'cancelled' and provider_id = (select id from provider where reference = $1)`,
    [practice.reference],
  )
  expect(rows[0]).toEqual({ count: 150, people: 150 })
})
