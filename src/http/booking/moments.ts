import type { LocalParts } from '../../rules/civil.ts'
import { formatPattern, type Names, type Pattern } from '../../rules/patterns.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../../rules/time.ts'

/** A moment as slots write it: with the words of a slot that begins then, and of one that ends then. */
export type Moment = {
  parts: LocalParts
  start: string
  end: string
  formattedStart: string
  formattedEnd: string
}

// The grids of all Resources meet at the same moments, so these are written once for all lists in the same zone, language
// and pattern: a third of the work of a list. A year of quarter hours fits; when there are more, all are forgotten.
const maximumMoments = 60_000
const books = new Map<string, Map<number, Moment>>()
let count = 0

export type Writing = { zone: string; time: Pattern; names: Names; key: string }

/** For moments in [from, to]. */
export function momentsOf(
  { zone, time, names, key }: Writing,
  from: number,
  to: number,
): (at: number) => Moment {
  const offsets = zoneOffsets(zone, from, to)
  let book = bookOf(key)
  return at => {
    const known = book.get(at)
    if (known) return known
    if (++count > maximumMoments) {
      forgetAll()
      book = bookOf(key)
    }
    const moment = write(at, offsetAt(offsets, at), time, names)
    book.set(at, moment)
    return moment
  }
}

function write(at: number, offset: number, time: Pattern, names: Names): Moment {
  const parts = localParts(at, offset)
  const iso = toOffsetText(at, offset)
  const formatted = JSON.stringify(formatPattern(time, parts, names))
  return {
    parts,
    start: `"start":"${iso}"`,
    end: `,"end":"${iso}"`,
    formattedStart: `,"formattedStart":${formatted}`,
    formattedEnd: `,"formattedEnd":${formatted}`,
  }
}

function bookOf(key: string): Map<number, Moment> {
  const known = books.get(key)
  if (known) return known
  const book = new Map<number, Moment>()
  books.set(key, book)
  return book
}

function forgetAll() {
  books.clear()
  count = 0
}
