// Which wishes are granted. The list (bookables.ts), the booking and the explanation all ask the same questions here,
// so what is listed can be reserved and what can be reserved is listed. Pure: `now` is an argument.

import { busyOf, inTheWay, type Reach } from './busy.ts'
import {
  type Appointment,
  blockedSpan,
  type Closure,
  earliestStart,
  latestStart,
  minute,
  offeredProducts,
  type Product,
  productToJoin,
  type Span,
  type Timeslot,
  type Window,
} from './window.ts'

export type Refused = {
  reason:
    | 'archived'
    | 'channel'
    | 'not-bookable'
    | 'product'
    | 'raster'
    | 'duration'
    | 'rest'
    | 'notice'
    | 'horizon'
    | 'capacity'
    | 'taken'
    | 'buffer'
    | 'full'
    | 'closed'
  /** The Appointment that is in the way. */
  by?: Appointment
  /** The closure that it lies in. */
  closure?: Closure
  /** Too late for anybody, not only for this channel. */
  isPast?: boolean
}

export type Placement =
  | { kind: 'join'; appointment: Appointment; product: Product }
  | { kind: 'new'; timeslot: Timeslot; product: Product; start: number; end: number; blocked: Span }

/** The time that a placement keeps from everybody else. */
export const blockedByPlacement = (placement: Placement): Span =>
  placement.kind === 'new'
    ? placement.blocked
    : { from: placement.appointment.blockedFrom, to: placement.appointment.blockedTo }

/** Appointments that somebody comes into. Those that are only about to be made have no id yet. */
export const joinedBy = (placements: Placement[]): number[] =>
  placements.flatMap(one => (one.kind === 'join' ? (one.appointment.id ?? []) : []))

export type Wish = { productId: number } & (
  | { appointment: Appointment }
  | { timeslot: Timeslot; start: number; end: number }
)

/** Grants a wish or says why not. A slot that has become an Appointment with places left is joined. */
export function place(window: Window, wish: Wish, now: number): Placement | Refused {
  const appointment = 'appointment' in wish ? wish.appointment : appointmentAt(window, wish)
  const isOwn = appointment?.productId === wish.productId
  const product = isOwn
    ? productToJoin(window, appointment!)
    : offeredProducts(window).find(one => one.id === wish.productId)
  if (!product) return { reason: 'product' }
  if (appointment)
    return whyNotJoin(window, appointment, product, now) ?? { kind: 'join', appointment, product }
  const { timeslot, start, end } = wish as Extract<Wish, { timeslot: Timeslot }>
  const refused = whyNotTake(window, busyOf(window.appointments), { timeslot, product, start, end }, now)
  return (
    refused ?? {
      kind: 'new',
      timeslot,
      product,
      start,
      end,
      blocked: blockedBy({ timeslot, product, start, end }),
    }
  )
}

/** The window once this placement is made: what comes after it is decided on this. */
export function withPlacement(window: Window, placement: Placement, uuid: string): Window {
  const { appointments } = window
  if (placement.kind === 'new')
    return { ...window, appointments: [...appointments, asAppointment(placement, uuid)] }
  const joined = (one: Appointment) => (one.uuid === uuid ? { ...one, taken: one.taken + 1 } : one)
  return { ...window, appointments: appointments.map(joined) }
}

function asAppointment(
  { timeslot, product, start, end, blocked }: Extract<Placement, { kind: 'new' }>,
  uuid: string,
): Appointment {
  return {
    id: null,
    uuid,
    reference: '',
    timeslotUuid: timeslot.uuid,
    productId: product.id,
    productName: null,
    price: null,
    start,
    end,
    blockedFrom: blocked.from,
    blockedTo: blocked.to,
    capacity: timeslot.capacity,
    taken: 1,
    open: timeslot.bookable,
    holdUntil: null,
  }
}

function appointmentAt({ appointments }: Window, wish: Wish): Appointment | undefined {
  if (!('timeslot' in wish)) return undefined
  const { timeslot, start, end } = wish
  return appointments.find(
    one => one.open && one.timeslotUuid === timeslot.uuid && one.start === start && one.end === end,
  )
}

/** May somebody with this Product in mind join this Appointment? */
export function whyNotJoin(
  window: Window,
  appointment: Appointment,
  product: Product,
  now: number,
): Refused | null {
  const { start: from, end: to } = appointment
  const refused = whyNotNow(window, from, now) ?? whyClosed(window, { from, to })
  if (refused) return refused
  if (!appointment.open) return { reason: 'closed', by: appointment }
  if (appointment.productId !== product.id) return { reason: 'taken', by: appointment }
  if (appointment.capacity === 0) return { reason: 'capacity', by: appointment }
  return appointment.taken < appointment.capacity ? null : { reason: 'full', by: appointment }
}

type Slot = { timeslot: Timeslot; product: Product; start: number; end: number }

/** May a new Appointment be made here? */
export function whyNotTake(
  window: Window,
  busy: Reach<Appointment>,
  slot: Slot,
  now: number,
): Refused | null {
  return (
    whyNotNow(window, slot.start, now) ??
    whyClosed(window, stepsOf(slot)) ??
    whyNotOnGrid(slot) ??
    whyNotFree(busy, slot)
  )
}

/** The Resource, the channel, and the time left until then. */
function whyNotNow({ archived, channel }: Window, start: number, now: number): Refused | null {
  if (archived) return { reason: 'archived' }
  if (!channel.visible) return { reason: 'channel' }
  if (start <= earliestStart(channel, now)) return { reason: 'notice', isPast: start <= now }
  return start > latestStart(channel, now) ? { reason: 'horizon' } : null
}

/** Buffers may lie in closed time, as they may lie before and after a Timeslot: nobody comes then. */
function whyClosed({ closed }: Window, span: Span): Refused | null {
  const closure = inTheWay(closed, span)
  return closure && { reason: 'closed', closure }
}

function whyNotOnGrid({ timeslot, product, start, end }: Slot): Refused | null {
  const step = timeslot.raster * minute
  if (!timeslot.bookable) return { reason: 'not-bookable' }
  if (timeslot.capacity === 0) return { reason: 'capacity' }
  if (start < timeslot.start || (start - timeslot.start) % step !== 0) return { reason: 'raster' }
  if (start + wholeSteps(end - start, step) > timeslot.end) return { reason: 'rest' }
  return isAllowedLength(product, end - start, step) ? null : { reason: 'duration' }
}

/** Full steps between the shortest and the longest duration, the listed length, or exactly one of those two. */
function isAllowedLength(product: Product, length: number, step: number): boolean {
  const shortest = product.minDuration === null ? null : product.minDuration * minute
  const longest = product.maxDuration === null ? null : product.maxDuration * minute
  if (length === listedLength(product, step) || length === shortest || length === longest) return length > 0
  return length % step === 0 && length >= (shortest ?? step) && length <= (longest ?? length)
}

/** How long a listed slot lasts: the shortest duration, in full steps of the raster. */
export function listedLength({ minDuration }: Product, step: number): number {
  return minDuration === null ? step : wholeSteps(minDuration * minute, step)
}

const wholeSteps = (length: number, step: number) => Math.ceil(length / step) * step

/** A slot that ends between two raster lines needs the time up to the next one. */
function stepsOf({ timeslot, start, end }: Slot): Span {
  return { from: start, to: start + wholeSteps(end - start, timeslot.raster * minute) }
}

function blockedBy(slot: Slot): Span {
  const { from, to } = stepsOf(slot)
  return blockedSpan(from, to, slot.product)
}

function whyNotFree(busy: Reach<Appointment>, slot: Slot): Refused | null {
  const by = inTheWay(busy, blockedBy(slot))
  if (!by) return null
  return { reason: by.start < slot.end && by.end > slot.start ? 'taken' : 'buffer', by }
}
