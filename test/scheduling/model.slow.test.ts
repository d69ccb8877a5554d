// Random sequences of all scheduling operations, against the service and against a small model of the rules.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makePractice, type Practice } from '../support/build.ts'
import { byTime, type Customer, Model, type State, type Timeslot } from '../support/scheduling-model.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()

// Few names, so that they collide. Times lie half a step beside the moments of the clock, so that the
// duration of a run has no effect.
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const resource = oneOf('r1@m', 'r1@m', 'r2@m')
const timeslot = oneOf('t1@m', 't1@m', 't2@m')
const appointment = oneOf('a1@m', 'a1@m', 'a2@m', 'a3@m')
const participation = oneOf('p1@m', 'p1@m', 'p2@m', 'p3@m')
const customer = oneOf('c1@m', 'c1@m', 'c2@m', 'c3@m')
const state = oneOf<State>('RESERVED', 'REQUESTED', 'BOOKED', 'BOOKED', 'CANCELED', 'DELETED')
const hour = fc.integer({ min: -3, max: 4 })
const hours = fc.integer({ min: 1, max: 4 })
const capacity = fc.integer({ min: 0, max: 2 })
const raster = oneOf(30, 60, 120)
const slotState = oneOf<Timeslot['state']>('CREATED', 'BOOKABLE')
const flag = fc.boolean()
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const operations = {
  createTimeslots: fc.array(
    fc.record({
      reference: timeslot,
      resource,
      hour,
      hours: fc.constant(3),
      raster,
      capacity,
      state: slotState,
    }),
    { minLength: 1, maxLength: 2 },
  ),
  updateTimeslot: fc.record({
    reference: timeslot,
    start: maybe(hour),
    end: maybe(hour),
    raster: maybe(raster),
    capacity: maybe(capacity),
    state: maybe(slotState),
  }),
  deleteTimeslot: fc.record({ reference: timeslot }),
  createAppointment: fc.record({
    reference: appointment,
    resource,
    hour,
    capacity,
    participations: fc.array(fc.record({ reference: participation, customer, state }), { maxLength: 2 }),
  }),
  createSeries: fc.record({ resource, hour, hours, capacity }),
  cancelAppointment: fc.record({ reference: appointment }),
  deleteAppointment: fc.record({ reference: appointment }),
  deleteSeries: fc.record({ index: fc.nat(1) }),
  createParticipation: fc.record({
    reference: participation,
    appointment,
    customer,
    state,
    ignoreCapacity: flag,
    onDuplicateRaise: oneOf(false, false, true),
  }),
  updateParticipation: fc.record({ reference: participation, state }),
  createCustomer: fc.record({ reference: customer, name: oneOf('Ann', 'Ben') }),
  updateCustomer: fc.record({ reference: customer, name: maybe(oneOf('Cleo')), renamed: maybe(customer) }),
  deleteCustomer: fc.record({ reference: customer, ignoreFuture: flag }),
  createResource: fc.record({ reference: resource }),
  deleteResource: fc.record({ reference: resource, ignoreFuture: flag }),
  advance: fc.record({ seconds: oneOf(100, 200, 7200) }),
  /** Repeats the operation this many steps back. */
  again: fc.record({ back: fc.integer({ min: 1, max: 3 }) }),
}
type Name = keyof typeof operations
type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never
type Fields<N extends Name> = ValueOf<(typeof operations)[N]>
type Operation = { [N in Name]: { name: N; fields: Fields<N> } }[Name]

const weights: Partial<Record<Name, number>> = {
  createTimeslots: 4,
  updateTimeslot: 4,
  createAppointment: 5,
  createSeries: 2,
  createParticipation: 20,
  updateParticipation: 12,
  createCustomer: 3,
  updateCustomer: 2,
  deleteCustomer: 5,
  advance: 4,
  again: 6,
}
const sequence = fc.array(
  fc.oneof(
    ...(Object.keys(operations) as Name[]).map(name => ({
      weight: weights[name] ?? 1,
      arbitrary: fc.record({ name: fc.constant(name), fields: operations[name] as fc.Arbitrary<unknown> }),
    })),
  ) as unknown as fc.Arbitrary<Operation>,
  { minLength: 10, maxLength: 25, size: 'max' },
)

/** One run: its own Provider and a model of it. */
class Run {
  model = new Model()
  seriesIds: string[] = []
  base = Date.now()
  practice: Practice

  constructor(practice: Practice) {
    this.practice = practice
  }

  at = (hour: number) => this.base + hour * 3_600_000 + 50_000
  text = (ms: number) => new Date(ms).toISOString()
  emailOf = (customer: string) => `${customer.replace('@', '.')}@example.org`
  path = (rest: string, reference?: string) =>
    `${this.practice.path}/${rest}${reference === undefined ? '' : `/${encodeURIComponent(reference)}`}`

  /** The status expected by the model, and the response of the service. */
  do: { [N in Name]: (fields: Fields<N>) => Promise<[number, Answer] | null> } = {
    createTimeslots: async batch => {
      const slots = batch.map(({ hour, hours, ...rest }) => ({
        ...rest,
        start: this.at(hour),
        end: this.at(hour + hours),
      }))
      const timeslots = slots.map(({ resource, capacity, start, end, ...rest }) => ({
        ...rest,
        resourceReference: resource,
        start: this.text(start),
        end: this.text(end),
        defaultCapacity: capacity,
        defaultAcceptBookings: true,
      }))
      return [
        this.model.createTimeslots(
          slots.map(({ resource, ...rest }) => ({ ...rest, resourceName: resource })),
        ),
        await holdfast.crm.post(this.path('timeslots'), { timeslots }),
      ]
    },
    updateTimeslot: async ({ reference, start, end, raster, capacity, state }) => {
      const change = given({
        start: start === undefined ? undefined : this.at(start),
        end: end === undefined ? undefined : this.at(end),
        raster,
        capacity,
        state,
      })
      const { capacity: defaultCapacity, ...rest } = change
      const sent = {
        ...rest,
        defaultCapacity,
        start: change.start && this.text(change.start),
        end: change.end && this.text(change.end),
      }
      return [
        this.model.updateTimeslot(reference, change),
        await holdfast.crm.put(this.path('timeslots', reference), sent),
      ]
    },
    deleteTimeslot: async ({ reference }) => [
      this.model.deleteTimeslot(reference),
      await holdfast.crm.delete(this.path('timeslots', reference)),
    ],
    createAppointment: async ({ reference, resource, hour, capacity, participations: people }) => {
      const participations = people.map(({ customer, ...rest }) => ({
        ...rest,
        name: 'Inline',
        email: this.emailOf(customer),
      }))
      const [start, end] = [this.at(hour), this.at(hour + 1)]
      const productReference = this.practice.product
      return [
        this.model.createAppointment({
          reference,
          resourceName: resource,
          start,
          end,
          capacity,
          participations,
        }),
        await holdfast.crm.post(this.path('appointments'), {
          reference,
          resourceReference: resource,
          productReference,
          start: this.text(start),
          end: this.text(end),
          capacity,
          participations,
        }),
      ]
    },
    createSeries: async ({ resource, hour, hours, capacity }) => {
      const answer = await holdfast.crm.post(this.path('appointments'), {
        resourceReference: resource,
        productReference: this.practice.product,
        capacity,
        series_data: {
          from: this.text(this.at(hour)),
          to: this.text(this.at(hour + hours)),
          raster: 60,
          weekdays: ['1', '2', '3', '4', '5', '6', '7'],
        },
      })
      if (!this.model.resources.has(resource)) return [404, answer]
      if (answer.status === 201) {
        this.seriesIds.push(answer.body.seriesId)
        const pieces = answer.body.appointments.map((one: Record<string, string>) => ({
          reference: one.reference!,
          start: Date.parse(one.start!),
          end: Date.parse(one.end!),
          capacity,
        }))
        this.model.addSeries(answer.body.seriesId, resource, pieces)
      }
      return [201, answer]
    },
    cancelAppointment: async ({ reference }) => [
      this.model.cancelAppointment(reference),
      await holdfast.crm.delete(this.path('appointments'), { appointmentReference: reference }),
    ],
    deleteAppointment: async ({ reference }) => [
      this.model.deleteAppointment(reference),
      await holdfast.crm.delete(this.path('appointments/withoutNotification'), {
        appointmentReference: reference,
      }),
    ],
    deleteSeries: async ({ index }) => {
      const seriesId = this.seriesIds[index] ?? '00000000-0000-4000-8000-000000000000'
      return [
        this.model.deleteSeries(seriesId),
        await holdfast.crm.delete(this.path('appointments/withoutNotification'), { seriesId }),
      ]
    },
    createParticipation: async ({ reference, appointment, customer, state, ...flags }) => [
      this.model.createParticipation({ reference, appointment, customer, state }, flags),
      await holdfast.crm.post(
        `${this.path('participations')}?${new URLSearchParams(Object.entries(flags).map(([k, v]) => [k, `${v}`]))}`,
        { reference, appointmentReference: appointment, customerReference: customer, state },
      ),
    ],
    updateParticipation: async ({ reference, state }) => [
      this.model.updateParticipation(reference, state),
      await holdfast.crm.post(this.path('participations', reference), { state }),
    ],
    createCustomer: async ({ reference, name }) => [
      this.model.createCustomer(reference, { name, email: this.emailOf(reference) }),
      await holdfast.crm.post(this.path('customers'), {
        customerReference: reference,
        providerReference: this.practice.reference,
        userName: name,
        email: this.emailOf(reference),
      }),
    ],
    updateCustomer: async ({ reference, name, renamed }) => [
      this.model.updateCustomer(reference, given({ name, reference: renamed })),
      await holdfast.crm.put(
        this.path('customers', reference),
        given({ userName: name, customerReference: renamed }),
      ),
    ],
    deleteCustomer: async ({ reference, ignoreFuture }) => [
      this.model.deleteCustomer(reference, ignoreFuture),
      await holdfast.crm.delete(
        `${this.path('customers', reference)}?ignoreFutureAppointments=${ignoreFuture}`,
      ),
    ],
    createResource: async ({ reference }) => [
      this.model.createResource(reference),
      await holdfast.crm.post(this.path('resources'), { reference, publicName: 'Room', internalName: 'R' }),
    ],
    deleteResource: async ({ reference, ignoreFuture }) => [
      this.model.deleteResource(reference, ignoreFuture),
      await holdfast.crm.delete(
        `${this.path('resources', reference)}?ignoreFutureAppointments=${ignoreFuture}`,
      ),
    ],
    advance: async ({ seconds }) => {
      holdfast.clock.shiftMs += seconds * 1000
      return null
    },
    again: async () => null,
  }

  async perform({ name, fields }: Operation, index: number) {
    this.model.tick(Date.now() + holdfast.clock.shiftMs)
    const outcome = await (this.do[name] as (fields: unknown) => Promise<[number, Answer] | null>)(fields)
    if (!outcome) return
    const [expected, { status, text }] = outcome
    expect(status, `${index}: ${name} ${JSON.stringify(fields)} answered ${text}`).toBe(expected)
  }

  /** Compares the lists of the service with those of the model. */
  async compareAppointments() {
    this.model.tick(Date.now() + holdfast.clock.shiftMs)
    const { body: all } = await holdfast.crm.get(`${this.path('appointments')}?includeArchived=true`)
    const { body: current } = await holdfast.crm.get(this.path('appointments'))
    const { body: ofFirst } = await holdfast.crm.get(
      `${this.path('appointments')}?resourceRef=r1%40m&includeArchived`,
    )
    const expected = byTime(this.model.appointments)
    expect(all.map(shownAppointment)).toEqual(expected.map(modelAppointment))
    expect(references(current)).toEqual(references(expected.filter(one => !one.archived)))
    expect(references(ofFirst)).toEqual(references(expected.filter(one => one.resourceName === 'r1@m')))
  }

  async compareTheRest() {
    for (const [name, id] of this.model.resources) {
      const path = `${this.path('resource', name)}/timeslots?from=2000-01-01T00:00Z&to=2100-01-01T00:00Z`
      const { body: slots } = await holdfast.crm.get(path)
      const own = byTime(this.model.timeslots.filter(slot => slot.resource === id))
      expect(slots.map(shownTimeslot)).toEqual(
        own.map(slot => ({
          ...modelTimeslot(slot),
          appointments: references(this.model.appointmentsIn(slot)),
        })),
      )
    }
    for (const reference of ['c1@m', 'c2@m', 'c3@m']) {
      const known = this.model.customers.find(one => one.reference === reference)
      const { status, body } = await holdfast.crm.get(this.path('customers', reference))
      expect(status).toBe(known ? 200 : 204)
      if (known) expect(shownCustomer(body.customer)).toEqual(known)
    }
  }
}

type Json = Answer['body']

const references = (list: { reference: string }[]) => list.map(one => one.reference)

const shownAppointment = (one: Json) => ({
  reference: one.reference,
  resource: one.resourceReference,
  series: one.seriesId,
  start: Date.parse(one.start),
  capacity: one.capacity,
  state: one.state,
  archived: one.archived,
  participations: one.participations.map((p: Json) => [p.reference, p.state, p.name, p.email]),
})
const modelAppointment = (one: Model['appointments'][number]) => ({
  reference: one.reference,
  resource: one.resourceName,
  series: one.series,
  start: one.start,
  capacity: one.capacity,
  state: one.state,
  archived: one.archived,
  participations: one.participations.map(p => [p.reference, p.state, p.name, p.email]),
})
const shownTimeslot = (one: Json) => ({
  reference: one.reference,
  start: Date.parse(one.start),
  end: Date.parse(one.end),
  raster: one.raster,
  capacity: one.defaultCapacity,
  state: one.state,
  appointments: one.appointments.map((appointment: Json) => appointment.reference),
})
const modelTimeslot = ({ resource: _, ...slot }: Timeslot) => slot
const shownCustomer = (one: Json): Customer => ({
  reference: one.customerReference,
  name: one.userName,
  email: one.email,
})

function given<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([_key, value]) => value !== undefined)) as T
}

/** The first operations of each run. */
const prelude: Operation[] = [
  { name: 'createResource', fields: { reference: 'r1@m' } },
  { name: 'createResource', fields: { reference: 'r2@m' } },
  { name: 'createCustomer', fields: { reference: 'c1@m', name: 'Ann' } },
  { name: 'createCustomer', fields: { reference: 'c2@m', name: 'Ben' } },
  {
    name: 'createTimeslots',
    fields: [
      { reference: 't1@m', resource: 'r1@m', hour: 0, hours: 3, raster: 30, capacity: 1, state: 'BOOKABLE' },
    ],
  },
  {
    name: 'createAppointment',
    fields: { reference: 'a1@m', resource: 'r1@m', hour: 1, capacity: 2, participations: [] },
  },
  {
    name: 'createAppointment',
    fields: { reference: 'a2@m', resource: 'r2@m', hour: 3, capacity: 1, participations: [] },
  },
  {
    name: 'createAppointment',
    fields: { reference: 'a3@m', resource: 'r2@m', hour: -3, capacity: 1, participations: [] },
  },
  {
    name: 'createParticipation',
    fields: {
      reference: 'p0@m',
      appointment: 'a3@m',
      customer: 'c2@m',
      state: 'BOOKED',
      ignoreCapacity: false,
      onDuplicateRaise: false,
    },
  },
]

async function runBoth(sequence: Operation[]) {
  holdfast.clock.shiftMs = 0
  const run = new Run(await makePractice(holdfast.crm))
  const done: Operation[] = []
  for (const [index, operation] of [...prelude, ...sequence].entries()) {
    const chosen = operation.name === 'again' ? done.at(-operation.fields.back)! : operation
    await run.perform(chosen, index)
    done.push(chosen)
  }
  await run.compareAppointments()
  await run.compareTheRest()
  // All holds have expired by then, and none has been cleaned up.
  await run.perform({ name: 'advance', fields: { seconds: 200 } }, 0)
  await run.compareAppointments()
}

const anySeed = Math.floor(Math.random() * 2 ** 31)

it.each([
  ['1', 1],
  ['20260329', 20260329],
  ['4711', 4711],
  [`${anySeed}, taken at random`, anySeed],
])(
  'the service does what the model does: seed %s',
  async (_, seed) => {
    await fc.assert(fc.asyncProperty(sequence, runBoth), { seed, numRuns: 15, endOnFailure: false })
  },
  120_000,
)
