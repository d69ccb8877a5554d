import { type Entry, peopleIn } from './records.ts'
import { locale } from './words.ts'

// Numeric, so that "Room 2" comes before "Room 10".
const { compare } = new Intl.Collator(locale.tag, { numeric: true })

/**
 * The one order of Appointments in every view: by time, then Resource, then customer. The uuid only keeps it stable. The first
 * load and live updates both sort with it, so that no row moves when something changes elsewhere.
 */
export const inOrder = (entries: Entry[]): Entry[] =>
  entries.toSorted(
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

const customerOf = (entry: Entry) => (peopleIn(entry)[0] ?? entry.people[0])?.name ?? ''
