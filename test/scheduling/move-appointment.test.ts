// The provider moves an Appointment with all its people.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeProduct,
  makeRoom,
  makeSeries,
  makeTimeslot,
  type Practice,
  setProduct,
} from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { countMails, mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm)
beforeEach(async () => {
  practice = await makeRoom(holdfast.crm, practice)
})

const path = (reference: string) => `${practice.path}/appointments/${encodeURIComponent(reference)}`
const move = (reference: string, body: Record<string, unknown>, query = '') =>
  holdfast.crm.post(`${path(reference)}/move${query}`, body)
const to = (from: string, until: string) => ({ start: `2030-01-07T${from}`, end: `2030-01-07T${until}` })
const times = ({ body }: Answer) =>
  `${body.appointment.start.slice(11, 16)} ${body.appointment.end.slice(11, 16)}`

describe('moving an Appointment', () => {
  it('moves everyone in it, emails both times and keeps the reference', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const booked = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const asking = await makeParticipation(holdfast.crm, practice, reference, 'REQUESTED')
    const gone = await makeParticipation(holdfast.crm, practice, reference, 'CANCELED')
    const moved = await move(reference, { ...to('14:00', '14:30'), message: 'The room was needed.' })
    expect([moved.status, moved.body.appointment.reference, times(moved)]).toEqual([
      200,
      reference,
      '13:00 13:30',
    ])
    const [_first, mail] = await mailsTo(holdfast, booked.email)
    expect(mail!.kind).toBe('moved')
    for (const part of ['14:00', '10:00', 'The room was needed.']) expect(mail!.text).toContain(part)
    const [first, again] = await mailsTo(holdfast, asking.email)
    expect([first!.kind, again!.kind]).toEqual(['requested', 'requested'])
    // It was only a request, so no booking stays at the old time.
    const said = again!.text.replace(/\s+/g, ' ')
    expect(said).toMatch(/Previously: [^:]*10:00/)
    expect(said).not.toContain('present appointment')
    expect((await mailKindsTo(holdfast, gone.email)).includes('moved')).toBe(false)
  })

  it('does nothing at the same time and place; sends no emails on request', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const mails = await countMails(holdfast)
    expect((await move(reference, to('10:00', '10:30'))).status).toBe(200)
    expect((await move(reference, to('11:00', '11:30'), '?sendMails=false')).status).toBe(200)
    expect(await countMails(holdfast)).toBe(mails)
  })

  it('works to another Resource; deleting the series includes it', async () => {
    const { seriesId, appointments } = await makeSeries(holdfast.crm, practice)
    const there = await makeRoom(holdfast.crm, practice)
    const { reference } = appointments[0]!
    const { body } = await move(reference, { ...to('10:00', '11:00'), resourceReference: there.resource })
    expect(body.appointment.resourceReference).toBe(there.resource)
    const deleted = await holdfast.crm.delete(`${practice.path}/appointments/withoutNotification`, {
      seriesId,
    })
    expect(deleted.status).toBe(204)
    expect((await holdfast.crm.get(path(reference))).status).toBe(404)
  })

  it('of consumers frees the old time and takes the new one', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const consumer = asConsumer(overApp(holdfast.app))
    const starts = async () =>
      slotsOf(await consumer.list(practice.resourceUuid)).map(one => one.start.slice(11, 16))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    const { body } = await consumer.complete(practice.resourceUuid, bookingOf(slot!))
    const reference = `${body.createdAppointment.appointment_uuid}@consumer`
    expect((await move(reference, to('12:00', '12:30'))).status).toBe(200)
    const now = await starts()
    expect([now.includes('08:00'), now.includes('12:00')]).toEqual([true, false])
    // The consumer can still cancel it by link, which ends it.
    expect((await consumer.cancel(body.createdAppointment.cancelLink)).status).toBe(200)
    expect((await starts()).includes('12:00')).toBe(true)
  })
})

describe('a conflict', () => {
  it('is named, and can be overridden', async () => {
    const inTheWay = await makeAppointment(holdfast.crm, practice, to('14:00', '14:30'))
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const refused = await move(reference, to('14:15', '14:45'))
    expectRefusal(refused, 409, 'conflict')
    expect(messageOf(refused)).toContain(inTheWay.reference)
    const forced = await move(reference, to('14:15', '14:45'), '?ignoreConflicts=true')
    expect([forced.status, times(forced)]).toEqual([200, '13:15 13:45'])
  })

  it('may be a closure', async () => {
    const closure = {
      from: '2030-01-07T14:00',
      to: '2030-01-07T16:00',
      reason: 'Painters',
      resources: [practice.resourceUuid],
    }
    const closed = await consoleCall(holdfast.app, 'POST', `/providers/${practice.uuid}/closures`, closure)
    expect(closed.status).toBe(201)
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const refused = await move(reference, to('14:00', '14:30'))
    expectRefusal(refused, 409, 'conflict')
    expect(messageOf(refused)).toContain('Painters')
    expect((await move(reference, to('14:00', '14:30'), '?ignoreConflicts=true')).status).toBe(200)
  })

  it('is never the Appointment itself, but may be its buffers', async () => {
    const { reference: product, uuid } = await makeProduct(holdfast.crm, practice)
    await setProduct(holdfast, uuid, { leadTimeMinutes: 15 })
    const { reference } = await makeAppointment(holdfast.crm, practice, { productReference: product })
    expect((await move(reference, to('10:15', '10:45'))).status).toBe(200)
    await makeAppointment(holdfast.crm, practice, to('14:00', '14:30'))
    expectRefusal(await move(reference, to('14:30', '15:00')), 409, 'conflict')
    expect((await move(reference, to('14:45', '15:15'))).status).toBe(200)
  })

  it('two consumer Appointments can be forced to overlap', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const consumer = asConsumer(overApp(holdfast.app))
    const slots = slotsOf(await consumer.list(practice.resourceUuid))
    const made = await Promise.all(
      slots.slice(0, 2).map(slot => consumer.complete(practice.resourceUuid, bookingOf(slot))),
    )
    const reference = `${made[1]!.body.createdAppointment.appointment_uuid}@consumer`
    expectRefusal(await move(reference, to('08:00', '08:30')), 409, 'conflict')
    expect((await move(reference, to('08:00', '08:30'), '?ignoreConflicts=true')).status).toBe(200)
  })
})

it('refuses to move unknown and cancelled Appointments, and invalid values', async () => {
  const { reference } = await makeAppointment(holdfast.crm, practice)
  expectRefusal(await move('none@plat', to('11:00', '11:30')), 404, 'not-found', 'appointmentReference')
  expectRefusal(
    await move(reference, { ...to('11:00', '11:30'), resourceReference: 'none@plat' }),
    404,
    'not-found',
    'resourceReference',
  )
  expectRefusal(await move(reference, to('11:30', '11:00')), 400, 'invalid-field', 'end')
  await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
  const refused = await move(reference, to('11:00', '11:30'))
  expectRefusal(refused, 409, 'appointment-cancelled', 'appointmentReference')
  expect(messageOf(refused)).toContain('cannot be moved')
})

it('staff can do the same in the console', async () => {
  const { uuid } = await makeAppointment(holdfast.crm, practice)
  const there = await makeRoom(holdfast.crm, practice)
  const body = { ...to('12:00', '12:30'), resourceUuid: there.resourceUuid }
  const moved = await consoleCall(holdfast.app, 'POST', `/appointments/${uuid}/move`, body)
  expect([moved.status, moved.body.entry.resource.uuid, moved.body.entry.start]).toEqual([
    200,
    there.resourceUuid,
    '2030-01-07T11:00:00Z',
  ])
  await makeAppointment(holdfast.crm, practice)
  const back = { ...to('10:00', '10:30'), resourceUuid: practice.resourceUuid }
  expectRefusal(await consoleCall(holdfast.app, 'POST', `/appointments/${uuid}/move`, back), 409, 'conflict')
})
