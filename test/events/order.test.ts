// The log is ordered by transaction id. A transaction that gets its id before its lock would appear too
// early: a concurrent one that commits first would have a later id, and the last event would not match the
// final state.

import { beforeEach, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeTimeslot,
  type Practice,
} from '../support/build.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { bookAt, moveBooking } from '../support/moves.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))
let room: Practice
let appointment: { reference: string; uuid: string }

beforeEach(async () => {
  room = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, room)
  appointment = await makeAppointment(holdfast.crm, room, {
    start: '2030-01-08T10:00',
    end: '2030-01-08T11:00',
  })
})

const slots = async () => slotsOf(await consumer.list(room.resource))
const at = (what: string, reference: string) => `${room.path}/${what}/${encodeURIComponent(reference)}`

/** Each prepares its data and returns the request that will wait. */
const verbs: [string, () => Promise<() => Promise<Answer>>][] = [
  [
    'a Participation that is cancelled',
    async () => {
      const { reference } = await makeParticipation(holdfast.crm, room, appointment.reference, 'BOOKED')
      return () => holdfast.crm.post(at('participations', reference), { state: 'CANCELED' })
    },
  ],
  [
    'a new participant',
    async () => {
      const { customerReference } = await makeCustomer(holdfast.crm, room)
      const fields = { appointmentReference: appointment.reference, customerReference }
      const body = { reference: 'joins@plat', state: 'BOOKED', ...fields }
      return () => holdfast.crm.post(`${room.path}/participations`, body)
    },
  ],
  [
    'an Appointment that moves',
    async () => {
      const times = { start: '2030-01-08T12:00', end: '2030-01-08T13:00' }
      return () => holdfast.crm.post(`${at('appointments', appointment.reference)}/move`, times)
    },
  ],
  [
    'an Appointment that is cancelled',
    async () => () => consoleCall(holdfast.app, 'POST', `/appointments/${appointment.uuid}/cancel`, {}),
  ],
  [
    'an Appointment that is changed',
    async () => () =>
      consoleCall(holdfast.app, 'PATCH', `/appointments/${appointment.uuid}`, { capacity: 4 }),
  ],
  [
    'a consumer who cancels',
    async () => {
      const { cancelLink } = await bookAt(consumer, (await slots())[0]!)
      return () => consumer.cancel(cancelLink)
    },
  ],
  [
    'a consumer who moves',
    async () => {
      const [first, second] = await slots()
      const booked = await bookAt(consumer, first!)
      return () => moveBooking(consumer, booked, second!)
    },
  ],
  [
    'a Customer who is erased',
    async () => {
      const { customerReference } = await makeParticipation(
        holdfast.crm,
        room,
        appointment.reference,
        'BOOKED',
      )
      return () => holdfast.crm.delete(`${at('customers', customerReference)}?ignoreFutureAppointments`)
    },
  ],
  [
    'a Resource that is deleted',
    async () => () => holdfast.crm.delete(`${at('resources', room.resource)}?ignoreFutureAppointments`),
  ],
]

it.each(verbs)('%s: takes no position in the log while it waits', async (_, prepare) => {
  const work = await prepare()
  let waiting: { number: string | null }[] = []
  const answer = await whileWaiting(
    holdfast,
    {
      before: rival =>
        rival.query('select from resource where uuid = $1 for no key update', [room.resourceUuid]),
      meanwhile: async rival => {
        const { rows } = await rival.query(
          'select backend_xid as number from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
        )
        waiting = rows
      },
    },
    work,
  )
  expect(answer.status, answer.text).toBeLessThan(300)
  expect(waiting).toEqual([{ number: null }])
})
