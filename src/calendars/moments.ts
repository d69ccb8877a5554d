import ICAL from 'ical.js'
import { utc, wallOf, type Zone } from './zones.ts'

export type Reader = {
  /** For whole days and times without a zone. */
  own: Zone
  zoneNamed(tzid: string | null): Zone
}

/** A date or time as it was written, and the instant it means. */
export type Moment = {
  wall: number
  zone: Zone
  instant: number
  isDate: boolean
  /** The end of a period; null for a plain moment. */
  end: number | null
}

export function readMoment(entry: ICAL.Component, name: string, reader: Reader): Moment | null {
  const property = entry.getFirstProperty(name)
  return property ? (readMoments(property, reader)[0] ?? null) : null
}

/** All values of a property that holds dates, times or periods. */
export function readMoments(property: ICAL.Property, reader: Reader): Moment[] {
  const tzid = property.getFirstParameter('tzid') ?? null
  return property.getValues().map((value: unknown) => {
    if (value instanceof ICAL.Period) return readPeriod(value, tzid, reader)
    if (value instanceof ICAL.Time) return momentOf(value, tzid, reader)
    throw new Error('neither a date nor a time')
  })
}

function readPeriod(period: ICAL.Period, tzid: string | null, reader: Reader): Moment {
  const start = momentOf(period.start, tzid, reader)
  const end = period.end
    ? momentOf(period.end, tzid, reader).instant
    : start.instant + period.duration.toSeconds() * 1000
  return { ...start, end }
}

export function momentOf(time: ICAL.Time, tzid: string | null, reader: Reader): Moment {
  const wall = wallOf(time)
  if (!Number.isFinite(wall)) throw new Error('not a date')
  const isDate = time.isDate
  const isUtc = !isDate && time.zone === ICAL.Timezone.utcTimezone
  const zone = isDate ? reader.own : isUtc ? utc : reader.zoneNamed(tzid)
  return { wall, zone, instant: zone.toInstant(wall), isDate, end: null }
}
