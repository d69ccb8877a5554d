import { addDays } from '#shared/dates.ts'
import type { CalendarPeriod, Entry, OpenTime } from '../../records.ts'
import { clockAt } from '../../time.ts'
import { grouped, isShown, kindOf, whoIn } from './look.ts'
import { daysOf, type View } from './period.ts'
import { canShift } from './shift.ts'
import { texts } from './words.ts'

// What the library draws, made from what the service answered. Times are those of the Provider's clocks, as texts.

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
    /** A Timeslot that can be dragged, and how long it lasts. */
    slot?: { uuid: string; minutes: number }
  }
}

/** `resources`: whose marks are wanted; each of them costs the library a thousand times more than us. */
export type Wish = { view: View; zone: string; now: number; resources: Set<string> }

export function marksOf(data: CalendarPeriod, wish: Wish): Mark[] {
  const entries = data.entries.filter(one => wish.resources.has(one.resource.uuid) && isShown(one, wish.now))
  if (wish.view === 'month') return firstOfDays(entries, wish)
  const withBuffers = wish.view === 'day' || wish.resources.size === 1
  return [
    ...bands(data, wish),
    ...(withBuffers ? entries.flatMap(one => buffers(one, wish.zone)) : []),
    ...entries.map(one => markOf(one, wish)),
  ]
}

const at = (text: string, zone: string) => clockAt(Date.parse(text), zone)

/** On a phone a day of a month has room for a figure. */
const mostInDay = () => (matchMedia('(max-width: 760px)').matches ? 0 : 3)

/** A month shows what begins a day and how much more there is. */
function firstOfDays(entries: Entry[], wish: Wish): Mark[] {
  const days = grouped(entries, one => at(one.start, wish.zone).slice(0, 10))
  const most = mostInDay()
  return [...days].flatMap(([day, all]) => {
    const first = all.slice(0, most > 0 && all.length <= most + 1 ? all.length : most)
    const rest = all.length - first.length
    const more = rest > 0 ? [moreOf(day, most > 0 ? texts.more(rest) : String(rest))] : []
    return [...first.map(one => markOf(one, wish)), ...more]
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

function bands(data: CalendarPeriod, { zone, resources }: Wish): Mark[] {
  const open = data.timeslots
    .filter(one => resources.has(one.resourceUuid))
    .map(one =>
      band(one.uuid, at(one.start, zone), at(one.end, zone), {
        resourceIds: [one.resourceUuid],
        kind: bandKind(one),
        ...(canDrag(one, zone) ? { slot: { uuid: one.uuid, minutes: minutesOf(one) } } : {}),
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
  return [...open, ...closed.filter(one => one.resourceIds.length > 0)]
}

const minutesOf = ({ start, end }: OpenTime) => (Date.parse(end) - Date.parse(start)) / 60_000

/** What goes over midnight is drawn in two parts. */
const canDrag = (slot: OpenTime, zone: string) =>
  canShift(slot) && at(slot.start, zone).slice(0, 10) === at(slot.end, zone).slice(0, 10)

/** The library takes what goes from midnight to midnight for something else than time, and leaves it out. */
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

/** Time that an Appointment keeps free before and after itself. */
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

function markOf(entry: Entry, { zone, now }: Wish): Mark {
  const kind = kindOf(entry, now)
  return {
    id: entry.uuid,
    start: at(entry.start, zone),
    end: at(entry.end, zone),
    resourceIds: [entry.resource.uuid],
    title: entry.product.name,
    classNames: ['entry-mark', kind],
    display: 'auto',
    editable: kind !== 'held',
    extendedProps: { uuid: entry.uuid, who: whoIn(entry, now), place: entry.resource.name },
  }
}
