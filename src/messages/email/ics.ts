import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalAttendeeType,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import type { Language } from '../../languages.ts'
import { manyLines, nameToGreet, oneLine, webLink } from '../../lib/clean-text.ts'
import type { BookingData, IcsMethod } from '../../rules/messages/messages.ts'
import { contactLines, providerName, titleOf } from '../content/details.ts'
import { bothTimes } from '../content/times-in-both-zones.ts'
import { textsIn } from '../texts/index.ts'
import { printLine } from './text.ts'

/**
 * The calendar part. One UID per Participation and a rising sequence, so that calendars update or remove
 * their entry instead of adding another. Times are UTC instants, which are correct in any zone without zone
 * tables.
 */
export function calendarPart(method: IcsMethod, language: Language, data: BookingData): string {
  const cancelled = method === 'CANCEL'
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Holdfast', language },
    method: ICalCalendarMethod[method],
  })
  const { dates, ...shared } = data
  for (const one of dates?.map(date => ({ ...shared, ...date })) ?? [shared])
    calendar.createEvent({
      id: oneLine(one.uid),
      sequence: one.sequence,
      stamp: new Date(one.stamp),
      start: new Date(one.start),
      end: new Date(one.end),
      summary: titleOf(one),
      location: oneLine(one.place) || null,
      description: descriptionOf(one, language, cancelled) || null,
      organizer: { name: unquoted(providerName(one)), email: oneLine(one.organizerEmail) },
      attendees: attendeesOf(one),
      status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
  // The library omits the final line break; every line of a calendar ends with CRLF.
  return `${calendar.toString()}\r\n`
}

function descriptionOf(data: BookingData, language: Language, cancelled: boolean): string {
  const texts = textsIn(language)
  const cancelLink = cancelled ? null : webLink(data.cancelLink)
  const moveLink = cancelled ? null : webLink(data.moveLink)
  const when = bothTimes(data, language, 'consumer')
  const blocks = [
    // Calendars show their own zone, so the description gives both times.
    when.other && `${when.zone}${texts.colon} ${when.sentence}\n${when.other}`,
    data.places && `${texts.labels.places}${texts.colon} ${data.places}`,
    manyLines(data.description),
    data.contact &&
      contactLines(data.contact, texts)
        .map(line => printLine(line, texts))
        .join('\n'),
    moveLink && `${texts.buttons.move}${texts.colon} ${moveLink}`,
    cancelLink && `${texts.buttons.cancel}${texts.colon} ${cancelLink}`,
  ]
  return blocks.filter(Boolean).join('\n\n')
}

/** Accepted, without asking for a reply: the consumer has already booked. */
function attendeesOf(data: BookingData) {
  const email = oneLine(data.consumer.email)
  if (!email) return []
  // A booking may use a stranger's address and an advertisement as the name.
  const name = unquoted(nameToGreet(data.consumer.name) ?? email)
  const role = ICalAttendeeRole.REQ
  const type = ICalAttendeeType.INDIVIDUAL
  return [{ name, email, role, type, status: ICalAttendeeStatus.ACCEPTED, rsvp: false }]
}

/** Many calendars show the escape code of a double quote inside a quoted name. */
function unquoted(name: string): string {
  return name.replace(/"/g, "'").replace(/\^/g, '')
}
