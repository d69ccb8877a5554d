import type { Wants } from './bookables.ts'
import { busySpansOf, type Reach } from './busy-spans.ts'
import { dedupeStarts } from './dedupe-starts.ts'
import { joinRefusal, listedLength, type Refused, takeRefusal } from './slots.ts'
import {
  type Appointment,
  minute,
  offeredProducts,
  type Product,
  productToJoin,
  type Timeslot,
  type Window,
} from './window.ts'

/** Why one raster line is offered or not. */
export type ExplainedSlot = {
  start: number
  end: number
  timeslot: Timeslot
  /** The Products that can be booked here; empty if the slot is not offered. */
  products: Product[]
  refused: Refused | null
  /** Bookable, but a Timeslot with more places is listed for the same start. */
  listedElsewhere: boolean
  /** An Appointment that consumers can join here. */
  joinable: Appointment | null
}

/** Every raster line of the period, judged by the rules that make the list. */
export function explain(
  window: Window,
  options: { now: number; wants: Wants; from: number; to: number },
): ExplainedSlot[] {
  const busy = busySpansOf(window.appointments)
  const products = offeredProducts(window).filter(one => options.wants(one.id))
  const lines = window.timeslots.flatMap(timeslot =>
    linesOf(timeslot, options).map(start => judge(window, busy, timeslot, start, products, options.now)),
  )
  return asListed(lines)
}

/** Like the list: each start of a Product once. */
function asListed(lines: ExplainedSlot[]): ExplainedSlot[] {
  const nameOf = ({ timeslot, start }: ExplainedSlot) => `${timeslot.uuid} ${start}`
  const listed = dedupeStarts(lines.filter(line => line.products.length > 0))
  const listedProducts = new Map(listed.map(line => [nameOf(line), line.products]))
  return lines.map(line => {
    const products = listedProducts.get(nameOf(line)) ?? []
    return { ...line, products, listedElsewhere: line.products.length > 0 && products.length === 0 }
  })
}

function linesOf({ start, end, raster }: Timeslot, { from, to }: { from: number; to: number }): number[] {
  const step = raster * minute
  const first = Math.max(0, Math.ceil((from - start) / step))
  const last = Math.ceil((Math.min(end, to) - start) / step)
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => start + (first + index) * step)
}

function judge(
  window: Window,
  busy: Reach<Appointment>,
  timeslot: Timeslot,
  start: number,
  products: Product[],
  now: number,
): ExplainedSlot {
  const step = timeslot.raster * minute
  const judged = products.map(product => ({
    product,
    refused: takeRefusal(
      window,
      busy,
      { timeslot, product, start, end: start + listedLength(product, step) },
      now,
    ),
  }))
  const fitting = judged.filter(one => one.refused === null).map(one => one.product)
  const joinable = window.appointments.find(one => one.start === start && canJoin(window, one, now)) ?? null
  const refused = fitting.length > 0 ? null : (judged[0]?.refused ?? { reason: 'product' as const })
  return {
    start,
    end: start + step,
    timeslot,
    products: fitting,
    refused,
    joinable,
    listedElsewhere: false,
  }
}

function canJoin(window: Window, appointment: Appointment, now: number): boolean {
  const product = productToJoin(window, appointment)
  return product !== undefined && joinRefusal(window, appointment, product, now) === null
}
