import ICAL from 'ical.js'
import { type BusySpan, toStoredSpans } from './busy-spans.ts'
import { type Moment, type Reader, readMoment, readMoments } from './moments.ts'
import { CalendarProblem } from './problem.ts'
import { repeatedStarts } from './repeats.ts'
import { zoneOf, zonesOf } from './zones.ts'

// Calendar text in, busy times out. Pure: the period is an argument. Runs in a thread, because a hostile calendar can take
// any time and memory (read-in-thread.ts).

export type ReadOptions = {
  /** The Resource's zone: whole days and times without a zone are read in it. */
  zone: string
  from: number
  to: number
  /** Whether tentative entries count as busy. */
  tentativeIsBusy: boolean
  withTitles: boolean
  /** Hosts behind the `@` of our own entries, which are not busy. */
  ownHosts: string[]
}

export type ReadCalendar = {
  spans: BusySpan[]
  /** Entries that could not be understood and were left out. */
  skipped: number
}

const maxSpans = 20_000

export function readCalendars(texts: string[], options: ReadOptions): ReadCalendar {
  const found: Found = { spans: [], skipped: 0, budget: { left: 200_000 }, options }
  for (const text of texts) for (const calendar of parseCalendars(text)) readOne(calendar, found)
  return { spans: toStoredSpans(found.spans, options), skipped: found.skipped }
}

type Found = { spans: BusySpan[]; skipped: number; budget: { left: number }; options: ReadOptions }

export function parseCalendars(text: string): ICAL.Component[] {
  const clean = text.replace(/^\uFEFF/, '').trim()
  if (!/^BEGIN:VCALENDAR\s/i.test(clean)) throw new CalendarProblem('format')
  if (!/\nEND:VCALENDAR$/i.test(clean)) throw new CalendarProblem('incomplete')
  try {
    const parsed = ICAL.parse(clean) as unknown[]
    const all = Array.isArray(parsed[0]) ? parsed : [parsed]
    return all.map(one => new ICAL.Component(one as never))
  } catch (error) {
    throw new CalendarProblem('format', (error as Error).message.slice(0, 200))
  }
}

function readOne(calendar: ICAL.Component, found: Found) {
  const { options } = found
  const own = zoneOf(options.zone)
  const reader: Reader = { own, zoneNamed: zonesOf(calendar, own) }
  const entries = calendar.getAllSubcomponents('vevent').filter(one => !isOwn(one, options))
  for (const group of Map.groupBy(entries, groupOf).values()) readGroup(group, reader, found)
  for (const one of calendar.getAllSubcomponents('vfreebusy'))
    attempt(found, () => readFreeBusy(one, reader, found))
}

const uidOf = (entry: ICAL.Component) => String(entry.getFirstPropertyValue('uid') ?? '')

/** An entry without a UID stands alone. */
const groupOf = (entry: ICAL.Component) => uidOf(entry) || entry

const ownUid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}@/i

function isOwn(entry: ICAL.Component, { ownHosts }: ReadOptions): boolean {
  const uid = uidOf(entry)
  const host = uid.slice(37).toLowerCase()
  return ownUid.test(uid) && ownHosts.some(own => own.toLowerCase() === host)
}

/** One broken entry must not hide all others. */
function attempt(found: Found, read: () => void) {
  try {
    read()
  } catch (error) {
    if (error instanceof CalendarProblem) throw error
    found.skipped++
  }
}

type Exception = { id: Moment; entry: ICAL.Component; isForLater: boolean }

/** An entry and the exceptions from its repetition: all that share a UID. */
function readGroup(group: ICAL.Component[], reader: Reader, found: Found) {
  const exceptions: Exception[] = []
  const plain: ICAL.Component[] = []
  for (const entry of group)
    attempt(found, () => {
      const id = readMoment(entry, 'recurrence-id', reader)
      if (!id) return void plain.push(entry)
      const range = entry.getFirstProperty('recurrence-id')!.getFirstParameter('range')
      exceptions.push({ id, entry, isForLater: /thisandfuture/i.test(range ?? '') })
    })
  for (const entry of newest(plain)) attempt(found, () => readEntry(entry, exceptions, reader, found))
  for (const { entry } of exceptions) attempt(found, () => addOnce(entry, reader, found))
}

/** A UID should occur once. Where a newer version is beside an older one it counts alone; programs that give all entries one UID keep them all. */
function newest(entries: ICAL.Component[]): ICAL.Component[] {
  if (entries.length < 2) return entries
  const sequences = entries.map(one => Number(one.getFirstPropertyValue('sequence') ?? 0))
  const last = Math.max(...sequences)
  return entries.filter((_, index) => sequences[index] === last)
}

function readEntry(entry: ICAL.Component, exceptions: Exception[], reader: Reader, found: Found) {
  const isRepeated = entry.hasProperty('rrule') || entry.hasProperty('rdate')
  if (!isRepeated)
    return exceptions.length === 0
      ? addOnce(entry, reader, found)
      : addUnlessReplaced(entry, exceptions, reader, found)
  const start = readMoment(entry, 'dtstart', reader)
  if (!start) return void found.skipped++
  const lengthOf = readLength(entry, start, reader)
  const isBusyHere = isBusy(entry, found.options)
  const later = exceptions
    .filter(one => one.isForLater)
    .sort((one, other) => one.id.instant - other.id.instant)
  const replaced = new Set(exceptions.map(({ id }) => nameOf(id, start.isDate)))
  const title = titleOf(entry, found.options)
  const lengthMs = lengthOf(start) - start.instant
  for (const occurrence of repeatedStarts(entry, start, lengthMs, reader, found)) {
    const names = [nameOf(occurrence, false), nameOf(occurrence, true)]
    if (names.some(name => replaced.has(name))) continue
    const change = later.findLast(one => one.id.instant <= occurrence.instant)
    if (change) attempt(found, () => addChanged(change, occurrence, reader, found))
    else if (isBusyHere) add(found, occurrence.instant, occurrence.end ?? lengthOf(occurrence), title)
  }
}

/** Days are compared as days, times as instants. */
const nameOf = (moment: Moment, asDay: boolean) =>
  asDay || moment.isDate ? `day ${Math.floor(moment.wall / 86_400_000)}` : `time ${moment.instant}`

function addUnlessReplaced(entry: ICAL.Component, exceptions: Exception[], reader: Reader, found: Found) {
  const start = readMoment(entry, 'dtstart', reader)
  const isReplaced =
    start && exceptions.some(({ id }) => nameOf(id, start.isDate) === nameOf(start, id.isDate))
  if (!isReplaced) addOnce(entry, reader, found)
}

function addOnce(entry: ICAL.Component, reader: Reader, found: Found) {
  const start = readMoment(entry, 'dtstart', reader)
  if (!start) return void found.skipped++
  if (isBusy(entry, found.options))
    add(found, start.instant, readLength(entry, start, reader)(start), titleOf(entry, found.options))
}

/** An exception for this and all later occurrences: they move with it, by the wall clock. */
function addChanged({ id, entry }: Exception, occurrence: Moment, reader: Reader, found: Found) {
  const start = readMoment(entry, 'dtstart', reader)
  if (!start || !isBusy(entry, found.options)) return
  const wall = occurrence.wall + (start.wall - id.wall)
  const moved = { ...start, wall, instant: start.zone.toInstant(wall) }
  add(found, moved.instant, readLength(entry, start, reader)(moved), titleOf(entry, found.options))
}

function add({ spans, options }: Found, from: number, to: number, title: string | null) {
  if (!(to > options.from && from < options.to && from < to)) return
  if (spans.length >= maxSpans) throw new CalendarProblem('many')
  spans.push({ from, to, title })
}

/** The end of an occurrence. Days and weeks follow the calendar, hours the clock; an end given as a time means an exact length. */
function readLength(entry: ICAL.Component, start: Moment, reader: Reader): (occurrence: Moment) => number {
  const end = readMoment(entry, 'dtend', reader)
  if (end && start.isDate) {
    const days = Math.max(dayMs, end.wall - start.wall)
    return ({ wall, zone }) => zone.toInstant(wall + days)
  }
  if (end) return ({ instant }) => instant + (end.instant - start.instant)
  const duration = entry.getFirstPropertyValue('duration') as ICAL.Duration | null
  if (duration) {
    const days = (duration.weeks * 7 + duration.days) * dayMs
    const rest = ((duration.hours * 60 + duration.minutes) * 60 + duration.seconds) * 1000
    return ({ wall, zone }) => (duration.isNegative ? 0 : zone.toInstant(wall + days) + rest)
  }
  return start.isDate ? ({ wall, zone }) => zone.toInstant(wall + dayMs) : ({ instant }) => instant
}

const dayMs = 86_400_000

function isBusy(entry: ICAL.Component, { tentativeIsBusy }: ReadOptions): boolean {
  const word = (name: string) => String(entry.getFirstPropertyValue(name) ?? '').toUpperCase()
  const [status, outlook] = [word('status'), word('x-microsoft-cdo-busystatus')]
  if (status === 'CANCELLED' || word('transp') === 'TRANSPARENT' || outlook === 'FREE') return false
  return tentativeIsBusy || (status !== 'TENTATIVE' && outlook !== 'TENTATIVE')
}

function titleOf(entry: ICAL.Component, { withTitles }: ReadOptions): string | null {
  const title = withTitles ? entry.getFirstPropertyValue('summary') : null
  return title
    ? String(title)
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 200)
        .toWellFormed() || null
    : null
}

/** Published free/busy information instead of entries. */
function readFreeBusy(component: ICAL.Component, reader: Reader, found: Found) {
  for (const property of component.getAllProperties('freebusy')) {
    const kind = (property.getFirstParameter('fbtype') ?? 'BUSY').toUpperCase()
    if (kind === 'FREE' || (kind === 'BUSY-TENTATIVE' && !found.options.tentativeIsBusy)) continue
    for (const { instant, end } of readMoments(property, reader))
      if (end !== null) add(found, instant, end, null)
  }
}
