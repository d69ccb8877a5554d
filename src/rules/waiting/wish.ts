// What a person on the waiting list would take. The database asks the same questions of many entries at once
// (db/scheduling/waiting-takers.ts); a test compares the two.

import type { Span } from '../offers/window.ts'
import { DAY, localParts, MINUTE, weekdayOf } from '../time/civil.ts'
import { offsetAt, zoneOffsets } from '../time/zones.ts'

/** Weekdays and hours on the clocks of the Provider. */
export type ClockWish = {
  /** Bit 0 is Monday. */
  weekdays: number
  /** Minutes of the local day: the appointment starts and ends within them. */
  fromMinute: number
  toMinute: number
}

export type Wish = ClockWish & {
  productId: number
  /** Null for any. */
  resourceIds: number[] | null
  /** Local dates such as 2030-01-07, both included. */
  fromDate: string
  toDate: string
}

type Clock = {
  date: string
  weekdayBit: number
  fromMinute: number
  /** Beyond 1440 if it lasts past midnight. */
  toMinute: number
}

/** A free time at one Resource, and when it is on the clock of the Provider. */
export type FreeSlot = Clock & { productId: number; resourceId: number; start: number; end: number }

/** A wish until 24:00 has no end: an appointment that starts on its day may last past midnight. */
export const wholeDay = 1440

export function matches(wish: Wish, slot: FreeSlot): boolean {
  return (
    wish.productId === slot.productId &&
    (wish.resourceIds === null || wish.resourceIds.includes(slot.resourceId)) &&
    wish.fromDate <= slot.date &&
    wish.toDate >= slot.date &&
    matchesClock(wish, { ...slot, toMinute: Math.min(slot.toMinute, wholeDay) })
  )
}

export const matchesClock = (wish: ClockWish, slot: Omit<Clock, 'date'>): boolean =>
  (wish.weekdays & slot.weekdayBit) !== 0 &&
  wish.fromMinute <= slot.fromMinute &&
  wish.toMinute >= slot.toMinute

/** Where times that match can start, in order. Some that do not match may be in it, after a clock change. */
export function spansOfWish(
  { weekdays, fromMinute }: ClockWish,
  { from, to }: Span,
  offsets: ReturnType<typeof zoneOffsets>,
): Span[] {
  const shifts = offsets.map(one => one.offsetMs)
  const [least, most] = [Math.min(...shifts), Math.max(...shifts)]
  const spans: Span[] = []
  for (let day = Math.floor((from + least) / DAY); day * DAY - most < to; day++)
    if (weekdays & (1 << (weekdayOf(day) - 1)))
      spans.push({ from: day * DAY + fromMinute * MINUTE - most, to: (day + 1) * DAY - least })
  return spans
}

/** A free time as the clocks of the Provider show it. */
export function asFreeSlot(
  slot: Pick<FreeSlot, 'productId' | 'resourceId' | 'start' | 'end'>,
  timeZone: string,
): FreeSlot {
  return { ...slot, ...clockAt(slot, offsetAt(zoneOffsets(timeZone, slot.start, slot.start), slot.start)) }
}

/** `offset`: that of the Provider's zone at the start. */
export function clockAt({ start, end }: { start: number; end: number }, offset: number): Clock {
  const { year, month, day, hour, minute, weekday } = localParts(start, offset)
  const fromMinute = hour * 60 + minute
  return {
    date: `${pad(year, 4)}-${pad(month)}-${pad(day)}`,
    weekdayBit: 1 << (weekday - 1),
    fromMinute,
    toMinute: fromMinute + Math.ceil((end - start) / MINUTE),
  }
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

export const allWeekdays = 127

/** 1 is Monday. */
export const weekdayBits = (days: number[]): number => days.reduce((bits, day) => bits | (1 << (day - 1)), 0)

export const weekdaysIn = (bits: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter(day => bits & (1 << (day - 1)))

/** Minutes of a clock time such as 08:30; 24:00 is the end of the day. */
export function minuteOf(clock: string): number | null {
  const [_match, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(clock) ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  return Number(minutes) < 60 && minute <= 1440 ? minute : null
}

export const clockOf = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
