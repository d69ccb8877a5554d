// Parses date-times, and re-exports civil.ts and zones.ts. Instants are epoch milliseconds; the zone is
// always an argument. The texts are untrusted, so a regular expression decides what is a date-time: Date and
// Temporal accept far more.

import { DAY, lastInstant, localParts, MINUTE } from './civil.ts'
import {
  instantOfWall,
  offsetAt,
  startOfLocalDay,
  startOfNextLocalDay,
  wallOfInstant,
  zoneOffsets,
} from './zones.ts'

export { localParts, toOffsetText, toUtcText } from './civil.ts'
export { isTimeZone, offsetAt, startOfLocalDay, zoneOffsets } from './zones.ts'

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const DATE_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,9}))?)?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/

/** A date-time with `Z` or an offset, else local time of the zone; null if the text is neither. */
export function parseInstant(text: string, zone: string): number | null {
  const written = readDateTime(text)
  if (!written) return null
  const { wall, offsetMs } = written
  const instant = offsetMs === null ? instantOfWall(wall, zone) : wall - offsetMs
  // An offset can move the instant past the year 9999.
  return instant <= lastInstant ? instant : null
}

/** As above, or a bare date: the local start of that day. */
export function parseDateOrInstant(text: string, zone: string): number | null {
  const date = readDate(text)
  if (date === null) return parseInstant(text, zone)
  // Noon is on that day even if the clock changes at midnight.
  return startOfLocalDay(instantOfWall(date + DAY / 2, zone), zone)
}

/** Some widgets append `Z` to the wall clock they show, so the offset is ignored. */
export function wallClockAsInstant(text: string, zone: string): number | null {
  const written = readDateTime(text)
  return written && instantOfWall(written.wall, zone)
}

/** All instants at which the zone's clock shows this time: two where the clock goes back, else one. */
export function wallClockAsInstants(text: string, zone: string): number[] {
  const first = wallClockAsInstant(text, zone)
  const wall = wallClockAsInstant(text, 'UTC')
  if (first === null || wall === null) return []
  const offsets = zoneOffsets(zone, wall - DAY, wall + DAY)
  const shown = offsets.map(({ offsetMs }) => wall - offsetMs)
  const second = shown.find(instant => instant > first && instant + offsetAt(offsets, instant) === wall)
  return second === undefined ? [first] : [first, second]
}

/** The wall clock of the zone, as in zones.ts: as written if the text has no offset. */
export function parseWall(text: string, zone: string): number | null {
  const written = readDateTime(text)
  if (!written) return null
  if (written.offsetMs === null) return written.wall
  return wallOfInstant(written.wall - written.offsetMs, zone)
}

/** Rounds up to full raster steps of elapsed time since local midnight; each day starts a new grid. */
export function nextRasterSinceMidnight(ms: number, raster: number, zone: string): number {
  const midnight = startOfLocalDay(ms, zone)
  const step = raster * MINUTE
  const next = midnight + Math.ceil((ms - midnight) / step) * step
  return Math.min(next, startOfNextLocalDay(ms, zone))
}

function readDateTime(text: string): { wall: number; offsetMs: number | null } | null {
  const groups = DATE_TIME.exec(text)?.groups
  if (!groups) return null
  const { date = '', hour, minute, second = 0, fraction = '', offset } = groups
  const midnight = readDate(date)
  if (midnight === null) return null
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  // Instants have milliseconds: further digits are cut off.
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { wall: midnight + seconds * 1000 + millis, offsetMs: offset ? readOffset(offset) : null }
}

function readDate(text: string): number | null {
  const [_match, year, month, day] = DATE.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined || year < 1900) return null
  const midnight = Date.UTC(year, month - 1, day)
  // Date.UTC turns 30 February into 2 March, so the parts are compared.
  const date = localParts(midnight, 0)
  return date.month === month && date.day === day ? midnight : null
}

function readOffset(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0
  const sign = offset.startsWith('-') ? -1 : 1
  const digits = offset.replace(':', '').slice(1)
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * MINUTE
}
