import { setImmediate as breathe } from 'node:timers/promises'
import type { FeedEntry, OpenFeed } from '../db/scheduling/feeds.ts'
import type { Language } from '../languages.ts'
import { formatAddress } from '../rules/people/addresses.ts'

/** The title of entries in a calendar without names. */
const busyIn: Record<Language, string> = {
  de: 'Belegt',
  en: 'Busy',
  fr: 'Occupé',
  es: 'Ocupado',
  it: 'Occupato',
}

/** "Ann Winter (3 places)": a booking of several. */
const placesIn: Record<Language, string> = {
  de: 'Plätze',
  en: 'places',
  fr: 'places',
  es: 'plazas',
  it: 'posti',
}

// Written without the library that writes the calendar entries in emails: for the ten thousand entries of a
// busy year, it would block the service for a quarter of a second.

const atOnce = 500

/** The whole calendar as text. Times are UTC instants, which are correct in any zone without zone tables. */
export async function calendarText(feed: OpenFeed, entries: FeedEntry[], host: string): Promise<string> {
  const name = [feed.of, feed.providerName].filter(Boolean).join(' – ')
  const placeOf = placesOf()
  const parts = [
    lines([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      `PRODID:-//Holdfast//Holdfast//${feed.language.toUpperCase()}`,
      'METHOD:PUBLISH',
      `NAME:${escaped(name)}`,
      `X-WR-CALNAME:${escaped(name)}`,
      'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
      'X-PUBLISHED-TTL:PT15M',
    ]),
  ]
  for (let index = 0; index < entries.length; index += atOnce) {
    if (index > 0) await breathe()
    parts.push(
      ...entries
        .slice(index, index + atOnce)
        .map(entry => lines(entryLines(feed, entry, `${entry.uuid}@${host}`, placeOf))),
    )
  }
  parts.push('END:VCALENDAR\r\n')
  return parts.join('')
}

type Titles = Pick<OpenFeed, 'names' | 'language' | 'resourceId'>

/** What a reader of the calendar sees of an entry. */
export const shownOf = (feed: Titles, entry: FeedEntry) => ({
  summary: summaryOf(feed, entry),
  location: (feed.names && formatAddress(entry.address as Parameters<typeof formatAddress>[0])) || '',
  status: statusOf(entry),
})

/**
 * One entry as a calendar server stores it. Without organizer, attendees and method, so that no server sends an invitation.
 */
export const entryText = (feed: Titles, entry: FeedEntry, uid: string): string =>
  [
    lines(['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:-//Holdfast//Holdfast//${feed.language.toUpperCase()}`]),
    lines(entryLines(feed, entry, uid, placesOf())),
    'END:VCALENDAR\r\n',
  ].join('')

const statusOf = ({ isSure }: FeedEntry) => (isSure ? 'CONFIRMED' : 'TENTATIVE')

function entryLines(feed: Titles, entry: FeedEntry, uid: string, placeOf: PlaceOf): string[] {
  const place = feed.names ? placeOf(entry.address) : null
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${instantText(entry.stamp)}`,
    `DTSTART:${instantText(entry.start)}`,
    `DTEND:${instantText(entry.end)}`,
    `SUMMARY:${escaped(summaryOf(feed, entry))}`,
    ...(place ? [place] : []),
    `STATUS:${statusOf(entry)}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
  ]
}

type PlaceOf = (address: unknown) => string | null

/** Thousands of entries share a few places. */
function placesOf(): PlaceOf {
  const known = new Map<string, string | null>()
  return address => {
    const key = JSON.stringify(address)
    if (!known.has(key)) {
      const place = formatAddress(address as Parameters<typeof formatAddress>[0])
      known.set(key, place && `LOCATION:${escaped(place)}`)
    }
    return known.get(key)!
  }
}

function summaryOf({ names, language, resourceId }: Titles, entry: FeedEntry): string {
  if (!names) return busyIn[language]
  const what = resourceId === null ? `${entry.productName}, ${entry.resourceName}` : entry.productName
  if (!entry.name) return what
  const many = Number(entry.places) > 1 ? ` (${entry.places} ${placesIn[language]})` : ''
  return `${entry.name}${many} – ${what}`
}

/** 20260304T080000Z */
function instantText(instant: number): string {
  const text = new Date(instant).toISOString()
  // Sliced instead of matched, because this runs thirty thousand times for a busy year.
  return `${text.slice(0, 4)}${text.slice(5, 7)}${text.slice(8, 13)}${text.slice(14, 16)}${text.slice(17, 19)}Z`
}

const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, sign => `\\${sign}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what no calendar may contain
    .replace(/[\u0000-\u001f\u007f]/g, ' ')

const lines = (all: string[]) => all.map(line => `${folded(line)}\r\n`).join('')

/** Lines have at most 75 bytes and continue after a blank. Characters are never split. */
function folded(line: string): string {
  if (line.length <= 25 || Buffer.byteLength(line) <= 75) return line
  let out = ''
  let bytes = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > 75) {
      out += '\r\n '
      bytes = 1
    }
    out += letter
    bytes += size
  }
  return out
}
