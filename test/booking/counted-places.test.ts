import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { makeAppointment, makePractice, unique } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

// A group so large that its people are counted in advance. Whatever happens to them, the places left are right.

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
const { pool } = holdfast.service.db
const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows

const people = 250
const guest = (number: number) => ({
  reference: unique('guest'),
  name: `Guest ${number}`,
  email: `guest${number}@example.org`,
  state: 'BOOKED',
})
const group = await makeAppointment(holdfast.crm, practice, {
  capacity: people + 10,
  acceptBookings: true,
  participations: Array.from({ length: people }, (_, number) => guest(number)),
})
const other = await makeAppointment(holdfast.crm, practice, {
  start: '2030-01-08T10:00',
  end: '2030-01-08T10:30',
})

const slot = async () =>
  slotsOf(await consumer.list(practice.resource)).find(one => one.appointment_uuid === group.uuid)!
const left = async () => (await slot())?.capacity_left ?? 0

async function book(email = newPerson().email) {
  const free = await slot()
  const held = await consumer.reserve(practice.resource, holdOf(free))
  const placeholder_id = held.body?.participation?.customer_uuid
  return consumer.complete(practice.resource, bookingOf(free, { placeholder_id, email }))
}

const counts = async () =>
  (
    await query('select counted_to, counted_places, counted_people from appointment where uuid = $1', [
      group.uuid,
    ])
  )[0]
const wrong = async () => (await checkInvariants(pool)).filter(one => one.violations > 0)
const id = `(select participation.id from participation join appointment on appointment.id = appointment_id
  where appointment.uuid = '${group.uuid}' and participation.state = 'BOOKED' order by participation.id limit 1)`
const groupId = `(select id from appointment where uuid = '${group.uuid}')`
const otherId = `(select id from appointment where uuid = '${other.uuid}')`

describe('a large group', () => {
  it('counts its people once with the first booking', async () => {
    expect(await left()).toBe(10)
    expect((await book()).status).toBe(201)
    expect(await counts()).toMatchObject({ counted_places: people + 1, counted_people: people + 1 })
    expect(await left()).toBe(9)
  })

  it('refuses an address that already has a place, among those counted', async () => {
    expectRefusal(await book('Guest7@example.org'), 412, '202')
  })

  it.each([
    ['is cancelled', `update participation set state = 'CANCELED' where id = ${id}`, 1],
    ['is deleted', `delete from participation where id = ${id}`, 1],
    ['takes a second place', `update participation set places = 2 where id = ${id}`, -1],
    ['becomes a request', `update participation set state = 'REQUESTED' where id = ${id}`, 0],
    ['moves away', `update participation set appointment_id = ${otherId} where id = ${id}`, 1],
    [
      'moves in',
      `update participation set appointment_id = ${groupId} where appointment_id = ${otherId} and state = 'BOOKED'`,
      -1,
    ],
  ])('keeps its count when one of its people %s, also by an earlier version', async (_, change, freed) => {
    const before = await left()
    await query(change)
    // Earlier versions change the revision, too; lists are cached by it.
    await query(`update resource set revision = revision + 1, touched = ''`)
    expect(await left()).toBe(before + freed)
    expect((await counts())?.counted_to).not.toBeNull()
    expect(await wrong()).toEqual([])
  })

  it('sells each of the last places once', async () => {
    const free = await left()
    const answers = await Promise.all(Array.from({ length: free + 6 }, () => book()))
    expect(answers.filter(one => one.status === 201)).toHaveLength(free)
    expect(await left()).toBe(0)
    expect(await wrong()).toEqual([])
  })

  it('is checked: a wrong count is found', async () => {
    await query(`update appointment set counted_places = counted_places + 1 where id = ${groupId}`)
    expect(await wrong()).toEqual([{ name: 'every count of people is right', violations: 1 }])
    await query(`update appointment set counted_places = counted_places - 1 where id = ${groupId}`)
  })

  it('counts people one by one again after one becomes a hold', async () => {
    await query(
      `update participation set state = 'RESERVED', expires_at = app_clock() + interval '1 hour' where id = ${id}`,
    )
    expect(await counts()).toMatchObject({ counted_to: null, counted_places: null })
    expect(await left()).toBe(0)
    expect(await wrong()).toEqual([])
  })
})
