// Offsets of time zones. Slot lists ask Temporal once per period (`zoneOffsets`) and then use plain numbers.
// A `wall` is a wall clock counted as if it were UTC: 1970-01-01T10:00 is 36,000,000 in every zone.

/** The offsets of a period, oldest first; the first one holds from -Infinity. */
type Offsets = readonly { readonly at: number; readonly offsetMs: number }[]

export function isTimeZone(name: string): boolean {
  // Plain offsets are refused: PostgreSQL reads their sign the other way round.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    // Each accepts names that the other refuses: ICU has PST and JST, Temporal accepts whole date-times.
    new Intl.DateTimeFormat('en', { timeZone: name })
    zoned(0, name)
    return true
  } catch {
    return false
  }
}

/**
 * A time in a gap moves forward by the length of the gap; of a time that occurs twice, the earlier one
 * counts.
 */
export function instantOfWall(wall: number, zone: string): number {
  const clock = zoned(wall, 'UTC').toPlainDateTime()
  return clock.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}

export function wallOfInstant(ms: number, zone: string): number {
  return ms + offsetOf(zoned(ms, zone))
}

/** Not always midnight: where the clock jumps at midnight the day starts at 01:00. */
export function startOfLocalDay(ms: number, zone: string): number {
  return zoned(ms, zone).startOfDay().epochMilliseconds
}

export function startOfNextLocalDay(ms: number, zone: string): number {
  return zoned(ms, zone).startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds
}

/**
 * Valid for every instant in [from, to]. The cost grows with the number of years, so keep the period short.
 */
export function zoneOffsets(zone: string, from: number, to: number): Offsets {
  const offsets = [{ at: -Infinity, offsetMs: offsetOf(zoned(from, zone)) }]
  for (let year = yearOf(from); year <= yearOf(to); year++) {
    for (const change of changesOfYear(zone, year)) {
      if (change.at > from && change.at <= to) offsets.push(change)
    }
  }
  return offsets
}

export function offsetAt(offsets: Offsets, ms: number): number {
  let offsetMs = 0
  for (const change of offsets) {
    if (change.at > ms) break
    offsetMs = change.offsetMs
  }
  return offsetMs
}

// A few kilobytes; cleared when full, because a service uses few zones and years.
const MAX_YEARS_KNOWN = 1000
const yearsKnown = new Map<string, Change[]>()

type Change = { at: number; offsetMs: number }

function changesOfYear(zone: string, year: number): Change[] {
  const key = `${year} ${zone}`
  const known = yearsKnown.get(key)
  if (known) return known
  const changes = findChanges(zone, Date.UTC(year, 0), Date.UTC(year + 1, 0))
  if (yearsKnown.size >= MAX_YEARS_KNOWN) yearsKnown.clear()
  yearsKnown.set(key, changes)
  return changes
}

function findChanges(zone: string, from: number, to: number): Change[] {
  const changes: Change[] = []
  let change = zoned(from - 1, zone).getTimeZoneTransition('next')
  while (change && change.epochMilliseconds < to) {
    changes.push({ at: change.epochMilliseconds, offsetMs: offsetOf(change) })
    change = change.getTimeZoneTransition('next')
  }
  return changes
}

function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
}

function offsetOf(time: Temporal.ZonedDateTime): number {
  return time.offsetNanoseconds / 1_000_000
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear()
}
