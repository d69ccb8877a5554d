// Many concurrent clients, over real connections and two instances of the service on one database.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  makeAppointment,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setProduct,
} from '../support/build.ts'
import {
  asConsumer,
  bookingOf,
  type Consumer,
  holdOf,
  newPerson,
  overHttp,
  type Slot,
  slotsOf,
} from '../support/consumer.ts'
import { useSecondInstance } from '../support/instances.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { type Answer, useService } from '../support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const holdfast = await useService()
const apps = [holdfast.app, await useSecondInstance(holdfast)]
const origins = await Promise.all(apps.map(app => app.listen({ port: 0, host: '127.0.0.1' })))
/** One for each instance; clients use both in turn. */
const consumers = origins.map(origin => asConsumer(overHttp(origin)))
const practice = await makePractice(holdfast.crm)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Body = Record<string, Answer['body']>
const crowd = 200
const one = () => consumers[0]!
const someone = (number: number) => consumers[number % consumers.length]!

async function roomWith(fields: Body = {}, where?: Practice) {
  const place = where ?? (await makeRoom(holdfast.crm, practice))
  const timeslot = await makeTimeslot(holdfast.crm, place, { end: '2030-01-07T08:30', ...fields })
  return { ...place, timeslot: timeslot.uuid }
}
const slots = async (where: Practice) => slotsOf(await one().list(where.resource))
const first = async (where: Practice) => (await slots(where))[0]!

const allAtOnce = <T>(count: number, work: (number: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)))

/** The number of times each answer was returned: { '201': 1, '412/201': 199 }. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = body?.errors ? `${status}/${body.errors[0].errorCode}` : String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

async function query(text: string, ...values: unknown[]): Promise<Body[]> {
  return await holdfast.query(text, values)
}

/** The active Appointments of the Resource, with the number of places taken. */
const appointmentsOf = ({ resourceUuid }: Practice) =>
  query(
    `select appointment.id, appointment.capacity, appointment.origin,
       coalesce(sum(places) filter (where participation.state in ('BOOKED', 'REQUESTED')), 0)::int as booked
     from appointment join resource on resource.id = resource_id
     left join participation on participation.appointment_id = appointment.id
     where resource.uuid = $1 and appointment.state = 'ACTIVE' and appointment.deleted_at is null
     group by appointment.id`,
    resourceUuid,
  )

const mailsAbout = async ({ resourceUuid }: Practice, kind: string) =>
  (
    await query(
      `select count(*)::int as count from mail join participation on participation.id = participation_id
       join appointment on appointment.id = appointment_id join resource on resource.id = resource_id
       where resource.uuid = $1 and kind = $2`,
      resourceUuid,
      kind,
    )
  )[0]!.count

describe(`${crowd} parallel completes of one place`, () => {
  it('without holds: one 201, 199 times 412/201, no 5xx, one email', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const answers = await allAtOnce(crowd, number =>
      someone(number).complete(where.resource, bookingOf(slot)),
    )
    expect(tally(answers)).toEqual({ 201: 1, '412/201': crowd - 1 })
    expect(await appointmentsOf(where)).toMatchObject([{ booked: 1 }])
    expect(await mailsAbout(where, 'booked')).toBe(1)
  })

  it('with holds: one gets the hold, and only the holder books', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const held = await allAtOnce(crowd, number => someone(number).reserve(where.resource, holdOf(slot)))
    expect(tally(held)).toEqual({ 200: 1, '412/201': crowd - 1 })
    const winner = held.findIndex(answer => answer.status === 200)
    const answers = await allAtOnce(crowd, number => {
      const placeholder_id = held[number]!.body.participation?.customer_uuid ?? crypto.randomUUID()
      return someone(number + 1).complete(where.resource, bookingOf(slot, { placeholder_id }))
    })
    expect(tally(answers)).toEqual({ 201: 1, '412/201': crowd - 1 })
    expect(answers.findIndex(answer => answer.status === 201)).toBe(winner)
    expect(await appointmentsOf(where)).toMatchObject([{ booked: 1 }])
  })

  it('when the hold has just expired: one of them books, the late holder included', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { body } = await one().reserve(where.resource, holdOf(slot))
    holdfast.clock.shiftMs = 181_000
    const answers = await allAtOnce(crowd, number =>
      someone(number).complete(
        where.resource,
        bookingOf(slot, number === 100 ? { placeholder_id: body.participation.customer_uuid } : {}),
      ),
    )
    expect(tally(answers)).toEqual({ 201: 1, '412/201': crowd - 1 })
    expect(await appointmentsOf(where)).toMatchObject([{ booked: 1 }])
  })

  it('for several places each, with and without holds: never more than there are', async () => {
    await setProduct(holdfast, practice.productUuid, { maxPlaces: 3 })
    const where = await roomWith({ defaultCapacity: 10 })
    const slot = await first(where)
    const answers = await allAtOnce(60, async number => {
      const places = { place_count: 1 + (number % 3) }
      const by = someone(number)
      if (number % 2) return by.complete(where.resource, bookingOf(slot, places))
      const held = await by.reserve(where.resource, holdOf(slot, places))
      const placeholder_id = held.body.participation?.customer_uuid
      return placeholder_id ? by.complete(where.resource, bookingOf(slot, { placeholder_id })) : held
    })
    const counts = tally(answers)
    expect(Object.keys(counts).sort()).toEqual(['201', '412/201'])
    const sold = answers.reduce((sum, { body }) => sum + (body.createdAppointment?.place_count ?? 0), 0)
    expect(await appointmentsOf(where)).toMatchObject([{ capacity: 10, booked: sold }])
    // Single places were wanted until the end, so none is left.
    expect(sold).toBe(10)
  })

  it('by one person who presses the button 50 times: one booking, one email', async () => {
    const where = await roomWith({ defaultCapacity: 5 })
    const slot = await first(where)
    const { body } = await one().reserve(where.resource, holdOf(slot))
    const person = newPerson()
    const request = bookingOf(slot, { ...person, placeholder_id: body.participation.customer_uuid })
    const answers = await allAtOnce(50, number => someone(number).complete(where.resource, request))
    expect(tally(answers)).toEqual({ 201: 50 })
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(await appointmentsOf(where)).toMatchObject([{ booked: 1 }])
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
  })

  it('by one person without a hold: one booking, the others get 412/202', async () => {
    const where = await roomWith({ defaultCapacity: 5 })
    const request = bookingOf(await first(where))
    const answers = await allAtOnce(50, number => someone(number).complete(where.resource, request))
    expect(tally(answers)).toEqual({ 201: 1, '412/202': 49 })
  })
})

describe(`${crowd} concurrent first bookings of a group of 5`, () => {
  it('completing: one Appointment, 5 places', async () => {
    const where = await roomWith({ defaultCapacity: 5 })
    const slot = await first(where)
    const answers = await allAtOnce(crowd, number =>
      someone(number).complete(where.resource, bookingOf(slot)),
    )
    expect(tally(answers)).toEqual({ 201: 5, '412/201': crowd - 5 })
    expect(await appointmentsOf(where)).toMatchObject([{ booked: 5, capacity: 5 }])
    const left = answers.flatMap(({ body }) => body.createdAppointment?.capacity_left ?? [])
    expect(left.sort()).toEqual([0, 1, 2, 3, 4])
  })

  it('reserving, then completing: one Appointment, 5 holds, 5 places', async () => {
    const where = await roomWith({ defaultCapacity: 5 })
    const slot = await first(where)
    const held = await allAtOnce(crowd, number => someone(number).reserve(where.resource, holdOf(slot)))
    expect(tally(held)).toEqual({ 200: 5, '412/201': crowd - 5 })
    const answers = await allAtOnce(crowd, number => {
      const placeholder_id = held[number]!.body.participation?.customer_uuid
      return someone(number).complete(where.resource, bookingOf(slot, { placeholder_id }))
    })
    expect(tally(answers)).toEqual({ 201: 5, '412/201': crowd - 5 })
    expect(await appointmentsOf(where)).toMatchObject([{ booked: 5 }])
  })

  it('of overlapping slots of different lengths: nothing overlaps', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, { leadTimeMinutes: 10, followUpTimeMinutes: 20 })
    const where = await roomWith({ end: '2030-01-07T12:00' }, shop)
    const list = await slots(where)
    const answers = await allAtOnce(crowd, number => {
      const slot = list[number % list.length]!
      const end = list[Math.min((number % list.length) + (number % 3), list.length - 1)]!.end
      return someone(number).complete(where.resource, bookingOf(slot, { end }))
    })
    expect(Object.keys(tally(answers)).sort()).toEqual(['201', '412/201'])
    expect(await overlaps()).toEqual([])
  })
})

describe('requests', () => {
  const requestIn = async (where: Practice) => {
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const person = newPerson()
    const slot = await first(where)
    await one().complete(where.resource, bookingOf(slot, person))
    const { body } = await holdfast.crm.get(`${where.path}/appointments?resourceRef=${where.resource}`)
    return { person, slot, reference: body[0].participations[0].reference as string }
  }

  it('confirmed 20 times at once: one email', async () => {
    const where = await roomWith()
    const { person, reference } = await requestIn(where)
    const path = `${practice.path}/participations/${encodeURIComponent(reference)}`
    const answers = await allAtOnce(20, () => holdfast.crm.post(path, { state: 'BOOKED' }))
    expect(tally(answers)).toEqual({ 200: 20 })
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['requested', 'booked'])
  })

  it('confirmed and declined at once: one wins, and only its email is sent', async () => {
    for (let round = 0; round < 5; round++) {
      const where = await roomWith()
      const { person, reference } = await requestIn(where)
      const path = `${practice.path}/participations/${encodeURIComponent(reference)}`
      const answers = await allAtOnce(6, number =>
        holdfast.crm.post(path, { state: number % 2 ? 'BOOKED' : 'CANCELED' }),
      )
      const kinds = await mailKindsTo(holdfast, person.email)
      // A booking may be cancelled after it was confirmed; a request that was declined stays declined.
      expect([
        ['requested', 'declined'],
        ['requested', 'booked', 'cancelled'],
      ]).toContainEqual(kinds)
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    }
  })

  it('a pending request takes the place: no other client can request it, so no two are confirmed', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const slot = await first(where)
    const answers = await allAtOnce(50, number => someone(number).complete(where.resource, bookingOf(slot)))
    expect(tally(answers)).toEqual({ 201: 1, '412/201': 49 })
    expect(await mailsAbout(where, 'request-notice')).toBe(1)
  })
})

describe('against the provider', () => {
  it('a reserve and the provider’s own Appointment at once: the second sees the first', async () => {
    const outcomes: Record<string, number> = {}
    for (let round = 0; round < 15; round++) {
      const where = await roomWith()
      const slot = await first(where)
      const [reserved] = await Promise.all([
        someone(round).reserve(where.resource, holdOf(slot)),
        makeAppointment(holdfast.crm, where, {
          start: '2030-01-07T08:00',
          end: '2030-01-07T08:30',
          capacity: 1,
        }),
      ])
      const name = String(reserved.status)
      outcomes[name] = (outcomes[name] ?? 0) + 1
      const rows = await query(
        `select origin from appointment join resource on resource.id = resource_id where resource.uuid = $1 order by appointment.id`,
        where.resourceUuid,
      )
      // The provider may overlap on purpose; a consumer never can.
      if (reserved.status === 200) expect(rows.map(row => row.origin)).toEqual(['consumer', 'provider'])
      else {
        expect([reserved.status, reserved.body.errors[0].errorCode]).toEqual([412, '201'])
        expect(rows.map(row => row.origin)).toEqual(['provider'])
      }
    }
    expect(Object.values(outcomes).reduce((a, b) => a + b)).toBe(15)
  })

  it('completing while the provider cancels, closes or deletes never ends in a 5xx', async () => {
    for (let round = 0; round < 10; round++) {
      const where = await roomWith({ defaultCapacity: 5 })
      const slot = await first(where)
      const held = await one().reserve(where.resource, holdOf(slot))
      const rows = await holdfast.query('select reference from timeslot where uuid = $1', [where.timeslot])
      const timeslot = `${practice.path}/timeslots/${encodeURIComponent(rows[0].reference)}`
      const { body } = await holdfast.crm.get(`${practice.path}/appointments?resourceRef=${where.resource}`)
      const answers = await Promise.all([
        ...[0, 1, 2].map(number => someone(number).complete(where.resource, bookingOf(slot))),
        one().complete(
          where.resource,
          bookingOf(slot, { placeholder_id: held.body.participation.customer_uuid }),
        ),
        holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: body[0].reference }),
        holdfast.crm.put(timeslot, { state: 'CREATED' }),
        holdfast.crm.delete(timeslot),
        one().release(where.resource, held.body.participation.customer_uuid),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }
  })

  it('many Resources at once, exchanging holds: no deadlock reaches a client', async () => {
    const rooms = await allAtOnce(4, () => roomWith({ end: '2030-01-07T18:00' }))
    const lists = await Promise.all(rooms.map(slots))
    const own: (string | undefined)[] = Array(20).fill(undefined)
    const answers: Answer[] = []
    for (let round = 0; round < 5; round++)
      await allAtOnce(20, async number => {
        const room = (number + round) % rooms.length
        const slot = lists[room]![(number * 7 + round) % lists[room]!.length]!
        const request = holdOf(slot, { placeholder_id: own[number] })
        const answer = await someone(number).reserve(rooms[room]!.resource, request)
        answers.push(answer)
        if (answer.status === 200) own[number] = answer.body.participation.customer_uuid
      })
    expect(Object.keys(tally(answers)).filter(name => name !== '200' && name !== '412/201')).toEqual([])
    const [{ holds }] = (await query(
      `select count(*)::int as holds from participation join appointment on appointment.id = appointment_id
       join resource on resource.id = resource_id where resource.uuid = any ($1) and participation.state = 'RESERVED'`,
      rooms.map(room => room.resourceUuid),
    )) as [Body]
    expect(holds).toBe(own.filter(Boolean).length)
  })
})

describe('two instances on one database', () => {
  it('each reads the list right after the other’s change was acknowledged: never stale, 100 rounds', async () => {
    const where = await roomWith({ start: '2030-01-07T00:00', end: '2030-01-07T08:00', raster: 10 })
    const isListed = async (reader: Consumer, slot: Slot) => {
      const list = slotsOf(await reader.list(where.resource))
      return list.some(other => other.start === slot.start && other.kind === 'models.Bookable')
    }
    let stale = 0
    for (let round = 0; round < 100; round++) {
      const slot = await first(where)
      const writer = someone(round)
      const reader = someone(round + 1)
      if (!(await isListed(reader, slot))) stale++
      if (round % 3 === 0) {
        await writer.complete(where.resource, bookingOf(slot))
        if (await isListed(reader, slot)) stale++
        continue
      }
      const { body } = await writer.reserve(where.resource, holdOf(slot))
      if (await isListed(reader, slot)) stale++
      await reader.release(where.resource, body.participation.customer_uuid)
      if (!(await isListed(writer, slot))) stale++
    }
    expect(stale).toBe(0)
  })

  it('neither is stale under many concurrent readers', async () => {
    const where = await roomWith({ start: '2030-01-07T00:00', end: '2030-01-07T08:00', raster: 20 })
    let isOver = false
    const readers = allAtOnce(8, async number => {
      let reads = 0
      for (; !isOver; reads++) await someone(number).list(where.resource)
      return reads
    })
    const list = await slots(where)
    let stale = 0
    for (const [round, slot] of list.entries()) {
      await someone(round).complete(where.resource, bookingOf(slot))
      for (const reader of consumers)
        if (slotsOf(await reader.list(where.resource)).some(other => other.start === slot.start)) stale++
    }
    isOver = true
    await readers
    expect(stale).toBe(0)
  })
})

/** Pairs of active consumer Appointments whose blocked spans overlap. */
const overlaps = () =>
  query(
    `select a.id, b.id from appointment a join appointment b on a.resource_id = b.resource_id and a.id < b.id
       and a.blocked_from < b.blocked_to and b.blocked_from < a.blocked_to
     where a.origin = 'consumer' and b.origin = 'consumer' and a.state = 'ACTIVE' and b.state = 'ACTIVE'
       and a.deleted_at is null and b.deleted_at is null`,
  )

const oversold = () =>
  query(
    `select appointment.id from appointment join participation on appointment_id = appointment.id
     where participation.state in ('BOOKED', 'REQUESTED')
       or (participation.state = 'RESERVED' and participation.expires_at > now() + $1::interval)
     group by appointment.id having count(*) > appointment.capacity`,
    `${holdfast.clock.shiftMs} milliseconds`,
  )

it('20 clients hold, book, release, cancel and let holds expire at random: nothing oversold, nothing lost', async () => {
  const shop = await makePractice(holdfast.crm)
  await setProduct(holdfast, shop.productUuid, { followUpTimeMinutes: 10 })
  const where = await roomWith({ end: '2030-01-07T14:00', raster: 20, defaultCapacity: 2 }, shop)
  const answers: Answer[] = []
  const kept = new Map<string, string>()
  const noted = (answer: Answer) => {
    answers.push(answer)
    return answer
  }

  async function live(number: number) {
    const me = someone(number)
    for (let step = 0; step < 12; step++) {
      const chance = Math.random()
      const list = slotsOf(noted(await me.list(where.resource)))
      const slot = list[Math.floor(Math.random() * list.length)]
      const [link] = [...kept.values()].filter(() => chance < 0.25)
      if (link && chance < 0.25) {
        const [email] = [...kept].find(([_key, other]) => other === link)!
        kept.delete(email)
        noted(await me.cancel(link))
      } else if (slot) {
        const held = noted(await me.reserve(where.resource, holdOf(slot)))
        if (held.status !== 200 || chance < 0.35) continue
        const placeholder_id = held.body.participation.customer_uuid
        if (chance < 0.5) {
          noted(await me.release(where.resource, placeholder_id))
          continue
        }
        // Time passes for all clients: every current hold expires.
        if (chance > 0.95) holdfast.clock.shiftMs += 181_000
        const person = newPerson()
        const { status, body } = noted(
          await me.complete(where.resource, bookingOf(slot, { ...person, placeholder_id })),
        )
        if (status === 201) kept.set(person.email, body.createdAppointment.cancelLink)
      }
    }
  }
  await allAtOnce(20, live)

  expect(
    Object.keys(tally(answers)).filter(
      name => !['200', '201', '204', '303', '412/201', '410'].includes(name),
    ),
  ).toEqual([])
  expect(await overlaps()).toEqual([])
  expect(await oversold()).toEqual([])
  const booked = await query(
    `select email from participation join appointment on appointment.id = appointment_id
     join resource on resource.id = resource_id
     where resource.uuid = $1 and participation.state = 'BOOKED' and appointment.state = 'ACTIVE'`,
    where.resourceUuid,
  )
  expect(booked.map(row => row.email).sort()).toEqual([...kept.keys()].sort())
  const promised = answers.filter(({ status }) => status === 201).length
  expect(await mailsAbout(where, 'booked')).toBe(promised)
  expect(await mailsAbout(where, 'cancelled')).toBe(promised - kept.size)
  expect(promised).toBeGreaterThan(10)
})
