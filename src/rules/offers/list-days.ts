// A list split into days that are built independently, so that a change rebuilds only the days it affects.
// The split does not change what is listed; it is at local midnight because a day is mostly one group of the
// response.

import { bookablesOf, type Listing, type ListOptions } from './bookables.ts'
import { day, minute, type Span, type Window } from './window.ts'

/** How far before and after itself an Appointment can conflict with slots. */
export type DayReach = { before: number; behind: number }

export function reachOf({ products, timeslots }: Pick<Window, 'products' | 'timeslots'>): DayReach {
  const most = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b), 0)
  const raster = most(timeslots.map(one => one.raster))
  const lengths = products.map(one => Math.max(one.minDuration ?? 0, 0) + (one.followUpTimeMinutes ?? 0))
  const leads = products.map(one => one.leadTimeMinutes ?? 0)
  return { before: (most(lengths) + raster) * minute, behind: most(leads) * minute }
}

/** `shift`: the offset of local time from UTC. */
export const dayAt = (moment: number, shift: number) => Math.floor((moment + shift) / day)

export const spanOfDay = (index: number, shift: number): Span => ({
  from: index * day - shift,
  to: (index + 1) * day - shift,
})

/** The days whose slots a change in this span can affect. */
export const daysAround = (
  { from, to }: Span,
  { before, behind }: DayReach,
  shift: number,
): { first: number; last: number } => ({
  first: dayAt(from - before, shift),
  last: dayAt(to + behind, shift),
})

/** The part of a window that decides one day. */
type DayWindow = Pick<Window, 'timeslots' | 'appointments'>

/** The days that have any content, or those of `only`, in order. */
export function cutIntoDays(
  window: Window,
  reach: DayReach,
  shift: number,
  { from, to }: Span,
  only?: number[],
): Map<number, DayWindow> {
  const first = dayAt(from, shift)
  const last = to === Number.POSITIVE_INFINITY ? to : dayAt(to - 1, shift)
  const wanted = new Map<number, DayWindow>()
  const add = (index: number) => {
    if (index >= first && index <= last && !wanted.has(index))
      wanted.set(index, { timeslots: [], appointments: [] })
  }
  for (const index of only ?? []) add(index)
  if (!only)
    for (const { start, end } of window.timeslots)
      for (
        let index = Math.max(dayAt(start, shift), first);
        index <= Math.min(dayAt(end - 1, shift), last);
        index++
      )
        add(index)
  if (!only) for (const { start } of window.appointments) add(dayAt(start, shift))
  fill(wanted, window, reach, shift)
  return new Map([...wanted].sort(([a], [b]) => a - b))
}

function fill(wanted: Map<number, DayWindow>, window: Window, reach: DayReach, shift: number) {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const index of wanted.keys()) [least, most] = [Math.min(least, index), Math.max(most, index)]
  for (const timeslot of window.timeslots) {
    const until = Math.min(dayAt(timeslot.end - 1, shift), most)
    for (let index = Math.max(dayAt(timeslot.start, shift), least); index <= until; index++)
      wanted.get(index)?.timeslots.push(timeslot)
  }
  for (const appointment of window.appointments) {
    const { first, last } = daysAround(
      { from: appointment.blockedFrom, to: appointment.blockedTo },
      reach,
      shift,
    )
    for (let index = Math.max(first, least); index <= Math.min(last, most); index++)
      wanted.get(index)?.appointments.push(appointment)
  }
}

/** What one day offers, and when time alone changes it. */
export function* bookablesOfDay(
  window: Window,
  { timeslots, appointments }: DayWindow,
  index: number,
  shift: number,
  options: ListOptions,
): Generator<void, Listing> {
  const { from, to } = spanOfDay(index, shift)
  return yield* bookablesOf(
    { ...window, timeslots, appointments },
    { ...options, from: Math.max(from, options.from), to: Math.min(to, options.to) },
  )
}
