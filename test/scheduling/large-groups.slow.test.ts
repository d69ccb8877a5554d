import { describe, expect, it, vi } from 'vitest'
import { finishCancellation } from '../../src/actions/scheduling/appointments/cancel-appointments.ts'
import { makeAppointment, makeParticipation, makePractice } from '../support/build.ts'
import { jobsQueued, useService } from '../support/service.ts'

const holdfast = await useService()

/** A group with one booking through the API and 299 copies of it. */
async function makeGroup() {
  const practice = await makePractice(holdfast.crm)
  const group = await makeAppointment(holdfast.crm, practice, { capacity: 500 })
  const first = await makeParticipation(holdfast.crm, practice, group.reference, 'BOOKED')
  await holdfast.service.db.pool.query(
    `insert into participation (provider_id, appointment_id, reference, name, email, state)
    select provider_id, appointment_id, reference || n, name, 'p' || n || '@example.org', state
    from participation, generate_series(1, 299) as n where reference = $1`,
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
  expect(data.participationsTotal).toBe(301)
  const path = `${practice.path}/appointments/${encodeURIComponent(group.reference)}`
  expect((await holdfast.crm.get(path)).body.appointment.participations).toHaveLength(301)
})

describe('a cancelled group', () => {
  it('informs each person once', async () => {
    const { practice, group } = await makeGroup()
    const start = (await holdfast.crm.get('/events?after=now')).body.next
    const cancelled = await cancel(practice, group)
    expect(cancelled.body.appointment.participations).toHaveLength(300)
    const { events } = (
      await holdfast.crm.get(`/events?after=${start}&limit=500&kinds=participation.cancelled`)
    ).body
    expect(new Set(events.map((one: { data: { reference: string } }) => one.data.reference)).size).toBe(300)
    expect(await informedOf(practice)).toEqual({ count: 300, people: 300 })
  })

  it('lets others book between its batches, and a job informs the rest if the process ends', async () => {
    const { practice, group } = await makeGroup()
    const { db } = holdfast.service
    const transaction = vi.spyOn(db, 'transaction')
    const inTransaction = transaction.getMockImplementation()!
    transaction.mockImplementationOnce(inTransaction).mockRejectedValueOnce(new Error('The process ends.'))
    const died = await cancel(practice, group)
    vi.restoreAllMocks()
    expect([died.status, await informedOf(practice)]).toEqual([500, { count: 250, people: 250 }])
    await jobsQueued(holdfast)
    const { rows } = await db.pool.query(
      `select payload from graphile_worker._private_jobs where key like 'cancel:%' order by id desc limit 1`,
    )
    await finishCancellation(holdfast.service, rows[0].payload)
    expect(await informedOf(practice)).toEqual({ count: 300, people: 300 })
    await finishCancellation(holdfast.service, rows[0].payload)
    await cancel(practice, group)
    expect(await informedOf(practice)).toEqual({ count: 300, people: 300 })
  })
})

type Made = Awaited<ReturnType<typeof makeGroup>>

const cancel = (practice: Made['practice'], group: Made['group']) =>
  holdfast.crm.delete(`${practice.path}/appointments`, {
    appointmentReference: group.reference,
    message: 'The hall is closed.',
  })

async function informedOf(practice: Made['practice']) {
  const { rows } = await holdfast.service.db.pool.query(
    `select count(*)::int, count(distinct recipient)::int as people from mail
    where kind = 'cancelled' and provider_id = (select id from provider where reference = $1)`,
    [practice.reference],
  )
  return rows[0]
}
