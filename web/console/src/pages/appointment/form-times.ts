import { addDays } from '#shared/dates.ts'
import { instantOf, localAt } from '#shared/zones.ts'
import { type CalendarPeriod, type Entry, offers } from '../../records.ts'

/** Form values in the Provider's local time. */
export type When = { resourceUuid: string; day: string; from: string; to: string }

export function whenOf(resourceUuid: string, start: number, end: number, zone: string): When {
  const [from, to] = [localAt(start, zone), localAt(end, zone)]
  return { resourceUuid, day: from.slice(0, 10), from: from.slice(11), to: to.slice(11) }
}

/** An end that is not after the start falls on the next day. Null while a value is missing. */
export function spanOf({ day, from, to }: When, zone: string): { start: number; end: number } | null {
  if (!day || !from || !to) return null
  const start = instantOf(`${day}T${from}`, zone)
  const end = instantOf(`${day}T${to}`, zone)
  if (Number.isNaN(start) || Number.isNaN(end)) return null
  if (end > start) return { start, end }
  // The start falls into the hour skipped by daylight saving: it begins later but keeps its length.
  if (to > from) return { start, end: start + (minutesOf(to) - minutesOf(from)) * 60_000 }
  return { start, end: instantOf(`${addDays(day, 1)}T${to}`, zone) }
}

/** A new start keeps the length. */
export function moved(when: When, from: string): When {
  const length = minutesOf(when.to) - minutesOf(when.from)
  if (!from || !when.from || !when.to || length <= 0) return { ...when, from }
  const end = (minutesOf(from) + length) % 1440
  const two = (value: number) => String(value).padStart(2, '0')
  return { ...when, from, to: `${two(Math.floor(end / 60))}:${two(end % 60)}` }
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The current Resource, the drag's target, and every Resource that offers the Product. */
export const placesFor = (entry: Entry, when: When, data: CalendarPeriod | null) =>
  data?.resources.filter(
    one => offers(one, entry.product) || one.uuid === entry.resource.uuid || one.uuid === when.resourceUuid,
  ) ?? [entry.resource]
