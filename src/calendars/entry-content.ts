import { createHash } from 'node:crypto'
import { readMoment } from './moments.ts'
import { parseCalendars } from './read-calendar.ts'
import { utc, zonesOf } from './zones.ts'

// What counts of an entry that we wrote: when and what it is. Calendar programs add alarms, colours and dates of their own as soon
// as a person opens an entry; that is no change of the booking.

type EntryContent = {
  start: number
  end: number
  summary: string
  location: string
  status: string
}

export const digestOfContent = ({ start, end, summary, location, status }: EntryContent): string =>
  createHash('sha256')
    .update(JSON.stringify([seconds(start), seconds(end), plain(summary), plain(location), status]))
    .digest('hex')

const seconds = (instant: number) => Math.floor(instant / 1000)

/** Servers may fold, trim and normalise text. */
const plain = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Digest of an entry as a server keeps it. Anything that we never write, such as a repetition, gives another digest. */
export function digestOfText(text: string): string {
  const [calendar, ...others] = parseCalendars(text)
  const [entry, ...more] = calendar?.getAllSubcomponents('vevent') ?? []
  if (!calendar || !entry || others.length + more.length > 0) return digestOfOther(text)
  const reader = { own: utc, zoneNamed: zonesOf(calendar, utc) }
  const start = readMoment(entry, 'dtstart', reader)
  const end = readMoment(entry, 'dtend', reader)
  if (!start || !end || start.isDate || entry.hasProperty('rrule') || entry.hasProperty('rdate'))
    return digestOfOther(text)
  const word = (name: string) => String(entry.getFirstPropertyValue(name) ?? '')
  return digestOfContent({
    start: start.instant,
    end: end.instant,
    summary: word('summary'),
    location: word('location'),
    status: word('status').toUpperCase() || 'CONFIRMED',
  })
}

const digestOfOther = (text: string) => createHash('sha256').update(text).digest('hex')
