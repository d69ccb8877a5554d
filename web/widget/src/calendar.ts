import { instantText } from './api.ts'

// "Add to calendar": a file made in the browser, and links that do nothing until they are clicked.

export type CalendarEntry = {
  uid: string
  start: number
  end: number
  title: string
  place: string
  details: string
}

/**
 * The UID of the entry in the mail: a calendar that gets both keeps one. What was held does not name it, since an
 * expired hold is booked anew; the token of the cancel link does: it begins with the participation that it cancels.
 */
export function uidOf(cancelLink: string): string {
  const { hostname, searchParams } = new URL(cancelLink)
  const [participation = ''] = (searchParams.get('X-SIGNED-APP-CUSTOMER') ?? '').split('.')
  return `${atob(participation)}@${hostname}`
}

const compact = (instant: number) => instantText(instant).replace(/[-:]/g, '')
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** RFC 5545: lines end in CR LF and are folded at 75 bytes. */
export function icsText(entry: CalendarEntry, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Booking//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `DTSTAMP:${compact(now - (now % 1000))}`,
    `DTSTART:${compact(entry.start)}`,
    `DTEND:${compact(entry.end)}`,
    `SUMMARY:${escaped(entry.title)}`,
    entry.place && `LOCATION:${escaped(entry.place)}`,
    entry.details && `DESCRIPTION:${escaped(entry.details)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines
    .filter(Boolean)
    .map(line => `${folded(line)}\r\n`)
    .join('')
}

function folded(line: string): string {
  const encoder = new TextEncoder()
  let text = ''
  let bytes = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (bytes + size > 73) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return text
}

export function googleLink({ start, end, title, place, details }: CalendarEntry): string {
  const dates = `${compact(start)}/${compact(end)}`
  const query = new URLSearchParams({ action: 'TEMPLATE', text: title, dates, location: place, details })
  return `https://calendar.google.com/calendar/render?${query}`
}

export function outlookLink({ start, end, title, place, details }: CalendarEntry): string {
  const query = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: instantText(start),
    enddt: instantText(end),
    location: place,
    body: details,
  })
  return `https://outlook.live.com/calendar/0/deeplink/compose?${query}`
}
