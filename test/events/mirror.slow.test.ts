import { expect, it } from 'vitest'
import { extendHours } from '../../src/actions/scheduling/hours/hours.ts'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import {
  eventCount,
  makeAppointment,
  makeCustomer,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  unique,
} from '../support/build.ts'
import { asConsumer, holdOf, overApp, type Slot, slotsOf, utc } from '../support/consumer.ts'
import {
  type Copied,
  copiedNouns,
  listed,
  type Mirror,
  type MirroredEvent,
  type Reader,
  startMirror,
} from '../support/mirror.ts'
import { type Booked, bookAt, moveBooking } from '../support/moves.ts'
import { startReceiver } from '../support/receiver.ts'
import { consoleCall, eventually, runJobs, useService } from '../support/service.ts'

// Mixed traffic of several clients, and two copies: one follows the log, the other gets the same events by
// webhook, in any order and some of them twice. Both must equal the service in the end.

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1', RATE_LIMIT: '0' })
const consumer = asConsumer(overApp(holdfast.app))

/** Repeatable: the numbers of a run follow from its seed. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return {
    next,
    below: (count: number) => Math.floor(next() * count),
    pick: <T>(list: T[]): T | undefined => list[Math.floor(next() * list.length)],
  }
}
type Random = ReturnType<typeof randomFrom>

const practice = await makePractice(holdfast.crm)
const at = (what: string, reference: string) => `${practice.path}/${what}/${encodeURIComponent(reference)}`
const rooms: Practice[] = []
for (let count = 0; count < 4; count++) {
  const room = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, room, { defaultCapacity: count % 2 ? 3 : 1 })
  rooms.push(room)
}
const bookings: Booked[] = []
const holds: { resource: string; placeholder: string }[] = []

const readAll = async (what: string) => {
  const { body } = await holdfast.crm.get(`${practice.path}/${what}`)
  return (Array.isArray(body) ? body : (body?.[what] ?? [])) as Copied[]
}
const appointments = () => readAll('appointments')
const customers = () => readAll('customers')
const anySlot = async (random: Random): Promise<Slot | undefined> => {
  const answer = await consumer.list(random.pick(rooms)!.resource)
  return answer.status === 200 ? random.pick(slotsOf(answer).slice(0, 12)) : undefined
}
const timeOn = (random: Random) => {
  const day = String(8 + random.below(20)).padStart(2, '0')
  const hour = String(8 + random.below(9)).padStart(2, '0')
  return { start: `2030-01-${day}T${hour}:00`, end: `2030-01-${day}T${hour}:45` }
}

type Verb = (random: Random) => Promise<unknown>

const verbs: Record<string, Verb> = {
  async book(random) {
    const slot = await anySlot(random)
    if (slot)
      await bookAt(consumer, slot).then(
        booked => bookings.push(booked),
        () => {},
      )
  },
  async hold(random) {
    const slot = await anySlot(random)
    if (!slot) return
    const { status, body } = await consumer.reserve(slot.resource_uuid, holdOf(slot))
    if (status < 300) holds.push({ resource: slot.resource_uuid, placeholder: body.placeholder_id })
  },
  async release(random) {
    const hold = random.pick(holds)
    if (hold) await consumer.release(hold.resource, hold.placeholder)
  },
  async move(random) {
    const [booked, slot] = [random.pick(bookings), await anySlot(random)]
    if (booked && slot) return moveBooking(consumer, booked, slot)
  },
  async cancelLink(random) {
    const booked = random.pick(bookings)
    if (booked) return consumer.cancel(booked.cancelLink)
  },
  group: random =>
    makeAppointment(holdfast.crm, random.pick(rooms)!, { ...timeOn(random), capacity: 5 }).catch(() => {}),
  async series(random) {
    const { resource, product } = random.pick(rooms)!
    const days = { from: '2030-02-04T10:00', to: '2030-02-06T11:00', raster: 60, weekdays: ['1', '2', '3'] }
    const body = { resourceReference: resource, productReference: product, capacity: 4, series_data: days }
    return holdfast.crm.post(`${practice.path}/appointments`, body)
  },
  async join(random) {
    const [appointment, customer] = [random.pick(await appointments()), random.pick(await customers())]
    const state = random.pick(['BOOKED', 'BOOKED', 'REQUESTED', 'RESERVED', 'RESERVED'])
    if (!appointment || !customer) return
    const { customerReference } = customer
    const body = {
      reference: unique('place'),
      appointmentReference: appointment.reference,
      state,
      customerReference,
    }
    return holdfast.crm.post(`${practice.path}/participations`, body)
  },
  async decide(random) {
    const place = random.pick((await appointments()).flatMap(one => one.participations))
    const state = random.pick(['BOOKED', 'CANCELED', 'DELETED'])
    if (place) return holdfast.crm.post(at('participations', place.reference), { state })
  },
  async attend(random) {
    const place = random.pick((await appointments()).flatMap(one => one.participations))
    const attendance = random.pick(['ATTENDED', 'MISSED', null])
    if (place) return holdfast.crm.post(`${at('participations', place.reference)}/attendance`, { attendance })
  },
  async moveAll(random) {
    const [appointment, room] = [random.pick(await appointments()), random.pick(rooms)!]
    const body = { ...timeOn(random), resourceReference: room.resource }
    if (appointment) return holdfast.crm.post(`${at('appointments', appointment.reference)}/move`, body)
  },
  async cancelAndRestore(random) {
    const appointment = random.pick(await appointments())
    if (!appointment) return
    await consoleCall(holdfast.app, 'POST', `/appointments/${appointment.uuid}/cancel`, {})
    if (random.next() < 0.5) return
    const path = `/appointments/${appointment.uuid}/restore?ignoreConflicts=true`
    return consoleCall(holdfast.app, 'POST', path, { people: [] })
  },
  async change(random) {
    const appointment = random.pick(await appointments())
    const change = { notes: `Note ${random.below(1000)}` }
    if (appointment) return consoleCall(holdfast.app, 'PATCH', `/appointments/${appointment.uuid}`, change)
  },
  async remove(random) {
    const appointment = random.pick(await appointments())
    const path = `${practice.path}/appointments/withoutNotification`
    if (appointment && random.next() < 0.5)
      return holdfast.crm.delete(path, { appointmentReference: appointment.reference })
  },
  newCustomer: () => makeCustomer(holdfast.crm, practice),
  async rename(random) {
    const customer = random.pick(await customers())
    const body = { customerReference: unique('renamed'), userName: `Ann ${random.below(100)}` }
    if (customer) return holdfast.crm.put(at('customers', customer.customerReference), body)
  },
  async correct(random) {
    const customer = random.pick(await customers())
    const body = { userName: `Bea ${random.below(100)}` }
    if (customer) return consoleCall(holdfast.app, 'PATCH', `/customers/${customer.uuid}`, body)
  },
  async erase(random) {
    const customer = random.pick(await customers())
    const path = at('customers', customer?.customerReference ?? '')
    if (customer && random.next() < 0.5) return holdfast.crm.delete(`${path}?ignoreFutureAppointments`)
  },
  async merge(random) {
    const [kept, merged] = [random.pick(await customers()), random.pick(await customers())]
    if (!kept || !merged) return
    const path = at('customers', kept.customerReference)
    const { status, body } = await holdfast.crm.post(`${path}/merge`, {
      customerReference: merged.customerReference,
    })
    if (status === 200 && random.next() < 0.5)
      return holdfast.crm.post(`${path}/merges/${body.merge.uuid}/undo`, {})
  },
  async timeslot(random) {
    const room = random.pick(rooms)!
    const { start } = timeOn(random)
    const { reference } = await makeTimeslot(holdfast.crm, room, {
      start: `${start.slice(0, 11)}18:00`,
      end: `${start.slice(0, 11)}20:00`,
    }).catch(() => ({ reference: '' }))
    if (!reference) return
    await holdfast.crm.put(at('timeslots', reference), { raster: 15 })
    if (random.next() < 0.5) return holdfast.crm.delete(at('timeslots', reference))
  },
  async product(random) {
    const { uuid } = await makeProduct(holdfast.crm, practice)
    if (random.next() < 0.5) return consoleCall(holdfast.app, 'DELETE', `/products/${uuid}`)
  },
  async deleteRoom(random) {
    if (random.next() < 0.9 || rooms.length < 3) return
    const [room] = rooms.splice(random.below(rooms.length), 1)
    const room2 = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room2, { defaultCapacity: 2 })
    rooms.push(room2)
    return holdfast.crm.delete(`${at('resources', room!.resource)}?ignoreFutureAppointments`)
  },
}

async function client(random: Random, steps: number) {
  const names = Object.keys(verbs)
  for (let step = 0; step < steps; step++) {
    const name = random.pick(names)!
    const answer = (await verbs[name]!(random)) as { status?: number; text?: string } | undefined
    if (answer?.status && answer.status >= 500) throw new Error(`${name}: ${answer.status} ${answer.text}`)
  }
}

const read: Reader = {
  appointment: async reference => (await holdfast.crm.get(at('appointments', reference))).body.appointment,
  async timeslots(resource, from, to) {
    const { body } = await holdfast.crm.get(`${at('resource', resource)}/timeslots?from=${from}&to=${to}`)
    return body ?? []
  },
}

const ok = async <T extends { status: number; text: string }>(asked: Promise<T>): Promise<T> => {
  const answer = await asked
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

const dayOf = (number: number) => ({
  start: `2030-04-0${number}T10:00`,
  end: `2030-04-0${number}T11:00`,
})

/** What random traffic may miss, once each. */
async function rareScenes(mirror: Mirror) {
  const shared = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, shared, { defaultCapacity: 3 })
  const slots = async () => slotsOf(await consumer.list(shared.resource))
  const [slot] = await slots()
  const first = await bookAt(consumer, slot!)
  const same = (await slots()).find(one => one.start === slot!.start)!
  await bookAt(consumer, same)
  // Moves out of a shared Appointment, then leaves an Appointment to a visitor who only holds a place.
  const lonely = (await slots())[3]!
  await ok(moveBooking(consumer, first, lonely))
  const joined = (await slots()).find(one => one.start === lonely.start)!
  await ok(consumer.reserve(joined.resource_uuid, holdOf(joined)))
  await ok(moveBooking(consumer, first, (await slots())[7]!))

  // Held only, moved by the CRM, released.
  const free = (await slots())[9]!
  const { body: held } = await ok(consumer.reserve(free.resource_uuid, holdOf(free)))
  const only = (await appointments()).find(one => one.start === utc(free.start))!
  await ok(
    holdfast.crm.post(`${at('appointments', only.reference)}/move`, {
      start: '2030-03-04T10:00',
      end: '2030-03-04T10:30',
    }),
  )
  await consumer.release(free.resource_uuid, held.placeholder_id)

  // The CRM holds a place, which lapses; a past visit, whose Customer is renamed and then erased.
  const group = await makeAppointment(holdfast.crm, shared, {
    start: '2030-03-05T10:00',
    end: '2030-03-05T11:00',
  })
  const past = await makeAppointment(holdfast.crm, shared, {
    start: '2024-03-05T10:00',
    end: '2024-03-05T11:00',
  })
  const people = [await makeCustomer(holdfast.crm, practice), await makeCustomer(holdfast.crm, practice)]
  const join = (appointment: { reference: string }, who: number, state: string) =>
    ok(
      holdfast.crm.post(`${practice.path}/participations`, {
        reference: unique('scene'),
        appointmentReference: appointment.reference,
        customerReference: people[who]!.customerReference,
        state,
      }),
    )
  await join(group, 0, 'RESERVED')
  await join(past, 0, 'BOOKED')
  await join(past, 1, 'BOOKED')
  const alone = await makeAppointment(holdfast.crm, shared, {
    start: '2030-03-06T10:00',
    end: '2030-03-06T11:00',
  })
  await join(alone, 0, 'BOOKED')
  // The copy has the former reference, and no later event about this Appointment.
  await eventually(
    async () => mirror.list('appointment').find(one => one.uuid === alone.uuid)?.participations.length,
  )
  for (const [who, { customerReference }] of people.entries()) {
    const renamed = unique('renamed')
    await ok(holdfast.crm.put(at('customers', customerReference), { customerReference: renamed }))
    if (who === 1) await ok(holdfast.crm.delete(at('customers', renamed)))
  }
  // Merged with a booking, and separated again; another one stays merged and its Customer is renamed.
  for (let count = 0; count < 3; count++) people.push(await makeCustomer(holdfast.crm, practice))
  for (const who of [2, 3, 4])
    await join(await makeAppointment(holdfast.crm, shared, dayOf(who)), who, 'BOOKED')
  const into = at('customers', people[2]!.customerReference)
  const { body: undone } = await ok(
    holdfast.crm.post(`${into}/merge`, { customerReference: people[3]!.customerReference }),
  )
  await ok(holdfast.crm.post(`${into}/merge`, { customerReference: people[4]!.customerReference }))
  await ok(holdfast.crm.post(`${into}/merges/${undone.merge.uuid}/undo`, {}))
  await ok(holdfast.crm.put(into, { customerReference: unique('renamed') }))
  const doomed = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, doomed)
  await makeAppointment(holdfast.crm, doomed, { start: '2024-03-05T10:00', end: '2024-03-05T11:00' })
  await makeAppointment(holdfast.crm, doomed)
  await ok(holdfast.crm.delete(`${at('resources', doomed.resource)}?ignoreFutureAppointments`))
}

/** Timeslots of opening hours have no events of their own. */
async function openingHours() {
  const rule = {
    weekdays: ['1', '2', '3', '4', '5', '6', '7'],
    raster: 30,
    capacity: 1,
    acceptBookings: true,
  }
  const open = (room: Practice, from: string, to: string) =>
    ok(
      consoleCall(holdfast.app, 'PUT', `/resources/${room.resourceUuid}/hours`, {
        hoursWeeks: 2,
        rules: [{ ...rule, from, to }],
      }),
    )
  const extended = await makeRoom(holdfast.crm, practice)
  const changed = await makeRoom(holdfast.crm, practice)
  for (const room of [extended, changed]) await open(room, '08:00', '12:00')
  // Another zone, and the daily job.
  await ok(
    consoleCall(holdfast.app, 'PATCH', `/providers/${practice.uuid}`, { timeZone: 'America/New_York' }),
  )
  holdfast.clock.shiftMs += 26 * 3_600_000
  await extendHours(holdfast.service)
  // Other hours remove a Timeslot that was changed, and keep one for its booking, until that is cancelled.
  const { cancelLink } = await bookAt(consumer, slotsOf(await consumer.list(changed.resource)).at(-1)!)
  const made = await read.timeslots(changed.resource, '2020-01-01T00:00', '2040-01-01T00:00')
  await ok(holdfast.crm.put(at('timeslots', made.at(-3)!.reference), { raster: 15 }))
  await open(changed, '14:00', '18:00')
  await ok(consumer.cancel(cancelLink))
  await extendHours(holdfast.service)
}

/** Follows the log, until it has seen all events once `isOver`. */
async function follow(apply: (event: MirroredEvent) => Promise<void>, isOver: () => boolean) {
  for (let after = '', seen = 0; ; ) {
    const wasOver = isOver()
    const { body } = await holdfast.crm.get(`/events?limit=50${after && `&after=${after}`}`)
    for (const event of body.events) await apply(event)
    after = body.next
    seen += body.events.length
    if (wasOver && seen >= (await eventCount(holdfast))) return
  }
}

it('a copy that applies events alone equals the service, by log and by webhook', async () => {
  const seed = 4711
  const received: MirroredEvent[] = []
  const receiver = await startReceiver(({ json }) => {
    received.push(json as unknown as MirroredEvent)
    return { status: received.length % 20 === 0 ? 500 : 204 }
  })
  const { body: hook } = await holdfast.crm.post('/webhooks', { url: receiver.url })
  const since = (await holdfast.crm.get('/events?limit=500')).body.events as MirroredEvent[]
  received.push(...since)
  runJobs(holdfast)

  const mirror = startMirror(read)
  let isOver = false
  const following = follow(mirror.apply, () => isOver)
  const participations = Array.from({ length: 101 }, (_, index) => ({
    reference: unique('many'),
    name: 'Max Many',
    email: `many${index}@example.org`,
    state: 'BOOKED',
  }))
  const large = await makeAppointment(holdfast.crm, practice, { capacity: 200, participations })
  await rareScenes(mirror)
  await openingHours()
  const work = Array.from({ length: 4 }, (_, index) => client(randomFrom(seed + index), 30))
  await Promise.all([...work, joinMany(large.reference)])
  // All holds lapse; the jobs find that.
  holdfast.clock.shiftMs += 3_600_000
  await tidy(holdfast.service)
  isOver = true
  await following

  const shown = await listed(holdfast.crm, practice.path)
  const count = await eventCount(holdfast)
  console.info(`${count} events`, Object.fromEntries(copiedNouns.map(noun => [noun, shown[noun].length])))
  for (const noun of copiedNouns)
    expect(strip(noun, mirror.list(noun)), noun).toEqual(strip(noun, shown[noun]))

  // The webhook's events, in any order, some twice.
  await eventually(async () => {
    // Those that failed are sent again after a while.
    holdfast.clock.shiftMs += 60_000
    return new Set(received.map(one => one.sequence)).size >= count
  }, 60)
  const shuffled = shuffle([...received, ...received.slice(0, 200)], randomFrom(seed))
  const second = startMirror(read)
  for (const event of shuffled) await second.apply(event)
  for (const noun of copiedNouns)
    expect(strip(noun, second.list(noun)), noun).toEqual(strip(noun, shown[noun]))
  await holdfast.crm.delete(`/webhooks/${hook.webhook.uuid}`)
  await receiver.close()
}, 120_000)

/**
 * `appointments` of a Timeslot is a view of the Appointments, which have their own events. Calls of tests leave out
 * `updatedAt`, webhooks do not.
 */
const strip = (noun: string, list: Copied[]): Copied[] => {
  const isLeftOut = (name: string) => name === 'updatedAt' || (noun === 'timeslot' && name === 'appointments')
  return JSON.parse(JSON.stringify(list, (name, value) => (isLeftOut(name) ? undefined : value)))
}

async function joinMany(appointmentReference: string) {
  const many = Array.from({ length: 4 }, () => ({
    customerReference: unique('many'),
    providerReference: practice.reference,
    userName: 'Max Many',
  }))
  await holdfast.crm.post(`${practice.path}/customers`, { customers: many })
  for (const { customerReference } of many) {
    const body = { reference: customerReference, appointmentReference, customerReference, state: 'BOOKED' }
    await holdfast.crm.post(`${practice.path}/participations`, body)
  }
}

function shuffle<T>(list: T[], random: Random): T[] {
  for (let index = list.length - 1; index > 0; index--) {
    const other = random.below(index + 1)
    ;[list[index], list[other]] = [list[other]!, list[index]!]
  }
  return list
}
