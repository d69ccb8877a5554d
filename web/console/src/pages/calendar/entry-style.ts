import { hues } from '#shared/tokens.ts'
import { common } from '../../common-words.ts'
import { type CalendarPeriod, type Entry, isIn, lateBy, peopleIn, placesTaken } from '../../records.ts'
import { texts } from './words.ts'

// How an Appointment looks in every calendar view.

export type Kind = 'booked' | 'asked' | 'held' | 'arrived' | 'missed' | 'late' | 'empty'

/** A shape shows the status without relying on colour. */
const sign: Record<Kind, string> = {
  booked: '',
  asked: '◐',
  held: '◌',
  arrived: '✓',
  missed: '▲',
  late: '◷',
  empty: '○',
}

export function kindOf(entry: Entry, now = Date.now()): Kind {
  const people = peopleIn(entry)
  if (people.length === 0) return 'empty'
  if (people.every(one => one.state === 'RESERVED')) return 'held'
  if (people.some(one => one.state === 'REQUESTED')) return 'asked'
  if (people.some(one => one.attendance === 'MISSED')) return 'missed'
  if (isLate(entry, now)) return 'late'
  return people.every(one => one.attendance === 'ATTENDED') ? 'arrived' : 'booked'
}

export const isLate = (entry: Entry, now: number) =>
  entry.people.some(person => lateBy(entry, person, now) !== null)

/** The status comes first: on a short entry only it fits beside the name. */
export function labelOf(entry: Entry, now: number): string {
  const label = [sign[kindOf(entry, now)], seats(entry), left(entry, now)]
  return [...label, names(entry) || texts.noCustomer].filter(Boolean).join(' ')
}

/** Cancelled Appointments and expired holds are hidden. */
export function isShown(entry: Entry, now: number): boolean {
  if (entry.state === 'CANCELLED') return false
  return (
    entry.origin === 'provider' ||
    peopleIn(entry).some(one => !one.expiresAt || Date.parse(one.expiresAt) > now)
  )
}

function names(entry: Entry): string {
  const people = entry.people
    .filter(isIn)
    .map(one => one.name ?? (one.state === 'RESERVED' ? common.RESERVED : '–'))
  return people.length > 2 ? `${people.slice(0, 2).join(', ')} +${people.length - 2}` : people.join(', ')
}

const seats = (entry: Entry) => (entry.capacity > 1 ? `${placesTaken(entry)}/${entry.capacity}` : '')

/** Remaining time of a hold. */
function left(entry: Entry, now: number): string {
  const ends = peopleIn(entry).flatMap(one => (one.expiresAt ? [Date.parse(one.expiresAt)] : []))
  if (ends.length === 0) return ''
  const seconds = Math.max(0, Math.round((Math.max(...ends) - now) / 1000))
  return texts.timeLeft(seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`)
}

/** Groups in order of first appearance. */
export function grouped<T>(list: T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

type Colored = { name: string; color: number }

/** The class that colours this Resource or Product. */
export const hueClass = ({ color }: Pick<Colored, 'color'>) => `hue-${color % hues.length}`

/** The class of an Appointment: the business chooses whether the colour says with whom or what. */
export function hueOf({ colorsBy, resources, products }: CalendarPeriod): (entry: Entry) => string {
  const classes = new Map(
    [...(colorsBy === 'PRODUCT' ? products : resources)].map(one => [one.uuid, hueClass(one)]),
  )
  return entry => classes.get((colorsBy === 'PRODUCT' ? entry.product : entry.resource).uuid) ?? ''
}
