import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { instantOfWall, isTimeZone, wallOfInstant } from '../rules/time/zones.ts'

// The zones that a calendar names. A known name is taken from the zone database, because the tables that programs write into
// their files are often cut off or outdated. Only unknown names are read from the file.

export type Zone = {
  /** A wall clock, counted as if it were UTC, as an instant. */
  toInstant(wall: number): number
  toWall(instant: number): number
}

export const utc: Zone = { toInstant: wall => wall, toWall: instant => instant }

export const zoneOf = (name: string): Zone => ({
  toInstant: wall => instantOfWall(wall, name),
  toWall: instant => wallOfInstant(instant, name),
})

/** Finds zones by TZID. An unknown zone without a table is read as the Resource's. */
export function zonesOf(calendar: ICAL.Component, own: Zone): (tzid: string | null) => Zone {
  const tables = new Map(
    calendar.getAllSubcomponents('vtimezone').map(one => [String(one.getFirstPropertyValue('tzid')), one]),
  )
  const known = new Map<string, Zone>()
  return tzid => {
    if (tzid === null) return own
    const found = known.get(tzid) ?? find(tzid, tables.get(tzid)) ?? own
    known.set(tzid, found)
    return found
  }
}

function find(tzid: string, table: ICAL.Component | undefined): Zone | null {
  // Some programs prefix the name: /freeassociation.sourceforge.net/Europe/Berlin, /mozilla.org/20070129_1/Europe/Berlin.
  const names = [tzid, tzid.split('/').slice(-2).join('/'), tzid.split('/').slice(-3).join('/')]
  const name = names.find(isTimeZone)
  if (name) return /^(utc|gmt|z)$/i.test(name) ? utc : zoneOf(name)
  const [iana] = findIana(tzid)
  if (iana) return zoneOf(iana)
  return table ? fromTable(table, tzid) : null
}

function fromTable(table: ICAL.Component, tzid: string): Zone {
  const zone = new ICAL.Timezone({ component: table, tzid })
  const offsetMs = (wall: number) => zone.utcOffset(timeOf(wall)) * 1000
  return {
    toInstant: wall => wall - offsetMs(wall),
    // The offset depends on the wall clock, which depends on the offset: right except within the hour of a change.
    toWall: instant => instant + offsetMs(instant + offsetMs(instant)),
  }
}

/** Without a zone. */
export function timeOf(wall: number): ICAL.Time {
  const date = new Date(wall)
  return new ICAL.Time(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      isDate: false,
    },
    ICAL.Timezone.localTimezone,
  )
}

export const wallOf = (time: ICAL.Time): number =>
  Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
