import { addMonths, type Day, dayMs, dayText, firstDay, type Month, utcOf } from './dates.ts'

// Time zones with Intl only, since not every browser has Temporal yet.

type Wall = { day: Day; hour: number; minute: number }

/** Calls `make` once for each key: Intl takes microseconds, too long for each of a thousand slots. */
export function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return key => {
    let value = known.get(key)
    if (value === undefined) {
      value = make(key)
      if (known.size > 5000) known.clear()
      known.set(key, value)
    }
    return value
  }
}

const readerOf = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
)

type Reading = Wall & { second: number }

function readWall(instant: number, zone: string): Reading {
  const parts: Record<string, string> = {}
  for (const { type, value } of readerOf(zone).formatToParts(instant)) parts[type] = value
  const { year, month, day, hour, minute, second } = parts
  return {
    day: `${year!.padStart(4, '0')}-${month}-${day}`,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  }
}

/** Milliseconds east of UTC, or null if the zone's clock changes within three hours of this day (UTC). */
const offsetsOf = remembered((zone: string) =>
  remembered((day: number) => {
    const before = readOffset(day * dayMs - 10_800_000, zone)
    return before === readOffset((day + 1) * dayMs + 10_800_000, zone) ? before : null
  }),
)

const steadyOffset = (instant: number, zone: string) => offsetsOf(zone)(Math.floor(instant / dayMs))

function readOffset(instant: number, zone: string): number {
  const { day, hour, minute, second } = readWall(instant, zone)
  const wall = utcOf(day) + ((hour * 60 + minute) * 60 + second) * 1000
  return wall - Math.floor(instant / 1000) * 1000
}

/** Date and time of day in the zone at this instant. */
export function wallAt(instant: number, zone: string): Reading {
  const offset = isUsual(instant) ? steadyOffset(instant, zone) : null
  if (offset === null) return readWall(instant, zone)
  const wall = instant + offset
  const day = Math.floor(wall / dayMs)
  const seconds = Math.floor((wall - day * dayMs) / 1000)
  return {
    day: dayOf(day),
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
  }
}

/** The date of a day since 1970. */
const dayOf = remembered((number: number): Day => dayText(number * dayMs))

/** From 1970 to 9999, which ISO writes with four digits. */
const isUsual = (instant: number) => instant > dayMs && instant < 253_402_000_000_000

export const dayAt = (instant: number, zone: string): Day => wallAt(instant, zone).day

/** Minutes east of UTC. */
export function offsetAt(instant: number, zone: string): number {
  const offset = isUsual(instant) ? steadyOffset(instant, zone) : null
  return Math.round((offset ?? readOffset(instant, zone)) / 60_000)
}

/**
 * True if the clock shows this time twice because it is put back (by an hour; on Lord Howe Island by half an
 * hour).
 */
export const isTwice = (instant: number, zone: string): boolean =>
  steadyOffset(instant, zone) === null &&
  [-3_600_000, -1_800_000, 1_800_000, 3_600_000].some(
    away => localAt(instant + away, zone) === localAt(instant, zone),
  )

/** Midnight in the zone; if the clock skips midnight, the first instant of the day. */
export function startOfDay(day: Day, zone: string): number {
  const wall = utcOf(day)
  const guess = wall - offsetAt(wall, zone) * 60_000
  const better = wall - offsetAt(guess, zone) * 60_000
  return dayAt(better, zone) < day ? better + 3_600_000 : better
}

/** Local date and time as a form writes it: '2026-03-04T09:30'. */
export function localAt(instant: number, zone: string): string {
  const { day, hour, minute } = wallAt(instant, zone)
  return `${day}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/**
 * The instant of '2026-03-04T09:30' in the zone. An ambiguous time: the first; a skipped time: an hour later.
 */
export function instantOf(local: string, zone: string): number {
  const wall = Date.parse(`${local}:00Z`)
  const [before, after] = [wall - 86_400_000, wall + 86_400_000].map(
    around => wall - offsetAt(around, zone) * 60_000,
  ) as [number, number]
  const real = [before, after].filter(one => localAt(one, zone) === local)
  return real.length > 0 ? Math.min(...real) : before
}

export function monthBounds(month: Month, zone: string, months = 1): { from: number; to: number } {
  return { from: startOfDay(firstDay(month), zone), to: startOfDay(firstDay(addMonths(month, months)), zone) }
}

/** 'UTC+1', 'UTC−3:30', 'UTC' */
export function offsetText(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const rest = size % 60 ? `:${String(size % 60).padStart(2, '0')}` : ''
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`
}

/** 'Europe/Berlin' is 'Berlin': what people look for. */
export const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** False for zones that are only an offset, such as UTC and Etc/GMT+5. */
export const isPlace = (zone: string) => /^(?!Etc\/).+\//.test(zone)

export function isZone(zone: string): boolean {
  try {
    return Boolean(readerOf(zone))
  } catch {
    return false
  }
}

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** All zones of this browser; UTC may come twice. */
export const allZones = (): string[] => [
  ...((Intl as { supportedValuesOf?: (key: 'timeZone') => string[] }).supportedValuesOf?.('timeZone') ?? []),
  'UTC',
]
