import { localAt } from '../../../../shared/zones.ts'
import { common } from '../../common-words.ts'
import { type CalendarPeriod, type Entry, isIn, peopleIn } from '../../records.ts'
import { texts } from './words.ts'

// What the grid draws, made from what the service answered. Times are those of the Provider's clocks, as texts.

export type View = 'day' | 'week' | 'month' | 'list'

export type Mark = {
  id: string
  start: string
  end: string
  resourceIds: string[]
  title: string
  classNames: string[]
  display: 'auto' | 'background'
  editable: boolean
  extendedProps: { uuid?: string; people?: string; label?: string; place?: string; isBand?: true }
}

type Wish = { view: View; zone: string; now: number; withBuffers: boolean; resource: string | null }

export function marksOf(data: CalendarPeriod, wish: Wish): Mark[] {
  const isWanted = (uuid: string) => wish.resource === null || wish.resource === uuid
  const entries = data.entries.filter(one => isWanted(one.resource.uuid) && isShown(one, wish.now))
  const isTimed = wish.view === 'day' || wish.view === 'week'
  return [
    ...(isTimed ? bands(data, wish, isWanted) : []),
    ...(isTimed && wish.withBuffers ? entries.flatMap(one => buffers(one, wish.zone)) : []),
    ...entries.map(one => markOf(one, wish)),
  ]
}

const at = (text: string, zone: string) => localAt(Date.parse(text), zone)

/** What was cancelled gives its time back; a hold that is over was nothing. */
function isShown(entry: Entry, now: number): boolean {
  if (entry.state === 'CANCELLED') return false
  return (
    entry.origin === 'provider' ||
    peopleIn(entry).some(one => !one.expiresAt || Date.parse(one.expiresAt) > now)
  )
}

function bands(data: CalendarPeriod, { zone }: Wish, isWanted: (uuid: string) => boolean): Mark[] {
  const band = (
    id: string,
    start: string,
    end: string,
    resourceIds: string[],
    kind: string,
    title: string,
  ) => ({
    id,
    start: at(start, zone),
    end: at(end, zone),
    resourceIds,
    title,
    classNames: ['band', kind],
    display: 'background' as const,
    editable: false,
    extendedProps: { isBand: true as const },
  })
  const open = data.timeslots
    .filter(one => isWanted(one.resourceUuid))
    .map(one => band(one.uuid, one.start, one.end, [one.resourceUuid], bandKind(one), ''))
  const closed = data.closures.map(one =>
    band(
      one.uuid,
      one.from,
      one.to,
      one.resources ?? data.resources.map(resource => resource.uuid),
      one.isBlock ? 'blocked' : 'closed',
      one.reason || (one.isBlock ? texts.blocked : texts.closed),
    ),
  )
  return [...open, ...closed]
}

const bandKind = ({ state, acceptBookings }: CalendarPeriod['timeslots'][number]) =>
  state === 'CREATED' ? 'planned' : acceptBookings ? 'open' : 'private'

/** Time that an Appointment keeps free before and after itself. */
function buffers(entry: Entry, zone: string): Mark[] {
  const one = (id: string, start: string, end: string): Mark => ({
    id: `${entry.uuid}-${id}`,
    start: at(start, zone),
    end: at(end, zone),
    resourceIds: [entry.resource.uuid],
    title: '',
    classNames: ['band', 'buffer'],
    display: 'background',
    editable: false,
    extendedProps: { isBand: true },
  })
  return [
    ...(entry.blockedFrom < entry.start ? [one('before', entry.blockedFrom, entry.start)] : []),
    ...(entry.end < entry.blockedTo ? [one('after', entry.end, entry.blockedTo)] : []),
  ]
}

function markOf(entry: Entry, { zone, now }: Wish): Mark {
  const people = peopleIn(entry)
  const kind = kindOf(entry)
  return {
    id: entry.uuid,
    start: at(entry.start, zone),
    end: at(entry.end, zone),
    resourceIds: [entry.resource.uuid],
    title: entry.product.name,
    classNames: ['entry-mark', kind],
    display: 'auto',
    editable: kind !== 'held',
    extendedProps: {
      uuid: entry.uuid,
      people: names(entry),
      place: entry.resource.name,
      label: [sign[kind], seats(entry, people.length), left(entry, now)].filter(Boolean).join(' '),
    },
  }
}

type Kind = 'booked' | 'asked' | 'held' | 'arrived' | 'missed' | 'empty'

/** The shape that says the state without its colour. */
const sign: Record<Kind, string> = {
  booked: '',
  asked: '◐',
  held: '◌',
  arrived: '✓',
  missed: '▲',
  empty: '○',
}

function kindOf(entry: Entry): Kind {
  const people = peopleIn(entry)
  if (people.length === 0) return 'empty'
  if (people.every(one => one.state === 'RESERVED')) return 'held'
  if (people.some(one => one.state === 'REQUESTED')) return 'asked'
  if (people.some(one => one.attendance === 'MISSED')) return 'missed'
  return people.every(one => one.attendance === 'ATTENDED') ? 'arrived' : 'booked'
}

function names(entry: Entry): string {
  const people = entry.people
    .filter(isIn)
    .map(one => one.name ?? (one.state === 'RESERVED' ? common.RESERVED : '–'))
  return people.length > 2 ? `${people.slice(0, 2).join(', ')} +${people.length - 2}` : people.join(', ')
}

const seats = ({ capacity }: Entry, taken: number) => (capacity > 1 ? `${taken}/${capacity}` : '')

/** How long a hold still lasts. */
function left(entry: Entry, now: number): string {
  const ends = peopleIn(entry).flatMap(one => (one.expiresAt ? [Date.parse(one.expiresAt)] : []))
  if (ends.length === 0) return ''
  const seconds = Math.max(0, Math.round((Math.max(...ends) - now) / 1000))
  return texts.left(seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`)
}
