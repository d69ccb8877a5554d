import { busySpansOf, type Reach } from './busy-spans.ts'
import { type OfferedStart, StartsByTime } from './dedupe-starts.ts'
import { joinRefusal, listedLength, takeRefusal } from './slots.ts'
import {
  type Appointment,
  day,
  earliestStart,
  latestStart,
  minute,
  offeredProducts,
  type Product,
  productToJoin,
  type Timeslot,
  type Window,
} from './window.ts'

/** A slot on offer. With one Product its length applies; with several the slot lasts one step of the raster. */
export type Bookable = {
  start: number
  end: number
  timeslotUuid: string
  /** Set for an Appointment that can be joined. */
  appointment: Appointment | null
  products: Product[]
  capacity: number
  capacityLeft: number
}

/** Whether the request asks for the Product with this id. */
export type Wants = (productId: number) => boolean

export type ListOptions = {
  now: number
  wants: Wants
  /** Starts from here ... */
  from: number
  /** ... and before here. */
  to: number
  /** Made once for the periods of a list. */
  kinds?: Kinds
}

/** Ordered by start. The passing of time alone changes the list at `validUntil`. */
export type Listing = { bookables: Bookable[]; validUntil: number }

/** Checks between two yields; they take a fraction of a millisecond. */
const questionsAtOnce = 100

/**
 * Everything on offer. A generator, because a year of slots takes too long for one turn of the event loop.
 */
export function* bookablesOf(window: Window, options: ListOptions): Generator<void, Listing> {
  if (window.archived || !window.channel.visible)
    return { bookables: [], validUntil: Number.POSITIVE_INFINITY }
  const kinds = options.kinds ?? kindsIn(window, options.wants)
  const toJoin = yield* joinable(window, options)
  const found = yield* free(window, kinds, options)
  yield
  // At equal starts, Appointments that can be joined come first.
  const bookables = toJoin.length > 0 ? toJoin.concat(found).sort((a, b) => a.start - b.start) : found
  yield
  return { bookables, validUntil: validUntil(window, bookables, options) }
}

function* joinable(window: Window, { now, wants, from, to }: ListOptions): Generator<void, Bookable[]> {
  const found: Bookable[] = []
  const { appointments } = window
  for (let index = 0; index < appointments.length; index++) {
    if (index % questionsAtOnce === questionsAtOnce - 1) yield
    const appointment = appointments[index]!
    if (appointment.start < from || appointment.start >= to) continue
    if (!wants(appointment.productId)) continue
    const product = productToJoin(window, appointment)
    if (!product) continue
    const refused = joinRefusal(window, appointment, product, now)
    const shown = !refused || (refused.reason === 'full' && window.channel.showFull)
    if (shown) found.push(fromAppointment(appointment, product))
  }
  return found
}

function fromAppointment(appointment: Appointment, product: Product): Bookable {
  const { start, end, capacity, taken } = appointment
  const named = appointment.productName === null ? product : { ...product, name: appointment.productName }
  const timeslotUuid = appointment.timeslotUuid ?? appointment.uuid
  return {
    start,
    end,
    timeslotUuid,
    appointment,
    products: [named],
    capacity,
    capacityLeft: Math.max(0, capacity - taken),
  }
}

function* free(window: Window, kinds: Kinds, options: ListOptions): Generator<void, Bookable[]> {
  const busy = busySpansOf(window.appointments)
  const first = Math.max(earliestStart(window.channel, options.now), options.from)
  const last = Math.min(latestStart(window.channel, options.now), options.to - 1)
  const found: Bookable[] = []
  let offers: OfferedStart[] = []
  let overlapping: StartsByTime<OfferedStart> | null = null
  let checked = 0
  let latestEnd = 0
  for (const timeslot of window.timeslots) {
    if (timeslot.start >= latestEnd) {
      yield* settle(overlapping?.inOrder() ?? offers, found)
      offers = []
      overlapping = null
    } else if (!overlapping) {
      // The common case needs no map: Timeslots rarely overlap.
      overlapping = new StartsByTime()
      for (const offer of offers) overlapping.add(offer)
    }
    latestEnd = Math.max(latestEnd, timeslot.end)
    const step = timeslot.raster * minute
    const lengths = kinds.first.map(one => listedLength(one, step))
    for (let start = lineFrom(timeslot, first); start < timeslot.end && start <= last; start += step) {
      const fitting = fittingAt(window, busy, kinds, lengths, timeslot, start, options.now)
      if (fitting.length > 0) {
        const offer = { timeslot, start, products: fitting }
        if (overlapping) overlapping.add(offer)
        else offers.push(offer)
      }
      checked += kinds.first.length
      if (checked < questionsAtOnce) continue
      checked = 0
      yield
    }
  }
  yield* settle(overlapping?.inOrder() ?? offers, found)
  return found
}

/** Products of the same length and buffers fit the same slots: each slot is checked for one of each kind. */
export type Kinds = {
  products: Product[]
  /** The number of the kind of each Product, and one Product of each kind. */
  kindOf: number[]
  first: Product[]
  /** By the kinds in them; slots that fit the same Products share one array. */
  sets: Map<string, Product[]>
}

export function kindsIn(window: Window, wants: Wants): Kinds {
  const products = offeredProducts(window).filter(one => wants(one.id))
  const lengths = products.map(({ minDuration, maxDuration, leadTimeMinutes, followUpTimeMinutes }) =>
    [minDuration, maxDuration, leadTimeMinutes, followUpTimeMinutes].join(),
  )
  const kinds = [...new Set(lengths)]
  return {
    products,
    kindOf: lengths.map(one => kinds.indexOf(one)),
    first: kinds.map(one => products[lengths.indexOf(one)]!),
    sets: new Map(),
  }
}

/** Runs for every raster line, so it allocates little. */
function fittingAt(
  window: Window,
  busy: Reach<Appointment>,
  { products, kindOf, first, sets }: Kinds,
  lengths: number[],
  timeslot: Timeslot,
  start: number,
  now: number,
): Product[] {
  let refused: number[] | null = null
  for (let kind = 0; kind < first.length; kind++) {
    const product = first[kind]!
    const end = start + lengths[kind]!
    if (!takeRefusal(window, busy, { timeslot, product, start, end }, now)) continue
    refused ??= []
    refused.push(kind)
  }
  if (!refused) return products
  const key = refused.join()
  const known = sets.get(key) ?? products.filter((_, index) => !refused.includes(kindOf[index]!))
  sets.set(key, known)
  return known
}

/** Called once no other Timeslot can offer the same starts. */
function* settle(settled: OfferedStart[], found: Bookable[]): Generator<void, void> {
  for (let index = 0; index < settled.length; index++) {
    found.push(fromTimeslot(settled[index]!))
    if (index % questionsAtOnce === questionsAtOnce - 1) yield
  }
}

/** The first raster line at or after this moment. */
function lineFrom({ start, raster }: Timeslot, moment: number): number {
  const step = raster * minute
  return moment <= start ? start : start + Math.ceil((moment - start) / step) * step
}

function fromTimeslot({ timeslot, start, products }: OfferedStart): Bookable {
  const step = timeslot.raster * minute
  const length = products.length === 1 ? listedLength(products[0]!, step) : step
  const { uuid, capacity } = timeslot
  return {
    start,
    end: start + length,
    timeslotUuid: uuid,
    appointment: null,
    products,
    capacity,
    capacityLeft: capacity,
  }
}

// Time alone changes a list when its first slot gets too close, when a slot comes within the horizon, or when
// a hold expires. Every other change raises the revision.
function validUntil(window: Window, bookables: Bookable[], { now, to }: ListOptions): number {
  const { minimumNoticeMinutes, horizonDays } = window.channel
  const moments = window.appointments.map(one => one.holdUntil ?? Number.POSITIVE_INFINITY)
  if (bookables[0]) moments.push(bookables[0].start - minimumNoticeMinutes * minute)
  if (horizonDays !== null) {
    const horizon = latestStart(window.channel, now)
    for (const timeslot of window.timeslots) {
      const line = lineFrom(timeslot, horizon + 1)
      if (line < timeslot.end && line < to) moments.push(line - horizonDays * day)
    }
    for (const { start } of window.appointments) if (start > horizon) moments.push(start - horizonDays * day)
  }
  return moments.reduce((least, moment) => Math.min(least, moment), Number.POSITIVE_INFINITY)
}
