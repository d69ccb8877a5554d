import { minute, type Span } from './window.ts'

/**
 * The times that were touched since a revision, out of what the Resource remembers of its last changes
 * (`revision:from-to;`, newest first, minutes since 1970). Null when a change said nothing, or is no longer remembered: it
 * may have concerned anything. The oldest one may have lost a part of what it said, so it does not count.
 */
export function touchedSince(touched: string, since: number, revision: number): Span[] | null {
  const entries = touched.split(';').slice(0, -1).map(read)
  const oldest = entries.at(-1)?.revision ?? revision
  const later = entries.filter(one => one.revision > since && one.revision <= revision)
  const told = new Set(later.map(one => one.revision))
  return oldest <= since && told.size === revision - since ? later : null
}

function read(entry: string): Span & { revision: number } {
  const [revision, span] = entry.split(':')
  // Times before 1970 begin with a minus of their own.
  const dash = span!.indexOf('-', 1)
  return {
    revision: Number(revision),
    from: Number(span!.slice(0, dash)) * minute,
    to: Number(span!.slice(dash + 1)) * minute,
  }
}
