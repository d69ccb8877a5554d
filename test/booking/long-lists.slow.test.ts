// Building a year of slots takes long and must not block other requests, so it runs in small steps. The steps are counted
// here, not timed.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ResourceWindow } from '../../src/db/booking/windows.ts'
import { type Piece, readPattern, renderList, SlotWriter } from '../../src/http/booking/slot-list.ts'
import { concatAndHash } from '../../src/lib/concat.ts'
import { runInSteps } from '../../src/lib/run-in-steps.ts'
import { type Bookable, bookablesOf } from '../../src/rules/offers/bookables.ts'
import { day } from '../../src/rules/offers/window.ts'
import { appointmentAt, at, now, productWith, timeslotWith, windowWith } from '../support/windows.ts'

// The clock runs so fast that every question whether it is time for the others is answered yes.
beforeEach(() => {
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (passed += 1000))
})
afterEach(() => vi.restoreAllMocks())

const days = 60
const slots = days * 96

/** Quarter hours around the clock; `look` is called whenever the Product is read, at least once per slot. */
function longWindow(look = () => {}) {
  const product = Object.defineProperty(productWith(), 'minDuration', {
    get() {
      look()
      return null
    },
  })
  const timeslots = Array.from({ length: days }, (_, index) => {
    const start = at('00:00') + index * day
    return timeslotWith({ id: index, uuid: `timeslot-${index}`, start, end: start + day, raster: 15 })
  })
  return windowWith({ products: [product], timeslots })
}

const everything = { now, wants: () => true, from: 0, to: Number.POSITIVE_INFINITY }

/** Does the work while others wait for every turn of the loop, and tells how much was done in the longest one. */
async function largestPiece(work: () => Promise<unknown>, done: () => number) {
  let [turns, before, largest, running] = [0, 0, 0, true]
  const others = () => {
    largest = Math.max(largest, done() - before)
    before = done()
    turns++
    if (running) setImmediate(others)
  }
  setImmediate(others)
  await work()
  running = false
  return { turns, largest: Math.max(largest, done() - before) }
}

it('is looked for slot by slot, and others have their turn after a hundred of them', async () => {
  let looks = 0
  const window = longWindow(() => looks++)
  const { largest } = await largestPiece(
    () => runInSteps(bookablesOf(window, everything)),
    () => looks,
  )
  expect(looks).toBeGreaterThan(slots)
  // Each slot is looked at a few times.
  expect(largest).toBeLessThanOrEqual(5 * 100)
})

it('Appointments to join too', async () => {
  const appointments = Array.from({ length: 3000 }, (_, index) =>
    appointmentAt('08:00', '08:15', { capacity: 5, start: at('08:00') + index * day }),
  )
  let checked = 0
  const { largest } = await largestPiece(
    () => runInSteps(bookablesOf(windowWith({ appointments }), { ...everything, wants: () => !!++checked })),
    () => checked,
  )
  expect(checked).toBeGreaterThan(3000)
  expect(largest).toBeLessThanOrEqual(100)
})

const loaded = {
  resource: { id: 1, uuid: 'resource-1', reference: 'r', name: 'Room', revision: 1, contact: null },
  provider: { id: 1, name: 'Practice', timeZone: 'Europe/Berlin', language: 'en', email: 'a@example.org' },
} as unknown as ResourceWindow

function formatsOf(groupFormat: string) {
  const timeFormat = 'HH:mm'
  const [group, time] = [readPattern('groupFormat', groupFormat), readPattern('timeFormat', timeFormat)]
  return { group, time, groupFormat, timeFormat, languageTag: null }
}

async function bookables(): Promise<Bookable[]> {
  return (await runInSteps(bookablesOf(longWindow(), everything))).bookables
}

it.each(['yyyy-MM-dd', 'yyyy-MM-dd HH:mm', 'HH:mm', 'EEEE'])(
  'is written slot by slot, in groups of %s',
  async group => {
    let written = 0
    const counted = (await bookables()).map(one => ({
      ...one,
      get capacity() {
        written++
        return one.capacity
      },
    }))
    const { largest } = await largestPiece(
      async () => {
        const list = await renderList([{ loaded, bookables: counted }], formatsOf(group))
        const { body } = await concatAndHash(list!.parts, list!.length)
        expect(body.length).toBe(list!.length)
        const { public_visible, ...groups } = JSON.parse(body.toString())
        expect(public_visible).toBe(true)
        expect(Object.values(groups).flat()).toHaveLength(slots)
      },
      () => written,
    )
    expect(written).toBeGreaterThanOrEqual(slots)
    // Twice to compare each with the one before, and once where it is written again.
    expect(largest).toBeLessThanOrEqual(3 * 50)
  },
)

it('slots of several Resources are written in the order of time', async () => {
  const all = await bookables()
  const other = { ...loaded, resource: { ...loaded.resource, uuid: 'resource-2' } }
  const list = await renderList(
    [
      { loaded, bookables: all.slice(10, 20) },
      { loaded: other, bookables: all.slice(5, 15) },
    ],
    formatsOf('yyyy'),
  )
  const { 2030: written } = JSON.parse((await concatAndHash(list!.parts, list!.length)).body.toString())
  expect(written.map((one: { resource_uuid: string }) => Number(one.resource_uuid.at(-1)))).toEqual([
    ...[2, 2, 2, 2, 2],
    ...[1, 2, 1, 2, 1, 2, 1, 2, 1, 2],
    ...[1, 1, 1, 1, 1],
  ])
})

it('is put together and digested in pieces, whatever parts it comes in', async () => {
  const large = Buffer.alloc(5_000_000, 'abc')
  const small = Array.from({ length: 10_000 }, (_, index) => large.subarray(index * 500, (index + 1) * 500))
  for (const parts of [[large], small]) {
    const { turns } = await largestPiece(
      async () => {
        const { body, digest } = await concatAndHash(parts, large.length)
        expect(body.equals(large)).toBe(true)
        expect(digest).toBe(createHash('sha1').update(large).digest('base64url'))
      },
      () => 0,
    )
    expect(turns).toBeGreaterThanOrEqual(large.length / 262_144 - 1)
  }
})

it('of several long works one goes on in each turn', async () => {
  const inOneTurn: number[] = []
  let steps = 0
  function* work(): Generator<void, void> {
    for (let step = 0; step < 20; step++) {
      steps++
      yield
    }
  }
  await largestPiece(
    () => Promise.all(Array.from({ length: 5 }, () => runInSteps(work()))),
    () => {
      inOneTurn.push(steps)
      steps = 0
      return 0
    },
  )
  // All begin at once, and then take turns.
  expect(inOneTurn.reduce((sum, one) => sum + one)).toBe(100)
  const later = inOneTurn.slice(1).filter(count => count > 0)
  expect(Math.max(...later)).toBe(1)
})

it('distinguishes lists whose zones differ only later in a group', async () => {
  // Both are an hour ahead of UTC until Berlin puts its clocks forward.
  const halves = [Date.parse('2030-03-30T10:00Z'), Date.parse('2030-04-02T10:00Z')]
  const [slot] = await bookables()
  const lists = [halves.map(start => ({ ...slot!, start, end: start + 1_800_000 }))]
  const pieces = ['Europe/Berlin', 'Africa/Lagos'].map(timeZone => {
    const there = { ...loaded, provider: { ...loaded.provider, timeZone } }
    const writer = new SlotWriter([there], formatsOf('yyyy'), halves[0]!, halves[1]! + day)
    return runInSteps(writer.write(lists))
  })
  const [berlin, lagos] = await Promise.all(pieces)
  const bytesOf = ({ parts }: Piece) => Buffer.concat(parts).toString()
  expect(bytesOf(berlin!)).not.toBe(bytesOf(lagos!))
  expect(berlin!.digest).not.toBe(lagos!.digest)
})

it('slots have equal digests exactly where they have equal bytes', async () => {
  const [first] = await bookables()
  const step = fc.record({
    gap: fc.constantFrom(0, 15, 30, 1440),
    length: fc.constantFrom(15, 30),
    capacityLeft: fc.constantFrom(1, 2),
  })
  const piece = fc.array(step, { maxLength: 4 }).map(steps => {
    let start = first!.start
    const slots = steps.map(({ gap, length, capacityLeft }) => {
      start += gap * 60_000
      return { ...first!, start, end: start + length * 60_000, capacityLeft }
    })
    const writer = new SlotWriter([loaded], formatsOf('yyyy-MM-dd'), first!.start, first!.start + 9 * day)
    const steppedThrough = writer.write([slots])
    for (;;) {
      const { done, value } = steppedThrough.next()
      if (done) return value as Piece
    }
  })
  const bytesOf = ({ parts }: Piece) => Buffer.concat(parts).toString()
  await fc.assert(
    fc.property(fc.array(piece, { minLength: 40, maxLength: 60 }), pieces => {
      const byBytes = new Map(pieces.map(one => [bytesOf(one), one.digest]))
      const byDigest = new Map(pieces.map(one => [one.digest, bytesOf(one)]))
      expect(byDigest.size).toBe(byBytes.size)
      for (const one of pieces) expect(byBytes.get(bytesOf(one))).toBe(one.digest)
    }),
    { numRuns: 200 },
  )
})
