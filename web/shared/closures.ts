import type { PublicData } from './api-types.ts'
import type { Day } from './dates.ts'
import { dayAt } from './zones.ts'

type Place = Pick<PublicData, 'closures'>
export type Closed = { until: number; reason: string }

/** Why all of these are closed now, and when the first of them opens again; null if one is open. */
export function closedAt(places: Place[], at: number): Closed | null {
  const all = places.map(one => closureAt(one, at))
  const known = all.filter(one => one !== null)
  if (known.length < all.length) return null
  return known.sort((a, b) => a.until - b.until)[0] ?? null
}

/** Adjacent closures count as one, with the reason of the first. */
function closureAt({ closures }: Place, at: number): Closed | null {
  const covers = (instant: number) =>
    closures.find(one => Date.parse(one.from) <= instant && Date.parse(one.to) > instant)
  const first = covers(at)
  if (!first) return null
  let until = Date.parse(first.to)
  for (let next = covers(until); next; next = covers(until)) until = Date.parse(next.to)
  return { until, reason: first.reason }
}

type Texts = { closedUntil(day: string, reason: string): string }
type Format = { day(day: Day): string }

/** For a closure that lasts longer than the day: until when, and why. */
export function closedSentence(
  places: Place[],
  at: number,
  zone: string,
  texts: Texts,
  format: Format,
): string | null {
  const closed = closedAt(places, at)
  if (!closed || dayAt(closed.until, zone) === dayAt(at, zone)) return null
  return texts.closedUntil(format.day(dayAt(closed.until, zone)), closed.reason)
}
