import { makeFormat } from '#shared/format.ts'
import { browserZone, dayAt, offsetAt } from '#shared/zones.ts'
import { locale } from './words.ts'

/** Dates and times as this reader writes them. */
export const format = makeFormat(locale.tag)

export const instant = (text: string): number => Date.parse(text)

export const timeRange = (start: string, end: string, zone: string) =>
  `${format.time(instant(start), zone)} – ${format.time(instant(end), zone)}`

export const today = (zone: string) => dayAt(Date.now(), zone)

/** When something happened, on the reader's own clock. */
export const moment = (text: string | null | undefined, zone = browserZone()) =>
  text ? format.when(instant(text), zone) : '–'

const offsets = new Map<string, number>()
const quarterMs = 900_000

/**
 * What the clocks of the zone show, such as 2026-03-04T09:30. Thousands of times lie in a week of a busy calendar, and asking the
 * browser for each is slow. Clocks change at full quarters of an hour, so it is asked once for each of these.
 */
export function clockAt(instant: number, zone: string): string {
  const key = `${zone} ${Math.floor(instant / quarterMs)}`
  const offset = offsets.get(key) ?? offsetAt(instant, zone)
  if (offsets.size > 20_000) offsets.clear()
  offsets.set(key, offset)
  return new Date(instant + offset * 60_000).toISOString().slice(0, 16)
}
