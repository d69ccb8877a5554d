import { type Entry, isIn, type Person, peopleIn } from './records.ts'
import { locale } from './words.ts'

// Numeric, so that "Room 2" comes before "Room 10".
const { compare } = new Intl.Collator(locale.tag, { numeric: true })

/**
 * The one order of Appointments in every view: by time, then Resource, then customer. The uuid only keeps it stable. The first
 * load and live updates both sort with it, so that no row moves when something changes elsewhere.
 */
export const inOrder = (entries: Entry[]): Entry[] =>
  entries
    .map(withPeopleInOrder)
    .sort(
      (one, other) =>
        Date.parse(one.start) - Date.parse(other.start) ||
        compare(one.resource.name, other.resource.name) ||
        compare(customerOf(one), customerOf(other)) ||
        compare(one.uuid, other.uuid),
    )

/** The same answer of the service with its Appointments in order. */
export const ordered = <T extends { entries: Entry[] }>(data: T): T => ({
  ...data,
  entries: inOrder(data.entries),
})

/** Those who come, by name; then those who were cancelled. */
export const withPeopleInOrder = (entry: Entry): Entry =>
  entry.people.length < 2 ? entry : { ...entry, people: entry.people.toSorted(byName) }

const byName = (one: Person, other: Person) =>
  Number(isIn(other)) - Number(isIn(one)) ||
  compare(one.name ?? '', other.name ?? '') ||
  compare(one.uuid, other.uuid)

const customerOf = (entry: Entry) => (peopleIn(entry)[0] ?? entry.people[0])?.name ?? ''
