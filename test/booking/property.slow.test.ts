// Listed if and only if reservable: on the pure rules with thousands of made-up Resources, and end to end.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Bookable } from '../../src/rules/offers/bookables.ts'
import { busySpansOf, findOverlap, spansOf } from '../../src/rules/offers/busy-spans.ts'
import { bookablesOfDay, cutIntoDays, daysAround, reachOf } from '../../src/rules/offers/list-days.ts'
import { listedLength, type Placement, place, type SlotRequest } from '../../src/rules/offers/slots.ts'
import { staffTimesOf } from '../../src/rules/offers/staff-times.ts'
import {
  type Appointment,
  blockedSpan,
  type Closure,
  day,
  minute,
  type Product,
  type Timeslot,
  type Window,
} from '../../src/rules/offers/window.ts'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeProduct,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
  setProduct,
  unique,
} from '../support/build.ts'
import {
  asConsumer,
  bookingOf,
  type Consumer,
  holdOf,
  newPerson,
  overHttp,
  slotsOf,
} from '../support/consumer.ts'
import { consoleCall, startTestService, type TestService } from '../support/service.ts'
import { inOneGo, listingOf } from '../support/windows.ts'

vi.setConfig({ testTimeout: 60_000 })

const monday = Date.parse('2030-01-07T00:00:00Z')

/** A number of steps of five minutes. */
const fives = (from: number, to: number) => fc.integer({ min: from / 5, max: to / 5 }).map(steps => steps * 5)
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const aProduct = fc
  .record({
    durations: fc.tuple(orNull(fc.integer({ min: 1, max: 150 })), orNull(fc.integer({ min: 1, max: 200 }))),
    leadTimeMinutes: orNull(fives(0, 60)),
    followUpTimeMinutes: orNull(fives(0, 60)),
  })
  .map(({ durations: [a, b], ...buffers }): Product => {
    const [min, max] = a !== null && b !== null && a > b ? [b, a] : [a, b]
    return { id: 0, uuid: '', name: 'Product', minDuration: min, maxDuration: max, ...buffers }
  })

const aTimeslot = fc
  .record({
    start: fives(0, 600),
    length: fc.integer({ min: 10, max: 480 }),
    raster: fc.constantFrom(5, 10, 15, 20, 25, 30, 45, 60, 90),
    capacity: fc.constantFrom(0, 1, 1, 1, 2, 3),
    bookable: fc.constantFrom(true, true, true, true, false),
  })
  .map(({ start, length, ...rest }): Timeslot => {
    const from = monday + start * minute
    return { id: 0, uuid: '', start: from, end: from + length * minute, ...rest }
  })

/** On the grid of a Timeslot, as consumers make them, or anywhere, as providers do. */
const anAppointment = fc.record({
  timeslot: orNull(fc.nat()),
  line: fc.nat({ max: 40 }),
  lies: fc.boolean(),
  product: fc.nat(),
  start: fives(0, 1000),
  length: fives(5, 150),
  capacity: fc.nat({ max: 3 }),
  taken: fc.nat({ max: 4 }),
  open: fc.boolean(),
})
type AppointmentSeed = typeof anAppointment extends fc.Arbitrary<infer T> ? T : never

const aClosure = fc
  .record({ start: fives(-60, 1000), length: fives(5, 300) })
  .map(({ start, length }): Closure => {
    const from = monday + start * minute
    return { from, to: from + length * minute, reason: null, isBlock: false }
  })

const aWindow = fc
  .record({
    archived: fc.constantFrom(false, false, false, false, false, false, false, true),
    products: fc.array(aProduct, { minLength: 1, maxLength: 3 }),
    timeslots: fc.array(aTimeslot, { minLength: 1, maxLength: 3 }),
    appointments: fc.array(anAppointment, { maxLength: 6 }),
    closures: fc.oneof(fc.constant<Closure[]>([]), fc.array(aClosure, { maxLength: 3 })),
    visible: fc.constantFrom(true, true, true, true, true, true, true, false),
    offered: orNull(fc.array(fc.nat({ max: 3 }), { maxLength: 3 })),
    minimumNoticeMinutes: fc.constantFrom(0, 0, 0, 30, 120, 1440),
    horizonDays: fc.constantFrom(null, null, 1, 2),
    showFull: fc.boolean(),
  })
  .map(({ archived, products, timeslots, appointments, closures, visible, offered, ...rules }): Window => {
    const named = products.map((one, index) => ({ ...one, id: index + 1, uuid: `product-${index + 1}` }))
    const slots = timeslots
      .map((one, index) => ({ ...one, id: index + 1, uuid: `timeslot-${index + 1}` }))
      .sort((a, b) => a.start - b.start)
    return {
      archived,
      channel: { visible, productIds: offered, ...rules },
      products: named,
      timeslots: slots,
      appointments: appointments.map((seed, index) => appointmentFrom(seed, index + 1, named, slots)),
      closed: spansOf(closures),
    }
  })

function appointmentFrom(
  seed: AppointmentSeed,
  id: number,
  products: Product[],
  slots: Timeslot[],
): Appointment {
  const product = products[seed.product % products.length]!
  const slot = seed.timeslot === null ? null : slots[seed.timeslot % slots.length]!
  const step = slot ? slot.raster * minute : 0
  const start = slot ? slot.start + seed.line * step : monday + seed.start * minute
  const end = start + (slot ? listedLength(product, step) : seed.length * minute)
  const blocked = blockedSpan(start, end, product)
  const around = slots.find(one => one.bookable && one.start <= start && one.end >= end)
  return {
    id,
    uuid: `appointment-${id}`,
    reference: `appointment-${id}`,
    timeslotUuid: slot?.uuid ?? (seed.lies ? (around?.uuid ?? null) : null),
    productId: product.id,
    productName: null,
    start,
    end,
    blockedFrom: blocked.from,
    blockedTo: blocked.to,
    capacity: seed.capacity,
    taken: seed.taken,
    open: seed.open,
    holdUntil: null,
  }
}

const aMoment = fives(-2880, 1440).map(minutes => monday + minutes * minute)

const everything = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
const wanting = (productId: number | null) => (id: number) => productId === null || id === productId
const listOf = (window: Window, now: number, productId: number | null = null) =>
  listingOf(window, { now, wants: wanting(productId), ...everything }).bookables
const isGranted = (result: ReturnType<typeof place>): result is Placement => !('reason' in result)

/** The requests that a listed slot offers: one for each of its Products. */
function requestsFor(
  { start, end, timeslotUuid, appointment, products }: Bookable,
  window: Window,
): SlotRequest[] {
  if (appointment) return products.map(({ id }) => ({ productId: id, appointment }))
  const timeslot = window.timeslots.find(one => one.uuid === timeslotUuid)!
  if (products.length === 1) return [{ productId: products[0]!.id, timeslot, start, end }]
  return products.map(product => {
    const length = listedLength(product, timeslot.raster * minute)
    return { productId: product.id, timeslot, start, end: start + length }
  })
}

/** Every raster line of every Timeslot, and some around them, for every Product. */
function gridOf({ timeslots, products }: Window) {
  return timeslots.flatMap(timeslot => {
    const step = timeslot.raster * minute
    const count = Math.ceil((timeslot.end - timeslot.start) / step)
    return Array.from({ length: count + 4 }, (_, index) => timeslot.start + (index - 2) * step).flatMap(
      start =>
        products.map(product => ({ timeslot, product, start, end: start + listedLength(product, step) })),
    )
  })
}

const runs = { numRuns: 1000 }

describe('the search of staff', () => {
  it('finds what the public list has, and says why for everything else', () => {
    const reasons = new Set<string | null>()
    fc.assert(
      fc.property(aWindow, aMoment, fc.boolean(), (window, now, includeClosed) => {
        for (const product of window.products) {
          const request = { product, now, ...everything, duration: null, moving: null, includeClosed }
          const times = inOneGo(staffTimesOf(window, request))
          const listed = listOf(window, now, product.id).filter(one => one.capacityLeft > 0)
          const nameOf = (one: { start: number; end: number; capacityLeft: number }, joined: string | null) =>
            // A list rounds the length of a Product up to full steps.
            `${one.start} ${product.minDuration === null && one.end} ${one.capacityLeft} ${joined}`
          const found = times.filter(one => one.notPublic === null)
          for (const { notPublic } of times) reasons.add(notPublic)
          expect(found.map(one => nameOf(one, one.appointmentUuid)).sort()).toEqual(
            listed.map(one => nameOf(one, one.appointment?.uuid ?? null)).sort(),
          )
        }
      }),
      runs,
    )
    for (const reason of ['notice', 'horizon', 'channel', 'not-bookable', 'product', 'closed'])
      expect(reasons).toContain(reason)
  })
})

describe('listed if and only if reservable, by the rules', () => {
  it('grants every listed slot for each of its Products, with and without prdRef', () => {
    fc.assert(
      fc.property(aWindow, aMoment, (window, now) => {
        for (const productId of [null, ...window.products.map(one => one.id)])
          for (const bookable of listOf(window, now, productId)) {
            const results = requestsFor(bookable, window).map(request => place(window, request, now))
            // Only a channel that shows full ones lists what cannot be had, and says so.
            if (bookable.appointment && bookable.capacityLeft === 0) {
              expect(window.channel.showFull).toBe(true)
              expect(results.some(isGranted)).toBe(false)
            } else expect(results.every(isGranted)).toBe(true)
          }
      }),
      runs,
    )
  })

  it('lists every granted request on the grid once, with and without prdRef', () => {
    let granted = 0
    let elsewhere = 0
    fc.assert(
      fc.property(aWindow, aMoment, (window, now) => {
        const all = listOf(window, now)
        const lists = new Map(window.products.map(({ id }) => [id, listOf(window, now, id)]))
        for (const { timeslot, product, start, end } of gridOf(window)) {
          const result = place(window, { timeslot, productId: product.id, start, end }, now)
          const appointmentId =
            isGranted(result) && result.kind === 'join' ? result.appointment.id : undefined
          const isThis = (one: Bookable) => one.timeslotUuid === timeslot.uuid
          const isIt = (one: Bookable) =>
            one.start === start &&
            one.appointment?.id === appointmentId &&
            (one.appointment === null || isThis(one)) &&
            one.products.some(({ id }) => id === product.id)
          const filtered = lists.get(product.id)!
          if (isGranted(result)) {
            granted++
            // Once, with this Timeslot or with one that has the same start and at least as many places.
            expect(all.filter(isIt)).toHaveLength(1)
            const [listed, ...more] = filtered.filter(isIt)
            expect(more).toEqual([])
            if (isThis(listed!)) expect(listed!.end).toBe(end)
            else {
              expect(listed!.capacity).toBeGreaterThanOrEqual(timeslot.capacity)
              elsewhere++
            }
          } else
            for (const list of [all, filtered])
              expect(list.some(one => isIt(one) && isThis(one) && one.capacityLeft > 0)).toBe(false)
        }
      }),
      runs,
    )
    expect(granted).toBeGreaterThan(1000)
    expect(elsewhere).toBeGreaterThan(0)
  })

  it('lists the start of every other granted request for its Product', () => {
    let granted = 0
    const aRequest = fc.record({
      slot: fc.nat(),
      product: fc.nat(),
      line: fc.nat({ max: 20 }),
      off: fives(0, 20),
      steps: fc.nat({ max: 5 }),
      length: fc.integer({ min: 1, max: 240 }),
    })
    fc.assert(
      fc.property(
        aWindow,
        aMoment,
        fc.array(aRequest, { minLength: 5, maxLength: 20 }),
        (window, now, requests) => {
          for (const { slot, product, line, off, steps, length } of requests) {
            const timeslot = window.timeslots[slot % window.timeslots.length]!
            const { id, minDuration, maxDuration } = window.products[product % window.products.length]!
            const step = timeslot.raster * minute
            const start = timeslot.start + line * step + (off > 15 ? off * minute : 0)
            for (const span of [
              steps * step,
              length * minute,
              (minDuration ?? 1) * minute,
              (maxDuration ?? 1) * minute,
            ]) {
              const result = place(window, { timeslot, productId: id, start, end: start + span }, now)
              if (!isGranted(result)) continue
              granted++
              expect(
                listOf(window, now, id).some(
                  one =>
                    one.start === start &&
                    (one.timeslotUuid === timeslot.uuid || one.capacity >= timeslot.capacity),
                ),
              ).toBe(true)
              if (result.kind === 'new') expect(result.end).toBeLessThanOrEqual(timeslot.end)
            }
          }
        },
      ),
      runs,
    )
    expect(granted).toBeGreaterThan(200)
  })

  it('lists slots in order of time, each once, between from and to', () => {
    fc.assert(
      fc.property(aWindow, aMoment, aMoment, fives(0, 1440), (window, now, from, minutes) => {
        const to = from + minutes * minute
        const all = listOf(window, now)
        const bounded = listingOf(window, { now, wants: wanting(null), from, to }).bookables
        expect(bounded).toEqual(all.filter(one => one.start >= from && one.start < to))
        expect(all).toEqual(all.toSorted((a, b) => a.start - b.start))
        const names = all.map(one => `${one.appointment?.id ?? one.timeslotUuid} ${one.start}`)
        expect(new Set(names).size).toBe(names.length)
        const free = all.filter(one => one.appointment === null)
        const starts = free.flatMap(one => one.products.map(({ id }) => `${one.start} ${id}`))
        expect(new Set(starts).size).toBe(starts.length)
      }),
      runs,
    )
  })

  it('a list does not change before the moment it names', () => {
    fc.assert(
      fc.property(
        aWindow,
        aMoment,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (window, now, part) => {
          const { bookables, validUntil } = listingOf(window, { now, wants: wanting(null), ...everything })
          const end = Math.min(validUntil, now + 10 * day)
          const later = now + Math.min(Math.floor((end - now) * part), end - now - 1)
          expect(listOf(window, later)).toEqual(bookables)
        },
      ),
      runs,
    )
  })
})

describe('a list split into days, by the rules', () => {
  const aShift = fives(0, 1435).map(minutes => minutes * minute)
  const daysOf = (window: Window, now: number, shift: number, only?: number[]) => {
    const span = { from: now, to: Number.POSITIVE_INFINITY }
    const options = { now, wants: wanting(null), ...everything }
    const days = [...cutIntoDays(window, reachOf(window), shift, span, only)]
    return new Map(
      days.map(([index, inDay]) => [index, inOneGo(bookablesOfDay(window, inDay, index, shift, options))]),
    )
  }

  it('is the same wherever the days are split, and stays valid as long', () => {
    let several = 0
    fc.assert(
      fc.property(aWindow, aMoment, aShift, (window, now, shift) => {
        const days = [...daysOf(window, now, shift).values()]
        expect(days.flatMap(one => one.bookables)).toEqual(listOf(window, now))
        if (days.filter(one => one.bookables.length > 0).length > 1) several++
      }),
      runs,
    )
    expect(several).toBeGreaterThan(20)
  })

  it('is patched on the days that an added or removed Appointment affects', () => {
    fc.assert(
      fc.property(aWindow, aMoment, aShift, fc.nat(), (window, now, shift, pick) => {
        fc.pre(window.appointments.length > 0)
        const { appointments } = window
        const { blockedFrom, blockedTo } = appointments[pick % appointments.length]!
        const without = { ...window, appointments: appointments.toSpliced(pick % appointments.length, 1) }
        const { first, last } = daysAround({ from: blockedFrom, to: blockedTo }, reachOf(window), shift)
        const touched = Array.from({ length: last - first + 1 }, (_, index) => first + index)
        for (const [before, after] of [
          [window, without],
          [without, window],
        ] as const) {
          const days = daysOf(before, now, shift)
          for (const index of touched) days.delete(index)
          for (const [index, one] of daysOf(after, now, shift, touched)) days.set(index, one)
          const patched = [...days].sort(([a], [b]) => a - b).flatMap(([_key, one]) => one.bookables)
          expect(patched).toEqual(listOf(after, now))
        }
      }),
      runs,
    )
  })
})

describe('granted requests, by the rules', () => {
  it('never overlap and never exceed the capacity, however many arrive', () => {
    const aCustomer = fc.record({
      slot: fc.nat(),
      product: fc.nat(),
      line: fc.nat({ max: 20 }),
      more: fc.nat({ max: 2 }),
    })
    let granted = 0
    fc.assert(
      fc.property(aWindow, fc.array(aCustomer, { minLength: 10, maxLength: 60 }), (start, customers) => {
        const channel = { ...start.channel, visible: true, productIds: null, horizonDays: null }
        let window: Window = { ...start, archived: false, channel, appointments: [] }
        for (const customer of customers) {
          const timeslot = window.timeslots[customer.slot % window.timeslots.length]!
          const product = window.products[customer.product % window.products.length]!
          const step = timeslot.raster * minute
          const from = timeslot.start + customer.line * step
          const request = {
            productId: product.id,
            timeslot,
            start: from,
            end: from + listedLength(product, step) + customer.more * step,
          }
          const result = place(window, request, monday - 3 * day)
          if (!isGranted(result)) continue
          granted++
          window = { ...window, appointments: after(window.appointments, result) }
        }
        for (const [index, one] of window.appointments.entries()) {
          expect(one.taken).toBeLessThanOrEqual(one.capacity)
          for (const other of window.appointments.slice(index + 1))
            expect(one.blockedFrom < other.blockedTo && other.blockedFrom < one.blockedTo).toBe(false)
        }
      }),
      runs,
    )
    expect(granted).toBeGreaterThan(1000)
  })

  it('conflicts are the same as found by checking each Appointment', () => {
    const span = fc.tuple(fives(0, 500), fives(5, 200)).map(([from, length]) => ({ from, to: from + length }))
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), span, (spans, wanted) => {
        const appointments = spans.map(
          ({ from, to }) => ({ blockedFrom: from, blockedTo: to }) as Appointment,
        )
        const overlaps = (one: Appointment) => one.blockedFrom < wanted.to && one.blockedTo > wanted.from
        const found = findOverlap(busySpansOf(appointments), wanted)
        expect(found !== null).toBe(appointments.some(overlaps))
        if (found) expect(overlaps(found)).toBe(true)
      }),
      runs,
    )
  })
})

function after(appointments: Appointment[], placement: Placement): Appointment[] {
  if (placement.kind === 'join')
    return appointments.map(one => (one === placement.appointment ? { ...one, taken: one.taken + 1 } : one))
  const { timeslot, product, start, end, blocked } = placement
  const id = appointments.length + 1
  const { capacity, uuid } = timeslot
  const name = `appointment-${id}`
  const times = { start, end, blockedFrom: blocked.from, blockedTo: blocked.to }
  const rest = { productName: null, productId: product.id, taken: 1, open: true, holdUntil: null }
  return [
    ...appointments,
    { id, uuid: name, reference: name, timeslotUuid: uuid, capacity, ...times, ...rest },
  ]
}

describe('listed if and only if reservable, end to end', () => {
  let holdfast: TestService
  let consumer: Consumer
  beforeAll(async () => {
    holdfast = await startTestService({ RATE_LIMIT_PUBLIC: '0' })
    // Over a socket: lists that are known are answered at the door.
    consumer = asConsumer(overHttp(await holdfast.app.listen({ host: '127.0.0.1', port: 0 })))
  })
  afterAll(() => holdfast.close())

  const aShop = fc.record({
    products: fc.array(
      fc.record({
        minDuration: orNull(fc.constantFrom(10, 20, 45, 60)),
        leadTimeMinutes: orNull(fc.constantFrom(0, 10, 30)),
        followUpTimeMinutes: orNull(fc.constantFrom(0, 15, 30)),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    timeslots: fc.array(
      fc.record({
        start: fc.integer({ min: 6, max: 12 }),
        hours: fc.integer({ min: 1, max: 3 }),
        raster: fc.constantFrom(15, 20, 30, 60),
        defaultCapacity: fc.constantFrom(1, 1, 2),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    group: orNull(
      fc.record({
        hour: fc.integer({ min: 6, max: 14 }),
        // Of two places: who is in them by the CRM's doing, with the Appointment or afterwards.
        inside: fc.array(
          fc.record({
            state: fc.constantFrom('RESERVED', 'RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED'),
            inline: fc.boolean(),
          }),
          { maxLength: 3 },
        ),
      }),
    ),
    closure: orNull(fc.record({ start: fives(360, 840), length: fives(5, 90), isBlock: fc.boolean() })),
    minimumNoticeMinutes: fc.constantFrom(0, 0, 60),
    hour: fc.integer({ min: 0, max: 8 }),
    picks: fc.array(fc.nat(), { minLength: 2, maxLength: 2 }),
  })

  const at = (minutes: number) => new Date(monday + minutes * minute).toISOString().replace('.000Z', 'Z')

  type Shop = typeof aShop extends fc.Arbitrary<infer T> ? T : never

  async function build(shop: Shop) {
    const practice: Practice = await makePractice(holdfast.crm)
    const uuids = [practice.productUuid]
    if (shop.products.length > 1) uuids.push((await makeProduct(holdfast.crm, practice)).uuid)
    for (const [index, uuid] of uuids.entries()) await setProduct(holdfast, uuid, shop.products[index]!)
    const timeslots: { uuid: string; from: number; to: number; raster: number }[] = []
    for (const { start, hours, ...rest } of shop.timeslots) {
      const span = { from: start * 60, to: (start + hours) * 60 }
      const { uuid } = await makeTimeslot(holdfast.crm, practice, {
        start: at(span.from),
        end: at(span.to),
        ...rest,
      })
      timeslots.push({ uuid, ...span, raster: rest.raster })
    }
    await setChannel(holdfast, practice.resourceUuid, { minimumNoticeMinutes: shop.minimumNoticeMinutes })
    if (shop.closure) await close(practice, shop.closure)
    return { practice, uuids, timeslots }
  }

  async function close(
    { uuid, resourceUuid }: Practice,
    { start, length, isBlock }: NonNullable<Shop['closure']>,
  ) {
    const path = isBlock ? `/resources/${resourceUuid}/blocks` : `/providers/${uuid}/closures`
    const body = { from: at(start), to: at(start + length), reason: 'Closed' }
    expect((await consoleCall(holdfast.app, 'POST', path, body)).status).toBe(201)
  }

  /** At the time of the test: what the CRM reserves counts from now on. */
  async function addGroup(practice: Practice, { hour, inside }: NonNullable<Shop['group']>) {
    const participations = inside
      .filter(one => one.inline)
      .map(({ state }) => ({ reference: unique('inline'), name: 'Bo', email: 'bo@example.org', state }))
    const group = await makeAppointment(holdfast.crm, practice, {
      start: at(hour * 60),
      end: at(hour * 60 + 45),
      acceptBookings: true,
      capacity: 2,
      participations,
    })
    for (const { state } of inside.filter(one => !one.inline))
      await makeParticipation(holdfast.crm, practice, group.reference, state)
    const taken = inside.filter(one => one.state !== 'CANCELED').length
    return { ...group, left: Math.max(0, 2 - taken) }
  }

  /** A request without a placeholder gets a place if and only if it is listed, and the group is never overfilled. */
  async function claimGroup(practice: Practice, group: Awaited<ReturnType<typeof addGroup>>) {
    const listed = slotsOf(await consumer.list(practice.resource)).find(
      one => one.appointment_uuid === group.uuid,
    )
    const left = listed?.capacity_left ?? 0
    expect(left).toBeLessThanOrEqual(group.left)
    const claim = {
      start: group.start,
      end: group.end,
      timeslot_uuid: group.uuid,
      product_uuid: practice.productUuid,
    }
    const reserving = {
      appointment_uuid: group.uuid,
      product_uuid: practice.productUuid,
      from: group.start,
      to: group.end,
    }
    const answers = [
      await consumer.reserve(practice.resource, reserving),
      await consumer.complete(practice.resource, { ...claim, ...newPerson() }),
      await consumer.complete(practice.resource, { ...claim, ...newPerson() }),
    ]
    const granted = answers.filter(({ status }) => status < 300).length
    expect(answers.filter(({ status }) => status >= 300 && status !== 412)).toEqual([])
    expect(granted).toBe(left)
    return granted
  }

  it('over HTTP and the real database: listed slots can be held, unlisted raster lines return 412', async () => {
    const counts = { held: 0, refused: 0, booked: 0, joined: 0, reserved: 0 }
    await fc.assert(
      fc.asyncProperty(aShop, async shop => {
        holdfast.clock.shiftMs = 0
        const { practice, uuids, timeslots } = await build(shop)
        setClock(holdfast, at(shop.hour * 60 + 1))
        const group = shop.group && (await addGroup(practice, shop.group))
        for (const pick of shop.picks) {
          for (const uuid of uuids) {
            const prdRef = uuid
            const slots = slotsOf(await consumer.list(practice.resource, { prdRef }))
            const raster = timeslots.flatMap(({ uuid, from, to, raster }) =>
              Array.from({ length: (to - from) / raster }, (_, line) => ({
                uuid,
                start: from + line * raster,
                raster,
              })),
            )
            const isListed = (line: { uuid: string; start: number }) =>
              slots.some(
                slot =>
                  // A start that several Timeslots have is listed with one of them.
                  (slot.timeslot_uuid === line.uuid || slot.kind === 'models.Bookable') &&
                  Date.parse(slot.start) === Date.parse(at(line.start)),
              )
            const missing = raster.filter(line => !isListed(line))
            const line = missing[pick % (missing.length || 1)]
            if (line) {
              const min = shop.products[uuids.indexOf(uuid)]!.minDuration ?? line.raster
              const length = Math.ceil(min / line.raster) * line.raster
              const answer = await consumer.reserve(practice.resource, {
                timeslot_uuid: line.uuid,
                product_uuid: uuid,
                from: at(line.start),
                to: at(line.start + length),
              })
              expect([answer.status, answer.body.errors?.[0].errorCode]).toEqual([412, '201'])
              counts.refused++
            }
            const slot = slots[pick % (slots.length || 1)]
            if (!slot) continue
            const held = await consumer.reserve(practice.resource, holdOf(slot))
            expect(held.status).toBe(200)
            counts.held++
            if (pick % 3 === 0) {
              await consumer.release(practice.resource, held.body.participation.customer_uuid)
              continue
            }
            const body = bookingOf(slot, { placeholder_id: held.body.participation.customer_uuid })
            expect((await consumer.complete(practice.resource, body)).status).toBe(201)
            counts.booked++
          }
          // Without a Product: each slot is to be had by each Product that it names.
          const [open] = slotsOf(await consumer.list(practice.resource)).filter(
            one => one.kind === 'models.Bookable',
          )
          if (open && open.products.length === 1) {
            const held = await consumer.reserve(practice.resource, holdOf(open))
            expect(held.status).toBe(200)
            counts.held++
            await consumer.release(practice.resource, held.body.participation.customer_uuid)
          }
        }
        if (group) counts.joined += await claimGroup(practice, group)
        counts.reserved += shop.group?.inside.filter(one => one.state === 'RESERVED').length ?? 0
      }),
      { numRuns: 30 },
    )
    expect(counts.joined).toBeGreaterThan(0)
    expect(counts.reserved).toBeGreaterThan(0)
    expect(counts.held).toBeGreaterThan(50)
    expect(counts.refused).toBeGreaterThan(20)
  })
})
