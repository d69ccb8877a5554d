// Decides slot requests. The list (bookables.ts), bookings and the explanation share these rules, so that
// what is listed can be reserved, and vice versa. Pure: `now` is an argument.

import { busySpansOf, findOverlap, type Reach } from './busy-spans.ts'
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

export const refusalReasons = [
  'archived',
  'channel',
  'not-bookable',
  'product',
  'raster',
  'duration',
  'rest',
  'notice',
  'horizon',
  'capacity',
  'taken',
  'buffer',
  'full',
  'too few places',
  'closed',
  'busy',
] as const

export type Refused = {
  reason: (typeof refusalReasons)[number]
  /** The conflicting Appointment. */
  by?: Appointment
  /** The closure that contains it. */
  closure?: Closure
  /** In the past, not only too late for this channel. */
  isPast?: boolean
}

export type Placement =
  | { kind: 'join'; places: number; appointment: Appointment; product: Product }
  | {
      kind: 'new'
      places: number
      timeslot: Timeslot
      product: Product
      start: number
      end: number
      blocked: Span
    }

/** The time that a placement blocks for others. */
export const blockedByPlacement = (placement: Placement): Span =>
  placement.kind === 'new'
    ? placement.blocked
    : { from: placement.appointment.blockedFrom, to: placement.appointment.blockedTo }

/** Existing Appointments that these placements join. New ones have no id yet. */
export const joinedBy = (placements: Placement[]): number[] =>
  placements.flatMap(one => (one.kind === 'join' ? (one.appointment.id ?? []) : []))

/** `places`: how many, if not one. */
export type SlotRequest = { productId: number; places?: number } & (
  | { appointment: Appointment }
  | { timeslot: Timeslot; start: number; end: number }
)

/** Grants or refuses a request. Joins the Appointment if the slot has become one with places left. */
export function place(window: Window, request: SlotRequest, now: number): Placement | Refused {
  const appointment = 'appointment' in request ? request.appointment : appointmentAt(window, request)
  const isOwn = appointment?.productId === request.productId
  const product = isOwn
    ? productToJoin(window, appointment!)
    : offeredProducts(window).find(one => one.id === request.productId)
  if (!product) return { reason: 'product' }
  const { places = 1 } = request
  if (appointment)
    return (
      joinRefusal(window, appointment, product, now) ??
      whyTooFew(appointment.capacity - appointment.taken, places, appointment) ?? {
        kind: 'join',
        places,
        appointment,
        product,
      }
    )
  const { timeslot, start, end } = request as Extract<SlotRequest, { timeslot: Timeslot }>
  const slot = { timeslot, product, start, end }
  const refused =
    takeRefusal(window, busySpansOf(window.appointments), slot, now) ?? whyTooFew(timeslot.capacity, places)
  return (
    refused ?? {
      kind: 'new',
      places,
      ...slot,
      blocked: blockedBy(slot),
    }
  )
}

const whyTooFew = (left: number, places: number, by?: Appointment): Refused | null =>
  places > left ? { reason: 'too few places', by } : null

/** The window after this placement, for deciding later requests. */
export function withPlacement(window: Window, placement: Placement, uuid: string): Window {
  const { appointments } = window
  if (placement.kind === 'new')
    return { ...window, appointments: [...appointments, asAppointment(placement, uuid)] }
  const joined = (one: Appointment) =>
    one.uuid === uuid ? { ...one, taken: one.taken + placement.places } : one
  return { ...window, appointments: appointments.map(joined) }
}

function asAppointment(
  { timeslot, product, start, end, blocked, places }: Extract<Placement, { kind: 'new' }>,
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
    taken: places,
    open: timeslot.bookable,
    holdUntil: null,
  }
}

function appointmentAt({ appointments }: Window, request: SlotRequest): Appointment | undefined {
  if (!('timeslot' in request)) return undefined
  const { timeslot, start, end } = request
  return appointments.find(
    one => one.open && one.timeslotUuid === timeslot.uuid && one.start === start && one.end === end,
  )
}

/** Why a booking of this Product cannot join the Appointment; null if it can. */
export function joinRefusal(
  window: Window,
  appointment: Appointment,
  product: Product,
  now: number,
): Refused | null {
  const { start: from, end: to } = appointment
  const refused =
    whyNotNow(window, from, now) ?? whyClosed(window, { from, to }) ?? whyBusyOutside(window, { from, to })
  if (refused) return refused
  if (!appointment.open) return { reason: 'closed', by: appointment }
  if (appointment.productId !== product.id) return { reason: 'taken', by: appointment }
  if (appointment.capacity === 0) return { reason: 'capacity', by: appointment }
  return appointment.taken < appointment.capacity ? null : { reason: 'full', by: appointment }
}

type Slot = { timeslot: Timeslot; product: Product; start: number; end: number }

/** Why a new Appointment cannot be created here; null if it can. */
export function takeRefusal(
  window: Window,
  busy: Reach<Appointment>,
  slot: Slot,
  now: number,
): Refused | null {
  const steps = stepsOf(slot)
  const blocked = blockedSpan(steps.from, steps.to, slot.product)
  return (
    whyNotNow(window, slot.start, now) ??
    whyClosed(window, steps) ??
    whyNotOnGrid(slot, steps) ??
    whyNotFree(busy, slot, blocked) ??
    whyBusyOutside(window, blocked)
  )
}

/** Checks the Resource, the channel and the notice period. */
function whyNotNow({ archived, channel }: Window, start: number, now: number): Refused | null {
  if (archived) return { reason: 'archived' }
  if (!channel.visible) return { reason: 'channel' }
  if (start <= earliestStart(channel, now)) return { reason: 'notice', isPast: start <= now }
  return start > latestStart(channel, now) ? { reason: 'horizon' } : null
}

/** Buffers may fall in closed time or outside a Timeslot: no customer is present then. */
function whyClosed({ closed }: Window, span: Span): Refused | null {
  const closure = findOverlap(closed, span)
  return closure && { reason: 'closed', closure }
}

/** Unlike closed time, busy time keeps buffers out: the person who prepares is elsewhere. */
function whyBusyOutside({ outside }: Window, span: Span): Refused | null {
  return outside && findOverlap(outside, span) ? { reason: 'busy' } : null
}

function whyNotOnGrid({ timeslot, product, start, end }: Slot, steps: Span): Refused | null {
  const step = timeslot.raster * minute
  if (!timeslot.bookable) return { reason: 'not-bookable' }
  if (timeslot.capacity === 0) return { reason: 'capacity' }
  if (start < timeslot.start || (start - timeslot.start) % step !== 0) return { reason: 'raster' }
  if (steps.to > timeslot.end) return { reason: 'rest' }
  return isAllowedLength(product, end - start, step) ? null : { reason: 'duration' }
}

/**
 * Full steps between the shortest and the longest duration, the listed length, or exactly one of the two
 * limits.
 */
function isAllowedLength(product: Product, length: number, step: number): boolean {
  const shortest = product.minDuration === null ? null : product.minDuration * minute
  const longest = product.maxDuration === null ? null : product.maxDuration * minute
  if (length === listedLength(product, step) || length === shortest || length === longest) return length > 0
  return length % step === 0 && length >= (shortest ?? step) && length <= (longest ?? length)
}

/** The length of a listed slot: the shortest duration, rounded up to full raster steps. */
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

function whyNotFree(busy: Reach<Appointment>, slot: Slot, blocked: Span): Refused | null {
  const by = findOverlap(busy, blocked)
  if (!by) return null
  return { reason: by.start < slot.end && by.end > slot.start ? 'taken' : 'buffer', by }
}
