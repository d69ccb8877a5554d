// The connection breaks just before or after a commit during provider operations. A repeated request leads to
// the same state as an answered one, and no email is sent twice.

import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import {
  appointmentBody,
  makePractice,
  makeRoom,
  makeTimeslot,
  setChannel,
  timeslotBody,
  unique,
} from '../support/build.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { startCutProxy } from '../support/cut-proxy.ts'
import { startSecondInstance } from '../support/instances.ts'
import { bookAt, moveBooking } from '../support/moves.ts'
import { type Answer, call, consoleToken, eventually, useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0', RATE_LIMIT_MAIL: '0' })
const consumer = asConsumer(overApp(holdfast.app))
const rowsOf = (text: string, ...values: unknown[]) => holdfast.query(text, values)

/** Two people in one Appointment, one of whom asks to move, and a third who asks for a place. */
async function scene() {
  const practice = await makePractice(holdfast.crm)
  const room = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 2 })
  await makeTimeslot(holdfast.crm, room)
  const slots = slotsOf(await consumer.list(practice.resourceUuid))
  const [one, mover] = [await bookAt(consumer, slots[0]!), await bookAt(consumer, slots[0]!)]
  await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  const asking = await bookAt(consumer, slots[6]!)
  await moveBooking(consumer, mover, slots[8]!)
  const requestOf = async (email: string) =>
    (
      await rowsOf(
        `select uuid, reference from participation where email = $1 and state = 'REQUESTED'`,
        email,
      )
    )[0]
  const [customer] = (await holdfast.crm.get(`${practice.path}/customers?email=${mover.email}`)).body
  return {
    practice,
    room,
    appointment: `${one.appointment_uuid}@consumer`,
    asked: await requestOf(asking.email),
    move: await requestOf(mover.email),
    customer: encodeURIComponent(customer.customerReference),
  }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** Everything observable, except generated names. */
async function stateOf({ practice }: Scene) {
  const [{ id }] = await rowsOf('select id from provider where uuid = $1', practice.uuid)
  const appointments = `
    select appointment.state, start_at, appointment.deleted_at is null as there, resource.deleted_at is null as open, (
      select json_agg(json_build_array(state, name is null, ics_sequence, messages) order by id)
      from participation where appointment_id = appointment.id) as people
    from appointment join resource on resource.id = resource_id where appointment.provider_id = $1 order by start_at, appointment.id`
  return {
    appointments: await rowsOf(appointments, id),
    timeslots: await rowsOf(
      'select start_at, state from timeslot where provider_id = $1 order by start_at',
      id,
    ),
    customers: await rowsOf(
      'select erased_at is null as there from customer where provider_id = $1 order by id',
      id,
    ),
    mails: await rowsOf('select kind from mail where provider_id = $1 order by kind', id),
    events: await rowsOf('select kind from event where provider_id = $1 order by kind', id),
  }
}

type Ask = (method: string, path: string, body?: object) => Promise<Answer>
const overCrm = (app: typeof holdfast.app, key: object): Ask => {
  const headers = { 'x-service-client-id': holdfast.crm.key, ...key }
  return (method, path, body) => call(app, method, `/crms/crm${path}`, body, { headers })
}
const overConsole = (app: typeof holdfast.app, key: object): Ask => {
  const headers = { authorization: `Bearer ${consoleToken}`, ...key }
  return (method, path, body) => call(app, method, `/console/api${path}`, body, { headers })
}

const later = { start: '2030-01-07T15:00', end: '2030-01-07T15:30', message: 'Later' }
const days = [11, 12, 13].map(day => ({ start: `2030-01-${day}T08:00`, end: `2030-01-${day}T10:00` }))
const series = { from: '2030-02-04T08:00', to: '2030-02-08T10:00', weekdays: ['1', '3'], raster: 60 }

/** Prepares the request once, so that a repetition is identical. */
const verbs: Record<string, (at: Scene, crm: Ask, desk: Ask) => () => Promise<Answer>> = {
  'an Appointment is moved': (at, crm) => () =>
    crm('POST', `${at.practice.path}/appointments/${at.appointment}/move`, later),
  'an Appointment is moved to another Resource': (at, crm) => () =>
    crm('POST', `${at.practice.path}/appointments/${at.appointment}/move`, {
      ...later,
      resourceReference: at.room.resource,
    }),
  'an Appointment is cancelled': (at, crm) => () =>
    crm('DELETE', `${at.practice.path}/appointments?message=No`, { appointmentReference: at.appointment }),
  'a request is accepted': (at, crm) => () =>
    crm('POST', `${at.practice.path}/participations/${at.asked.reference}`, { state: 'BOOKED' }),
  'a request is declined': (at, crm) => () =>
    crm('POST', `${at.practice.path}/participations/${at.asked.reference}`, { state: 'CANCELED' }),
  'a request to move is accepted': (at, crm) => () =>
    crm('POST', `${at.practice.path}/participations/${at.move.reference}`, { state: 'BOOKED' }),
  'a request to move is declined at the desk': (at, _, desk) => () =>
    desk('POST', `/participations/${at.move.uuid}/decide`, { answer: 'decline' }),
  'a Customer is erased': (at, crm) => () =>
    crm('DELETE', `${at.practice.path}/customers/${at.customer}?ignoreFutureAppointments=true`),
  'a Resource is deleted': (at, crm) => () =>
    crm('DELETE', `${at.practice.path}/resources/${at.practice.resource}?ignoreFutureAppointments=true`),
  'a Resource is made': (at, crm) => {
    const fields = { reference: unique('again'), publicName: 'Again', internalName: 'A' }
    return () => crm('POST', `${at.practice.path}/resources`, fields)
  },
  'Timeslots are made': (at, crm) => {
    const timeslots = days.map(day => timeslotBody(at.room, { ...day, reference: unique('day') }))
    return () => crm('POST', `${at.practice.path}/timeslots`, { timeslots })
  },
}

/** Without an idempotency key, repeating these requests repeats their effect. */
const named: typeof verbs = {
  'a series is made': (at, crm) => () =>
    crm('POST', `${at.practice.path}/appointments`, { ...appointmentBody(at.practice), series_data: series }),
  'Timeslots without references are made': (at, crm) => () =>
    crm('POST', `${at.practice.path}/timeslots`, {
      timeslots: days.map(day => timeslotBody(at.room, { ...day, reference: undefined })),
    }),
  'two Appointments trade places': (at, _, desk) => async () => {
    const rows = await rowsOf(
      `select appointment.uuid from participation join appointment on appointment.id = appointment_id where participation.uuid = $1`,
      at.asked.uuid,
    )
    const [first] = at.appointment.split('@')
    return desk('POST', `/appointments/${first}/swap`, { withUuid: rows[0].uuid })
  },
}

describe.each(['after the commit', 'before the commit'] as const)('%s', when => {
  async function compare(verb: (typeof verbs)[string], key: () => object) {
    const { connection, cut, cuts } = await startCutProxy(holdfast.connection)
    const weak = await startSecondInstance(holdfast, { db: openDb(connection, holdfast.clock) })
    const [plain, torn] = [await scene(), await scene()]
    const name = key()
    expect(
      (await verb(plain, overCrm(holdfast.app, name), overConsole(holdfast.app, name))()).status,
    ).toBeLessThan(300)
    const other = key()
    const ask = verb(torn, overCrm(weak, other), overConsole(weak, other))
    cut(when)
    const first = await ask()
    expect([first.status < 300 || first.status === 503, cuts()]).toEqual([true, 1])
    // PostgreSQL may not have noticed the lost connection yet.
    const again = await eventually(async () => {
      const answer = await ask()
      return answer.body?.errors?.[0]?.errorCode === 'in-progress' ? null : answer
    })
    // The repeated request may be refused, but never with a server error.
    expect(again.status).toBeLessThan(500)
    expect(await stateOf(torn)).toEqual(await stateOf(plain))
  }

  it.each(Object.keys(verbs))('%s', name => compare(verbs[name]!, () => ({})))
  it.each(Object.keys(named))('%s, with an idempotency key', name =>
    compare(named[name]!, () => ({ 'idempotency-key': unique('key') })),
  )
})
