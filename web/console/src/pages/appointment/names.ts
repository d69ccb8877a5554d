import { type Entry, peopleIn } from '../../records.ts'

/** The name shown for an Appointment. */
export const nameOf = (entry: Entry): string =>
  peopleIn(entry)
    .map(one => one.name)
    .filter(Boolean)
    .join(', ') || entry.product.name
