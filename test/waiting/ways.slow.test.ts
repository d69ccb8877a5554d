import { expect, it } from 'vitest'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeTimeslot,
  type Practice,
  setChannel,
  setProduct,
} from '../support/build.ts'
import { bookingOf, form, holdOf, slotsOf } from '../support/consumer.ts'
import { consoleCall, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

// Every way in which time becomes free, one by one: a person waits, nothing is free, something happens, and the
// time is offered. `writers.test.ts` knows the code behind them.

const holdfast = await useService()
const { crm } = holdfast
const desk = async (method: string, path: string, body?: object) => {
  const answer = await consoleCall(holdfast.app, method, path, body)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  return answer.body
}

const one = { start: '2030-01-07T08:00', end: '2030-01-07T08:30' }
const span = { from: '2030-01-07T00:00', to: '2030-01-08T00:00' }
const path = encodeURIComponent

type World = ReturnType<typeof waitingAt> & { where: Practice }
/** Takes or closes the only time, and returns what frees it. */
type Way = (world: World) => Promise<() => Promise<unknown>>

/** A room with one time, which a consumer has booked. */
async function booked({ where, bookAll }: World) {
  await makeTimeslot(crm, where, one)
  const [booking] = await bookAll(where)
  const { cancelLink, moveLink, appointment_uuid } = booking!
  const { body } = await crm.get(`${where.path}/appointments/${path(`${appointment_uuid}@consumer`)}`)
  const { participations, reference, uuid } = body.appointment
  return { cancelLink, moveLink, participations, reference: reference as string, uuid: uuid as string }
}

const atOnce: Record<string, Way> = {
  'a consumer cancels': async world => {
    const { cancelLink } = await booked(world)
    return () => world.consumer.cancel(cancelLink)
  },
  'the CRM cancels the Appointment': async world => {
    const { reference } = await booked(world)
    return () => crm.delete(`${world.where.path}/appointments?appointmentReference=${path(reference)}`)
  },
  'staff cancel the Appointment': async world => {
    const { uuid } = await booked(world)
    return () => desk('POST', `/appointments/${uuid}/cancel`, {})
  },
  'the CRM deletes the Appointment': async world => {
    const { reference } = await booked(world)
    return () =>
      crm.delete(
        `${world.where.path}/appointments/withoutNotification?appointmentReference=${path(reference)}`,
      )
  },
  'the CRM cancels the Participation': async world => {
    const { participations } = await booked(world)
    const { reference } = participations[0]
    return () => crm.post(`${world.where.path}/participations/${path(reference)}`, { state: 'CANCELED' })
  },
  'the CRM deletes the Participation': async world => {
    const { participations } = await booked(world)
    const { reference } = participations[0]
    return () => crm.post(`${world.where.path}/participations/${path(reference)}`, { state: 'DELETED' })
  },
  'a request is declined': async world => {
    const { where } = world
    const group = await makeAppointment(crm, where, { ...one, capacity: 1, acceptBookings: true })
    const { reference } = await makeParticipation(crm, where, group.reference, 'REQUESTED')
    return () => crm.post(`${where.path}/participations/${path(reference)}`, { state: 'CANCELED' })
  },
  'staff move the Appointment': async world => {
    const { uuid } = await booked(world)
    return () =>
      desk('POST', `/appointments/${uuid}/move`, { start: '2030-01-07T12:00', end: '2030-01-07T12:30' })
  },
  'the CRM moves the Appointment': async world => {
    const { reference } = await booked(world)
    const to = { start: '2030-01-07T12:00', end: '2030-01-07T12:30' }
    return () => crm.post(`${world.where.path}/appointments/${path(reference)}/move`, to)
  },
  'a consumer moves to another day': async world => {
    const { where, consumer } = world
    const { moveLink } = await booked(world)
    await makeTimeslot(crm, where, { start: '2030-02-04T08:00', end: '2030-02-04T08:30' })
    return async () => {
      const [slot] = slotsOf(await consumer.list(where.resource))
      const headers = { 'x-signed-app-customer': new URL(moveLink).pathname.split('/').at(-1)! }
      const moved = await consumer.send(
        'POST',
        `/resources/${path(where.resource)}/move_appointment`,
        bookingOf(slot!, {}),
        { headers },
      )
      expect(moved.status, moved.text).toBe(200)
    }
  },
  'the Customer is erased': async world => {
    const { participations } = await booked(world)
    const { customerReference } = participations[0]
    return () =>
      crm.delete(`${world.where.path}/customers/${path(customerReference)}?ignoreFutureAppointments=true`)
  },
  'an offer is declined': async world => {
    const { cancelLink } = await booked(world)
    const first = await world.wait(world.where)
    await world.consumer.cancel(cancelLink)
    const answer = await world.offerPath(first.email)
    return () => world.consumer.send('POST', answer, 'answer=decline', { headers: form })
  },
  'a person with an offer is erased': async world => {
    const { cancelLink } = await booked(world)
    const first = await world.wait(world.where)
    await world.consumer.cancel(cancelLink)
    return () =>
      crm.delete(`${world.where.path}/customers/${path(first.customer)}?ignoreFutureAppointments=true`)
  },
}

const byJob: Record<string, Way> = {
  'an offer lapses': async world => {
    const { cancelLink } = await booked(world)
    await world.wait(world.where)
    await world.consumer.cancel(cancelLink)
    return async () => {
      holdfast.clock.shiftMs += 24 * 3_600_000
    }
  },
  'a hold is released': async ({ where, consumer }) => {
    await makeTimeslot(crm, where, one)
    const [slot] = slotsOf(await consumer.list(where.resource))
    const { body } = await consumer.reserve(where.resource, holdOf(slot!))
    return () => consumer.release(where.resource, body.participation.customer_uuid)
  },
  'a hold lapses': async ({ where, consumer }) => {
    await makeTimeslot(crm, where, one)
    const [slot] = slotsOf(await consumer.list(where.resource))
    await consumer.reserve(where.resource, holdOf(slot!))
    return async () => {
      holdfast.clock.shiftMs += 4 * 60_000
    }
  },
  'a Timeslot is added':
    async ({ where }) =>
    () =>
      makeTimeslot(crm, where, one),
  'a Timeslot is opened': async ({ where }) => {
    const { reference } = await makeTimeslot(crm, where, { ...one, state: 'CREATED' })
    return () => crm.put(`${where.path}/timeslots/${path(reference)}`, { state: 'BOOKABLE' })
  },
  'a Timeslot is extended': async world => {
    const { where } = world
    const { reference } = await makeTimeslot(crm, where, one)
    await world.bookAll(where)
    return () => crm.put(`${where.path}/timeslots/${path(reference)}`, { end: '2030-01-07T09:00' })
  },
  'the capacity of an Appointment is raised': async ({ where }) => {
    const group = await makeAppointment(crm, where, { ...one, capacity: 1, acceptBookings: true })
    await makeParticipation(crm, where, group.reference, 'BOOKED')
    return () => desk('PATCH', `/appointments/${group.uuid}`, { capacity: 2 })
  },
  'opening hours are set': async ({ where }) => {
    holdfast.clock.shiftMs = Date.parse('2030-01-01T12:00:00Z') - Date.now()
    const rule = { weekdays: [1], from: '08:00', to: '08:30', raster: 30 }
    return () => desk('PUT', `/resources/${where.resourceUuid}/hours`, { hoursWeeks: 2, rules: [rule] })
  },
  'a closure is removed': async ({ where }) => {
    await makeTimeslot(crm, where, one)
    const { closure } = await desk('POST', `/providers/${where.uuid}/closures`, {
      ...span,
      reason: 'Holiday',
    })
    return () => desk('DELETE', `/providers/${where.uuid}/closures/${closure.uuid}`)
  },
  'a block is removed': async ({ where }) => {
    await makeTimeslot(crm, where, one)
    const { block } = await desk('POST', `/resources/${where.resourceUuid}/blocks`, {
      ...span,
      reason: 'Meeting',
    })
    return () => desk('DELETE', `/resources/${where.resourceUuid}/blocks/${block.uuid}`)
  },
  'an external calendar is removed': async ({ where }) => {
    await makeTimeslot(crm, where, one)
    const rows = await holdfast.query(
      `with source as (
         insert into calendar_source (provider_id, resource_id, kind, name, host, sealed)
         select provider_id, id, 'ics', 'Mine', 'example.org', '' from resource where uuid = $1 returning *
       ), busy as (
         insert into busy_span (provider_id, resource_id, source_id, from_at, to_at)
         select provider_id, resource_id, id, '2030-01-07 06:00Z', '2030-01-07 12:00Z' from source
       ), checked as (insert into calendar_check (source_id, provider_id) select id, provider_id from source)
       select uuid from source`,
      [where.resourceUuid],
    )
    return () => desk('DELETE', `/resources/${where.resourceUuid}/calendar_sources/${rows[0].uuid}`)
  },
  'a Resource is restored': async ({ where }) => {
    await makeTimeslot(crm, where, one)
    await desk('PATCH', `/resources/${where.resourceUuid}`, { archived: true })
    return () => desk('PATCH', `/resources/${where.resourceUuid}`, { archived: false })
  },
  'a channel shows more days': async ({ where }) => {
    await makeTimeslot(crm, where, one)
    await setChannel(holdfast, where.resourceUuid, { horizonDays: 1 })
    return () => setChannel(holdfast, where.resourceUuid, { horizonDays: null })
  },
  'a Product becomes shorter': async ({ where }) => {
    await makeTimeslot(crm, where, one)
    await setProduct(holdfast, where.productUuid, { minDuration: 60, maxDuration: 60 })
    return () => setProduct(holdfast, where.productUuid, { minDuration: 30, maxDuration: 30 })
  },
}

async function expectOffer(way: Way, hasJob: boolean) {
  holdfast.clock.shiftMs = 0
  const where = await makePractice(crm, { language: 'en' })
  const world = { ...waitingAt(holdfast, where), where }
  const free = await way(world)
  const ann = await world.wait(where, { to: '2030-01-11' })
  await world.job()
  expect(await world.offers(ann.uuid)).toEqual([])
  await free()
  if (hasJob) await world.job()
  expect((await world.offers(ann.uuid)).map(offer => offer[1])).toEqual(['OPEN'])
}

it.each(Object.keys(atOnce))('at once: %s', name => expectOffer(atOnce[name]!, false))
it.each(Object.keys(byJob))('by the job: %s', name => expectOffer(byJob[name]!, true))
