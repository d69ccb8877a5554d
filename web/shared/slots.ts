import type { Bookable } from './api-types.ts'
import { type Day, type Month, monthOf } from './dates.ts'
import { dayAt, wallAt } from './zones.ts'

/** A time that can be chosen. If several Resources have it, the others are listed with it. */
export type Slot = {
  start: number
  end: number
  resource: string
  timeslot: string
  appointment: string | null
  product: string | null
  seats: number
  seatsLeft: number
  price: { value: number; currency: string } | null
}

export function slotOf(bookable: Bookable): Slot {
  return {
    start: Date.parse(bookable.start),
    end: Date.parse(bookable.end),
    resource: bookable.resource_uuid,
    timeslot: bookable.timeslot_uuid,
    appointment: bookable.appointment_uuid ?? null,
    product: bookable.product_uuid,
    seats: bookable.capacity,
    seatsLeft: bookable.capacity_left,
    price: bookable.price ?? null,
  }
}

/** Of two times that read the same, the Resource tells which is which. */
export const isTwin = (slot: Slot, slots: Slot[]): boolean =>
  slots.some(other => other.start === slot.start && other.resource !== slot.resource)

/** Same time, same Resource. */
export const isSame = (a: Slot, b: Slot): boolean => a.start === b.start && a.resource === b.resource

export type Span = { from: number; to: number }
const within = ({ start }: Slot, { from, to }: Span) => start >= from && start < to

/** Replaces everything known about a period with what was fetched for it. */
export function replaceSpan(known: Slot[], span: Span, fetched: Slot[]): Slot[] {
  const others = known.filter(slot => !within(slot, span))
  return [...others, ...fetched.filter(slot => within(slot, span))].sort((a, b) => a.start - b.start)
}

/**
 * The slots of the selected Resource, or one per time if any Resource will do, preferring those with places
 * left.
 */
export function choices(slots: Slot[], resource: string | null): Slot[] {
  if (resource) return slots.filter(slot => slot.resource === resource)
  const byTime = new Map<string, Slot>()
  for (const slot of slots) {
    const key = `${slot.start} ${slot.end}`
    const known = byTime.get(key)
    if (!known || (known.seatsLeft === 0 && slot.seatsLeft > 0)) byTime.set(key, slot)
  }
  return [...byTime.values()]
}

export function byDay(slots: Slot[], zone: string): Map<Day, Slot[]> {
  const days = new Map<Day, Slot[]>()
  for (const slot of slots) {
    const day = dayAt(slot.start, zone)
    const list = days.get(day)
    if (list) list.push(slot)
    else days.set(day, [slot])
  }
  return days
}

const isFree = (slot: Slot) => slot.seatsLeft > 0

/** The number of available times in a day: full ones are shown but not counted. */
export const freeCount = (slots: Slot[] | undefined) => (slots ?? []).filter(isFree).length

export const firstFreeDay = (days: Map<Day, Slot[]>, month: Month): Day | null =>
  freeDays(days).find(day => monthOf(day) === month) ?? null

/** The days with available times, in order. */
export const freeDays = (days: Map<Day, Slot[]>): Day[] =>
  [...days]
    .filter(([_key, slots]) => freeCount(slots) > 0)
    .map(([day]) => day)
    .sort()

export type PartOfDay = 'morning' | 'afternoon' | 'evening'

export function partsOfDay(slots: Slot[], zone: string): [PartOfDay, Slot[]][] {
  const parts: Record<PartOfDay, Slot[]> = { morning: [], afternoon: [], evening: [] }
  for (const slot of slots) {
    const { hour } = wallAt(slot.start, zone)
    parts[hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'].push(slot)
  }
  return (Object.entries(parts) as [PartOfDay, Slot[]][]).filter(([_key, list]) => list.length > 0)
}

/** The available times nearest to a lost one, in chronological order. */
export function nearest(slots: Slot[], start: number, count = 3): Slot[] {
  return slots
    .filter(slot => isFree(slot) && slot.start !== start)
    .sort((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start) || a.start - b.start)
    .slice(0, count)
    .sort((a, b) => a.start - b.start)
}

/** Other Resources that are available at exactly the same time. */
export const otherResourcesAt = (slots: Slot[], { start, end, resource }: Slot): Slot[] =>
  slots.filter(slot => isFree(slot) && slot.start === start && slot.end === end && slot.resource !== resource)
