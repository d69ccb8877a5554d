import { type Entry, peopleIn } from '../../records.ts'

/** Whom an Appointment is known by at the desk. */
export const nameOf = (entry: Entry): string =>
  peopleIn(entry)
    .map(one => one.name)
    .filter(Boolean)
    .join(', ') || entry.product.name
