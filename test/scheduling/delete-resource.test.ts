import { beforeEach, describe, expect, it } from 'vitest'
import {
  appointmentBody,
  asConsumerMade,
  makeAppointment,
  makeParticipation,
  makePractice,
  makeResource,
  makeTimeslot,
  unique,
} from '../support/build.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

let resource: string
const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
beforeEach(async () => {
  holdfast.clock.shiftMs = 0
  resource = (await makeResource(holdfast.crm, practice)).reference
})

type Body = Record<string, Answer['body']>
type When = { start: string; end: string }

const past = { start: '2020-01-06T10:00', end: '2020-01-06T11:00' }
const future = { start: '2090-01-06T10:00', end: '2090-01-06T11:00' }

const pathOf = (reference: string) => `${practice.path}/resources/${encodeURIComponent(reference)}`
const remove = (query = '') => holdfast.crm.delete(`${pathOf(resource)}${query}`)
const appointments = async (query = '?includeArchived'): Promise<Body[]> => {
  const { body } = await holdfast.crm.get(`${practice.path}/appointments${query}`)
  return body.filter((one: Body) => one.resourceReference === resource)
}
const isListed = async () => {
  const { body } = await holdfast.crm.get(`${practice.path}/resources`)
  return body.some((one: Body) => one.reference === resource)
}

/** An Appointment of the Resource with one Participation in each of the states. */
async function appointmentWith(when: When, by: 'provider' | 'consumer', ...states: string[]) {
  const { reference, uuid } = await makeAppointment(holdfast.crm, practice, {
    ...when,
    resourceReference: resource,
  })
  const emails: string[] = []
  for (const state of states) {
    const query = '?sendMails=false'
    emails.push((await makeParticipation(holdfast.crm, practice, reference, state, { query })).email)
  }
  if (by === 'consumer') await asConsumerMade(holdfast, uuid)
  return { reference, emails }
}

describe('a Resource without upcoming Appointments', () => {
  it('is deleted with 204, disappears from the list, and is then unknown', async () => {
    expect(await remove()).toMatchObject({ status: 204, text: '' })
    expect(await isListed()).toBe(false)
    expectRefusal(await remove(), 404, 'not-found')
    expectRefusal(await holdfast.crm.post(pathOf(resource), { archived: true }), 404, 'not-found')
  })

  it.each([
    ['past Appointments of the provider', past, 'provider', []],
    ['past Appointments with people in them', past, 'consumer', ['BOOKED']],
    ['an Appointment that consumers only hold', future, 'consumer', ['RESERVED']],
    ['an Appointment that its consumer has left', future, 'consumer', ['CANCELED']],
  ] as [string, When, 'provider' | 'consumer', string[]][])(
    'needs no flag: %s',
    async (_, when, by, states) => {
      const { emails } = await appointmentWith(when, by, ...states)
      expect((await remove()).status).toBe(204)
      for (const email of emails) expect(await mailKindsTo(holdfast, email)).toEqual([])
    },
  )

  it('requires no flag for cancelled or deleted Appointments', async () => {
    for (const path of ['appointments', 'appointments/withoutNotification']) {
      const { reference } = await appointmentWith(future, 'provider', 'BOOKED')
      await holdfast.crm.delete(`${practice.path}/${path}`, { appointmentReference: reference })
    }
    expect((await remove()).status).toBe(204)
  })

  it('keeps past Appointments, but archived', async () => {
    const { reference } = await appointmentWith(past, 'provider', 'BOOKED', 'REQUESTED')
    await remove()
    expect(await appointments('')).toEqual([])
    expect(await appointments()).toMatchObject([
      {
        reference,
        archived: true,
        state: 'ACTIVE',
        participations: [{ state: 'BOOKED' }, { state: 'REQUESTED' }],
      },
    ])
  })
})

describe('a Resource with upcoming Appointments', () => {
  const cases: [string, When, 'provider' | 'consumer', string[]][] = [
    ['an Appointment that the provider made', future, 'provider', []],
    ['one of the provider in which all have cancelled', future, 'provider', ['CANCELED']],
    ['a consumer who is BOOKED', future, 'consumer', ['BOOKED']],
    ['a consumer who has REQUESTED', future, 'consumer', ['REQUESTED']],
  ]

  it.each(cases)('is not deleted without the flag: %s', async (_, when, by, states) => {
    const { reference, emails } = await appointmentWith(when, by, ...states)
    for (const query of ['', '?ignoreFutureAppointments=false', '?ignoreFutureAppointments=undefined'])
      expectRefusal(await remove(query), 409, 'future-appointments')
    expect(await isListed()).toBe(true)
    expect(await appointments()).toMatchObject([{ reference, state: 'ACTIVE', archived: false }])
    for (const email of emails) expect(await mailKindsTo(holdfast, email)).toEqual([])
  })

  it.each(cases)('is deleted with the flag: %s', async (_, when, by, states) => {
    const { reference } = await appointmentWith(when, by, ...states)
    expect((await remove('?ignoreFutureAppointments=true')).status).toBe(204)
    expect(await isListed()).toBe(false)
    expect(await appointments()).toMatchObject([
      {
        reference,
        state: 'CANCELLED',
        archived: true,
        participations: states.map(() => ({ state: 'CANCELED' })),
      },
    ])
  })

  it('counts an Appointment as future until it ends', async () => {
    const running = {
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date(Date.now() + 3_600_000).toISOString(),
    }
    await appointmentWith(running, 'provider')
    expectRefusal(await remove(), 409, 'future-appointments')
    holdfast.clock.shiftMs = 3_600_000
    expect((await remove()).status).toBe(204)
  })

  it('notifies everyone with a promised place once, and no one else', async () => {
    const { emails } = await appointmentWith(
      future,
      'provider',
      'BOOKED',
      'REQUESTED',
      'RESERVED',
      'CANCELED',
      'DELETED',
    )
    const before = await appointmentWith(past, 'provider', 'BOOKED')
    await remove('?ignoreFutureAppointments')
    const kinds = []
    for (const email of [...emails, ...before.emails]) kinds.push(await mailKindsTo(holdfast, email))
    expect(kinds).toEqual([['cancelled'], ['cancelled'], [], [], [], []])
    const [mail] = await mailsTo(holdfast, emails[0]!)
    expect(mail!.ics).toMatchObject({ method: 'CANCEL' })
    expect(mail!.text).toContain('Room')
  })

  it('deletes its Timeslots and nothing of another Resource', async () => {
    const other = (await makeResource(holdfast.crm, practice)).reference
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference: resource })
    const kept = await makeTimeslot(holdfast.crm, practice, { resourceReference: other })
    const elsewhere = await makeAppointment(holdfast.crm, practice, { ...future, resourceReference: other })
    await appointmentWith(future, 'provider', 'BOOKED')
    await remove('?ignoreFutureAppointments')
    const timeslot = (reference: string) =>
      holdfast.crm.put(`${practice.path}/timeslots/${encodeURIComponent(reference)}`, {})
    expectRefusal(await timeslot(slot.reference), 404, 'not-found')
    expect((await timeslot(kept.reference)).status).toBe(200)
    const { body } = await holdfast.crm.get(`${practice.path}/appointments`)
    expect(body.find((one: Body) => one.reference === elsewhere.reference)).toMatchObject({
      state: 'ACTIVE',
      archived: false,
    })
  })

  it('accepts no more people in its Appointments', async () => {
    const { reference } = await appointmentWith(future, 'provider', 'REQUESTED')
    const [participation] = (await appointments())[0]!.participations
    await remove('?ignoreFutureAppointments')
    const path = `${practice.path}/participations`
    expectRefusal(
      await holdfast.crm.post(`${path}/${encodeURIComponent(participation.reference)}`, { state: 'BOOKED' }),
      409,
      'transition-not-allowed',
      'state',
    )
    await expect(makeParticipation(holdfast.crm, practice, reference, 'BOOKED')).rejects.toThrow(
      'appointment-cancelled',
    )
  })

  it('releases its holds, which can no longer be completed', async () => {
    const { reference } = await appointmentWith(future, 'consumer', 'RESERVED')
    const [held] = (await appointments())[0]!.participations
    expect((await remove()).status).toBe(204)
    await expect(makeParticipation(holdfast.crm, practice, reference, 'BOOKED')).rejects.toThrow('not-found')
    const path = `${practice.path}/participations/${encodeURIComponent(held.reference)}`
    expectRefusal(await holdfast.crm.post(path, { state: 'BOOKED' }), 404, 'not-found')
    expect(await appointments()).toEqual([])
  })
})

it('deleting a Resource frees the references of its Appointments and Participations', async () => {
  const reference = unique('appointment')
  const body = {
    ...appointmentBody(practice, { ...future, reference }),
    participations: [{ reference: unique('p'), name: 'Ann', email: 'ann@example.org', state: 'BOOKED' }],
  }
  const create = () =>
    holdfast.crm.post(`${practice.path}/appointments`, { ...body, resourceReference: resource })
  const first = await create()
  expect((await remove('?ignoreFutureAppointments')).status).toBe(204)
  resource = (await makeResource(holdfast.crm, practice, { reference: resource })).reference
  const second = await create()
  expect(second.status).toBe(201)
  expect(second.body.appointment).toMatchObject({ reference, archived: false, state: 'ACTIVE' })
  const again = await create()
  expect([again.status, again.body]).toEqual([200, second.body])
  const cancelled = await holdfast.crm.delete(`${practice.path}/appointments`, {
    appointmentReference: reference,
  })
  expect(cancelled.body.appointment.uuid).toBe(second.body.appointment.uuid)
  const uuids = (await appointments()).map(one => one.uuid)
  expect(uuids.sort()).toEqual([first.body.appointment.uuid, second.body.appointment.uuid].sort())
})

describe('the reference of a deleted Resource', () => {
  it('can be used again; the new one inherits nothing', async () => {
    await makeTimeslot(holdfast.crm, practice, { resourceReference: resource })
    const { reference } = await appointmentWith(future, 'provider', 'BOOKED')
    await remove('?ignoreFutureAppointments')
    const { status } = await holdfast.crm.post(`${practice.path}/resources?onDuplicateRaise`, {
      reference: resource,
      publicName: 'New',
      internalName: 'N',
    })
    expect(status).toBe(201)
    const { body: slots } = await holdfast.crm.get(
      `${practice.path}/resource/${encodeURIComponent(resource)}/timeslots?from=2000-01-01T00:00&to=2100-01-01T00:00`,
    )
    expect(slots).toEqual([])
    const made = await makeAppointment(holdfast.crm, practice, { ...future, resourceReference: resource })
    expect((await appointments('')).map(one => one.reference)).toEqual([made.reference])
    expect((await appointments()).map(one => one.reference).toSorted()).toEqual(
      [made.reference, reference].toSorted(),
    )
  })
})

describe('settings of a Resource', () => {
  const everyDay = { weekdays: ['1', '2', '3', '4', '5', '6', '7'], from: '08:00', to: '12:00', raster: 60 }
  const timeslotsAt = async (uuid: string) => {
    const rows = await holdfast.query(
      'select timeslot.id from timeslot join resource on resource.id = resource_id where resource.uuid = $1',
      [uuid],
    )
    return rows
  }

  it.each([
    ['hours', 'PUT', { rules: [everyDay] }],
    ['channels', 'PATCH', { visible: false }],
    ['channels/RESOURCE_PUBLIC', 'PATCH', { visible: false }],
  ])('are refused while it is being deleted: %s', async (what, method, body) => {
    const { uuid } = await makeResource(holdfast.crm, practice)
    const answer = await whileWaiting(
      holdfast,
      { before: rival => rival.query('update resource set deleted_at = now() where uuid = $1', [uuid]) },
      () => consoleCall(holdfast.app, method, `/resources/${uuid}/${what}`, body),
    )
    expectRefusal(answer, 404, 'not-found')
    expect(await timeslotsAt(uuid)).toEqual([])
  })

  it('are not rebuilt in another zone once it is deleted', async () => {
    const { uuid, reference } = await makeResource(holdfast.crm, practice)
    await consoleCall(holdfast.app, 'PUT', `/resources/${uuid}/hours`, { rules: [everyDay] })
    expect(await timeslotsAt(uuid)).not.toEqual([])
    await holdfast.crm.delete(pathOf(reference))
    await consoleCall(holdfast.app, 'PATCH', `/providers/${practice.uuid}`, { timeZone: 'Asia/Tokyo' })
    expect(await timeslotsAt(uuid)).toEqual([])
  })
})
