import { makeFormat } from '#shared/format.ts'
import { zoneNamesIn } from '#shared/zone-names.ts'
import { browserZone, dayAt, offsetAt } from '#shared/zones.ts'
import { locale } from './words.ts'

/** Formats dates and times for the reader's locale. */
export const format = makeFormat(locale.tag, zoneNamesIn(locale.language))

export const instant = (text: string): number => Date.parse(text)

export const timeRange = (start: string, end: string, zone: string) =>
  `${format.time(instant(start), zone)} – ${format.time(instant(end), zone)}`

export const today = (zone: string) => dayAt(Date.now(), zone)

let pageZone = browserZone()
/** All times use the zone of the open business; the rail names it if the browser's differs. */
export const showTimesIn = (zone: string) => {
  pageZone = zone
}

export const moment = (text: string | null | undefined, zone = pageZone) =>
  text ? format.when(instant(text), zone) : '–'

const offsets = new Map<string, number>()
const quarterMs = 900_000

/**
 * The local time in a zone, such as 2026-03-04T09:30. Intl is slow and a busy week has thousands of times.
 * Offsets change only on the quarter hour, so one lookup per quarter is cached.
 */
export function clockAt(instant: number, zone: string): string {
  const key = `${zone} ${Math.floor(instant / quarterMs)}`
  const offset = offsets.get(key) ?? offsetAt(instant, zone)
  if (offsets.size > 20_000) offsets.clear()
  offsets.set(key, offset)
  return new Date(instant + offset * 60_000).toISOString().slice(0, 16)
}
