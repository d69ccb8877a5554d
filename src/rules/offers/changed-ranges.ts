import { minute, type Span } from './window.ts'

/**
 * The ranges that changed since a revision, from the Resource's recent changes (`revision:from-to;`, newest
 * first, minutes since 1970). Null if a change has no range or is no longer stored: it may have affected
 * anything. The oldest entry does not count, because it may have been cut.
 */
export function changedRangesSince(touched: string, since: number, revision: number): Span[] | null {
  const entries = touched.split(';').slice(0, -1).map(read)
  const oldest = entries.at(-1)?.revision ?? revision
  const later = entries.filter(one => one.revision > since && one.revision <= revision)
  const ranges = new Set(later.map(one => one.revision))
  return oldest <= since && ranges.size === revision - since ? later : null
}

/** Whether only Appointments and their Participations have changed since this revision: nothing else records a range. */
export const areOnlyBookings = (
  since: number,
  { revision, touched }: { revision: number; touched: string },
) => revision === since || changedRangesSince(touched, since, revision) !== null

function read(entry: string): Span & { revision: number } {
  const [revision, span] = entry.split(':')
  // Times before 1970 start with a minus sign.
  const dash = span!.indexOf('-', 1)
  return {
    revision: Number(revision),
    from: Number(span!.slice(0, dash)) * minute,
    to: Number(span!.slice(dash + 1)) * minute,
  }
}
