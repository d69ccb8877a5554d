import { addDays } from '#shared/dates.ts'
import type { CalendarPeriod, Entry, OpenTime } from '../../records.ts'
import { clockAt } from '../../time.ts'
import { canShift } from './change-hours.ts'
import { grouped, hueOf, isShown, kindOf, labelOf } from './entry-style.ts'
import { daysOf, type View } from './period.ts'
import { texts } from './words.ts'

// Converts the API's answer into the library's events, in the Provider's local time as text.

export type Mark = {
  id: string
  start: string
  end: string
  resourceIds: string[]
  title: string
  classNames: string[]
  display: 'auto' | 'background'
  editable: boolean
  extendedProps: {
    uuid?: string
    who?: string
    place?: string
    isBand?: true
    isMore?: true
    /** A Timeslot that can be dragged, and its length. */
    slot?: { uuid: string; minutes: number }
  }
}

/** `resources` limits the marks: each is far more expensive for the library than for us. */
export type MarkOptions = {
  view: View
  zone: string
  now: number
  resources: Set<string>
  isFixed: boolean
  dropped: string | null
}

type Drawn = MarkOptions & { hue: (entry: Entry) => string }

export function marksOf(data: CalendarPeriod, asked: MarkOptions): Mark[] {
  const options: Drawn = { ...asked, hue: hueOf(data) }
  const entries = data.entries.filter(
    one => options.resources.has(one.resource.uuid) && isShown(one, options.now),
  )
  if (options.view === 'month') return [...closedDays(data, options), ...firstOfDays(entries, options)]
  const withBuffers = options.view === 'day' || options.resources.size === 1
  return [
    ...bands(data, options),
    ...(withBuffers ? entries.flatMap(one => buffers(one, options.zone)) : []),
    ...entries.map(one => markOf(one, options)),
  ]
}

const at = (text: string, zone: string) => clockAt(Date.parse(text), zone)

/** On a phone, a day of the month view has room for a number only. */
const mostInDay = () => (matchMedia('(max-width: 760px)').matches ? 0 : 4)

/** Closures in the month view, with their reason; short blocks by staff and short busy times are left to the day view. */
function closedDays(data: CalendarPeriod, { zone, resources }: MarkOptions): Mark[] {
  const busy = data.busyTimes.map(one => ({
    ...one,
    uuid: `busy ${one.resourceUuid} ${one.from}`,
    resources: [one.resourceUuid],
    name: one.title ?? texts.busyOutside,
    isBlock: true,
  }))
  const closed = data.closures.map(one => ({ ...one, name: closedName(one) }))
  return [...closed, ...busy].flatMap(one => {
    const [from, to] = [at(one.from, zone), at(one.to, zone)]
    const isWholeDays = from.endsWith('T00:00') && to.endsWith('T00:00')
    const places = data.resources.filter(({ uuid }) => resources.has(uuid) && one.resources?.includes(uuid))
    if ((one.isBlock && !isWholeDays) || (one.resources && places.length === 0)) return []
    const names = one.resources ? [places.map(({ name }) => name).join(', ')] : []
    return byDay(from, to).map(({ start }) => {
      const time = isWholeDays || start.endsWith('T00:00') ? [] : [start.slice(11)]
      return {
        ...moreOf(start.slice(0, 10), [...time, [one.name, ...names].join(' · ')].join(' ')),
        id: `${one.uuid} ${start}`,
        start,
        end: `${start.slice(0, 10)}T23:59`,
        classNames: ['closed-day'],
      }
    })
  })
}

/** A day of the month view names a few Appointments, and counts many: the first three of forty say nothing. */
function firstOfDays(entries: Entry[], options: Drawn): Mark[] {
  const days = grouped(entries, one => at(one.start, options.zone).slice(0, 10))
  const most = mostInDay()
  return [...days].flatMap(([day, all]) => {
    if (all.length <= most) return all.map(one => markOf(one, options))
    const asked = all.filter(one => kindOf(one, options.now) === 'asked').length
    const title = most > 0 ? texts.appointments(all.length) : String(all.length)
    const mark = moreOf(day, asked > 0 ? `${title} · ◐ ${asked}` : title)
    return [{ ...mark, classNames: ['more-mark', 'count-mark'] }]
  })
}

const moreOf = (day: string, title: string): Mark => ({
  id: `more-${day}`,
  start: `${day}T23:59`,
  end: `${day}T23:59`,
  resourceIds: [],
  title,
  classNames: ['more-mark'],
  display: 'auto',
  editable: false,
  extendedProps: { isMore: true },
})

function band(
  id: string,
  start: string,
  end: string,
  { resourceIds, kind, title = '', slot }: BandLook,
): Mark {
  return {
    id,
    start,
    end,
    resourceIds,
    title,
    classNames: ['band', kind],
    display: 'background',
    editable: false,
    extendedProps: { isBand: true, ...(slot ? { slot } : {}) },
  }
}

type BandLook = {
  resourceIds: string[]
  kind: string
  title?: string
  slot?: Mark['extendedProps']['slot']
}

function bands(data: CalendarPeriod, { zone, resources, isFixed }: MarkOptions): Mark[] {
  const open = data.timeslots
    .filter(one => resources.has(one.resourceUuid))
    .map(one =>
      band(one.uuid, at(one.start, zone), at(one.end, zone), {
        resourceIds: [one.resourceUuid],
        kind: bandKind(one),
        ...(!isFixed && canDrag(one, zone) ? { slot: { uuid: one.uuid, minutes: minutesOf(one) } } : {}),
      }),
    )
  const closed = data.closures.flatMap(one =>
    byDay(at(one.from, zone), at(one.to, zone)).map(({ start, end }) =>
      band(`${one.uuid} ${start}`, start, end, {
        resourceIds: one.resources?.filter(uuid => resources.has(uuid)) ?? [...resources],
        kind: one.isBlock ? 'blocked' : 'closed',
        title: closedName(one),
      }),
    ),
  )
  const busy = data.busyTimes
    .filter(one => resources.has(one.resourceUuid))
    .flatMap(one =>
      byDay(at(one.from, zone), at(one.to, zone)).map(({ start, end }) =>
        band(`busy ${one.resourceUuid} ${start}`, start, end, {
          resourceIds: [one.resourceUuid],
          kind: 'blocked',
          title: one.title ?? texts.busyOutside,
        }),
      ),
    )
  return [...open, ...closed.filter(one => one.resourceIds.length > 0), ...busy]
}

const minutesOf = ({ start, end }: OpenTime) => (Date.parse(end) - Date.parse(start)) / 60_000

/** A slot across midnight is drawn in two parts and cannot be dragged. */
const canDrag = (slot: OpenTime, zone: string) =>
  canShift(slot) && at(slot.start, zone).slice(0, 10) === at(slot.end, zone).slice(0, 10)

/** The library treats midnight to midnight as an all-day event and would omit it. */
function byDay(from: string, to: string): { start: string; end: string }[] {
  const days = daysOf({ from: from.slice(0, 10), to: addDays(to.slice(0, 10), 1) })
  return days
    .map(day => ({
      start: from > `${day}T00:00` ? from : `${day}T00:00`,
      end: to < `${day}T23:59` ? to : `${day}T23:59`,
    }))
    .filter(({ start, end }) => start < end)
}

export const closedName = ({ reason, isBlock }: CalendarPeriod['closures'][number]) =>
  reason || (isBlock ? texts.blocked : texts.closed)

const bandKind = ({ state, acceptBookings }: CalendarPeriod['timeslots'][number]) =>
  state === 'CREATED' ? 'planned' : acceptBookings ? 'open' : 'private'

/** Buffers before and after an Appointment. */
function buffers(entry: Entry, zone: string): Mark[] {
  const one = (id: string, start: string, end: string) =>
    band(`${entry.uuid}-${id}`, at(start, zone), at(end, zone), {
      resourceIds: [entry.resource.uuid],
      kind: 'buffer',
    })
  return [
    ...(entry.blockedFrom < entry.start ? [one('before', entry.blockedFrom, entry.start)] : []),
    ...(entry.end < entry.blockedTo ? [one('after', entry.end, entry.blockedTo)] : []),
  ]
}

function markOf(entry: Entry, { zone, now, isFixed, hue, resources, dropped }: Drawn): Mark {
  const kind = kindOf(entry, now)
  return {
    id: entry.uuid,
    start: at(entry.start, zone),
    end: at(entry.end, zone),
    resourceIds: [entry.resource.uuid],
    title: entry.product.name,
    classNames: ['entry-mark', kind, hue(entry), ...(entry.uuid === dropped ? ['dropped'] : [])],
    display: 'auto',
    editable: !isFixed && kind !== 'held',
    extendedProps: {
      uuid: entry.uuid,
      who: labelOf(entry, now),
      // Said by the choice above the calendar.
      ...(resources.size === 1 ? {} : { place: entry.resource.name }),
    },
  }
}
