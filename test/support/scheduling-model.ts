// A second, simple implementation of the scheduling rules: in memory, no locks, no SQL. Each operation returns the
// status that the service must return. Times are epoch milliseconds; the caller provides the current time.

export type State = 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
type Person = { name: string | null; email: string | null }

export type Timeslot = {
  reference: string
  resource: number
  start: number
  end: number
  raster: number
  capacity: number
  state: 'CREATED' | 'BOOKABLE'
}
export type Participation = Person & {
  reference: string
  appointment: Appointment
  customer: Customer | null
  state: State
  archived: boolean
  expires: number
}
export type Appointment = {
  reference: string
  resource: number
  resourceName: string
  series: string | null
  start: number
  end: number
  capacity: number
  state: 'ACTIVE' | 'CANCELLED'
  archived: boolean
  content: string
  participations: Participation[]
}
export type Customer = { reference: string; name: string | null; email: string | null }

export type NewTimeslot = Omit<Timeslot, 'resource'> & { resourceName: string }
export type TimeslotChange = Partial<Pick<Timeslot, 'start' | 'end' | 'raster' | 'capacity' | 'state'>>
export type NewAppointment = {
  reference: string
  resourceName: string
  start: number
  end: number
  capacity: number
  participations: { reference: string; name: string; email: string; state: State }[]
}

const minute = 60_000
export const holdMs = 180_000
const takesPlace = (state: State) => state === 'RESERVED' || state === 'REQUESTED' || state === 'BOOKED'
const isPromised = ({ state }: Participation) => state === 'REQUESTED' || state === 'BOOKED'
const moves = [
  'RESERVED BOOKED',
  'REQUESTED BOOKED',
  'REQUESTED CANCELED',
  'BOOKED CANCELED',
  'RESERVED CANCELED',
  'DELETED CANCELED',
  'BOOKED DELETED',
]

const hasRepeats = (batch: { reference: string }[]) =>
  new Set(batch.map(one => one.reference)).size < batch.length

export class Model {
  now = 0
  /** Resources by reference. A deleted Resource that is created again is a different one. */
  resources = new Map<string, number>()
  timeslots: Timeslot[] = []
  appointments: Appointment[] = []
  customers: Customer[] = []
  #resourcesMade = 0

  tick(now: number) {
    this.now = now
    for (const one of this.appointments)
      one.participations = one.participations.filter(p => p.state !== 'RESERVED' || p.expires > now)
  }

  createResource(reference: string): number {
    if (this.resources.has(reference)) return 200
    this.resources.set(reference, ++this.#resourcesMade)
    return 201
  }

  deleteResource(reference: string, ignoreFuture: boolean): number {
    const id = this.resources.get(reference)
    if (id === undefined) return 404
    const own = this.appointments.filter(one => one.resource === id)
    const future = own.filter(one => one.state === 'ACTIVE' && one.end > this.now)
    if (future.length > 0 && !ignoreFuture) return 409
    for (const one of future) this.#cancel(one)
    for (const one of own) {
      one.archived = true
      // Holds end with the Resource, those in past Appointments too.
      one.participations = one.participations.filter(({ state }) => state !== 'RESERVED')
      for (const participation of one.participations) participation.archived = true
    }
    this.timeslots = this.timeslots.filter(slot => slot.resource !== id)
    this.resources.delete(reference)
    return 204
  }

  createTimeslots(batch: NewTimeslot[]): number {
    if (hasRepeats(batch)) return 400
    if (batch.some(({ resourceName }) => !this.resources.has(resourceName))) return 404
    const made: Timeslot[] = []
    for (const { resourceName, ...fields } of batch) {
      const wanted = { ...fields, resource: this.resources.get(resourceName)! }
      const existing = this.timeslots.find(slot => slot.reference === fields.reference)
      if (!existing) made.push(wanted)
      else if (!isEqual(existing, wanted)) return 409
    }
    this.timeslots.push(...made)
    return made.length > 0 ? 201 : 200
  }

  updateTimeslot(reference: string, change: TimeslotChange): number {
    const slot = this.timeslots.find(one => one.reference === reference)
    if (!slot) return 404
    const changed = { ...slot, ...change }
    if (changed.end <= changed.start || changed.raster * minute > changed.end - changed.start) return 400
    const active = this.appointmentsIn(slot).filter(one => one.state === 'ACTIVE')
    if (active.some(one => one.start < changed.start || one.end > changed.end)) return 409
    Object.assign(slot, changed)
    return 200
  }

  deleteTimeslot(reference: string): number {
    const slot = this.timeslots.find(one => one.reference === reference)
    if (!slot) return 404
    if (this.appointmentsIn(slot).some(one => one.state === 'ACTIVE')) return 409
    this.timeslots = this.timeslots.filter(one => one !== slot)
    return 204
  }

  appointmentsIn({ resource, start, end }: Timeslot): Appointment[] {
    return byTime(
      this.appointments.filter(one => one.resource === resource && one.start >= start && one.end <= end),
    )
  }

  createAppointment(wanted: NewAppointment): number {
    if (hasRepeats(wanted.participations)) return 400
    const resource = this.resources.get(wanted.resourceName)
    if (resource === undefined) return 404
    const content = JSON.stringify(wanted)
    const existing = this.#appointment(wanted.reference)
    if (existing && !existing.archived) return existing.content === content ? 200 : 409
    const references = wanted.participations.map(one => one.reference)
    if (references.some(reference => this.#participation(reference)?.archived === false)) return 409
    const { participations, ...fields } = wanted
    const made = this.#addAppointment({ ...fields, resource, series: null, content })
    for (const one of participations) this.#join(made, null, one)
    return 201
  }

  /** The service chooses the references of a series, so they are passed in. */
  addSeries(
    series: string,
    resourceName: string,
    pieces: Pick<Appointment, 'reference' | 'start' | 'end' | 'capacity'>[],
  ) {
    const resource = this.resources.get(resourceName)!
    for (const one of pieces) this.#addAppointment({ ...one, resource, resourceName, series, content: '' })
  }

  cancelAppointment(reference: string): number {
    const appointment = this.#appointment(reference)
    if (!appointment) return 404
    if (appointment.state === 'ACTIVE') this.#cancel(appointment)
    return 200
  }

  deleteAppointment(reference: string): number {
    const appointment = this.#appointment(reference)
    if (!appointment) return 404
    this.appointments = this.appointments.filter(one => one !== appointment)
    return 204
  }

  deleteSeries(series: string): number {
    const kept = this.appointments.filter(one => one.series !== series)
    if (kept.length === this.appointments.length) return 404
    this.appointments = kept
    return 204
  }

  createParticipation(
    wanted: { reference: string; appointment: string; customer: string; state: State },
    flags: { ignoreCapacity: boolean; onDuplicateRaise: boolean },
  ): number {
    const appointment = this.#appointment(wanted.appointment)
    const customer = this.#customer(wanted.customer)
    if (!appointment || !customer) return 404
    const existing = this.#participation(wanted.reference)
    if (existing && (!existing.archived || existing.appointment === appointment)) {
      if (flags.onDuplicateRaise) return 400
      const isSame = existing.customer === null || existing.customer === customer
      return existing.appointment === appointment && isSame ? this.#move(existing, wanted.state) : 409
    }
    if (appointment.state === 'CANCELLED') return 409
    const taken = appointment.participations.filter(one => takesPlace(one.state)).length
    if (takesPlace(wanted.state) && !flags.ignoreCapacity && taken >= appointment.capacity) return 409
    if (this.#isTwice(appointment, customer, wanted.state)) return 409
    const { name, email } = customer
    this.#join(appointment, customer, { reference: wanted.reference, name, email, state: wanted.state })
    return 201
  }

  updateParticipation(reference: string, state: State): number {
    const participation = this.#participation(reference)
    return participation ? this.#move(participation, state) : 404
  }

  createCustomer(reference: string, person: Person): number {
    if (this.#customer(reference)) return 200
    this.customers.push({ reference, ...person })
    return 201
  }

  updateCustomer(reference: string, change: { reference?: string; name?: string }): number {
    const customer = this.#customer(reference)
    if (!customer) return 404
    const taken = change.reference === undefined ? undefined : this.#customer(change.reference)
    if (taken && taken !== customer) return 409
    Object.assign(customer, change)
    return 200
  }

  deleteCustomer(reference: string, ignoreFuture: boolean): number {
    const customer = this.#customer(reference)
    if (!customer) return 404
    const own = this.appointments
      .flatMap(one => one.participations)
      .filter(one => one.customer === customer || (!one.customer && one.email === customer.email))
    const leaving = own.filter(
      ({ state, appointment }) =>
        takesPlace(state) && appointment.state === 'ACTIVE' && appointment.end > this.now,
    )
    if (leaving.some(isPromised) && !ignoreFuture) return 409
    for (const one of leaving) one.state = 'CANCELED'
    for (const one of own) Object.assign(one, { name: null, email: null })
    this.customers = this.customers.filter(one => one !== customer)
    return 204
  }

  #appointment = (reference: string) => living(this.appointments.filter(one => one.reference === reference))
  #customer = (reference: string) => this.customers.find(one => one.reference === reference)
  #participation = (reference: string) =>
    living(this.appointments.flatMap(one => one.participations).filter(one => one.reference === reference))

  #addAppointment(fields: Omit<Appointment, 'state' | 'archived' | 'participations'>): Appointment {
    const made: Appointment = { ...fields, state: 'ACTIVE', archived: false, participations: [] }
    this.appointments.push(made)
    return made
  }

  #join(
    appointment: Appointment,
    customer: Customer | null,
    fields: Person & { reference: string; state: State },
  ) {
    appointment.participations.push({
      ...fields,
      appointment,
      customer,
      archived: false,
      expires: this.now + holdMs,
    })
  }

  #move(participation: Participation, to: State): number {
    const { state: from, appointment, customer } = participation
    if (from === to) return 200
    if (to === 'RESERVED' || to === 'REQUESTED') return 400
    if (!moves.includes(`${from} ${to}`)) return 409
    if (customer && this.#isTwice(appointment, customer, to, participation)) return 409
    participation.state = to
    return 200
  }

  /** A Customer with a place in an Appointment cannot get a second one, not even a hold. */
  #isTwice(appointment: Appointment, customer: Customer, state: State, but?: Participation): boolean {
    if (!takesPlace(state)) return false
    return appointment.participations.some(one => one !== but && one.customer === customer && isPromised(one))
  }

  #cancel(appointment: Appointment) {
    appointment.state = 'CANCELLED'
    for (const one of appointment.participations) one.state = 'CANCELED'
  }
}

/** Archived records are found if no other record has the name. */
const living = <T extends { archived: boolean }>(called: T[]): T | undefined =>
  called.findLast(one => !one.archived) ?? called.at(-1)

export const byTime = <T extends { start: number }>(list: T[]): T[] =>
  list.toSorted((a, b) => a.start - b.start)

const isEqual = (a: Timeslot, b: Timeslot) =>
  (Object.keys(a) as (keyof Timeslot)[]).every(key => a[key] === b[key])
