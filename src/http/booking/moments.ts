import { LRUCache } from 'lru-cache'
import type { LocalParts } from '../../rules/time/civil.ts'
import { formatPattern, type Names, type Pattern } from '../../rules/time/patterns.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../../rules/time/time.ts'

/** A moment as slots write it: with the words of a slot that begins then, and of one that ends then. */
type Moment = {
  parts: LocalParts
  start: string
  end: string
  formattedStart: string
  formattedEnd: string
}

// The grids of all Resources meet at the same moments, so these are written once for all lists in the same zone, language
// and pattern: a third of the work of a list. A year of quarter hours fits. Patterns come from strangers: what they make us
// keep is counted, and the books that nobody has used for longest go first.
const books = new LRUCache<string, Book>({ maxSize: 48_000_000, sizeCalculation: bytesOf })

type Book = { moments: Map<number, Moment>; bytesEach: number }

/** Sizes are told when a book is new and whenever it has grown by this many. */
const atOnce = 500

function bytesOf({ moments, bytesEach }: Book): number {
  return (Math.floor(moments.size / atOnce) + 1) * atOnce * bytesEach
}

type Writing = { zone: string; time: Pattern; names: Names; key: string }

/** For moments in [from, to]. */
export function momentsOf(
  { zone, time, names, key }: Writing,
  from: number,
  to: number,
): (at: number) => Moment {
  const offsets = zoneOffsets(zone, from, to)
  const book = books.get(key) ?? newBook(key)
  const { moments } = book
  return at => {
    const known = moments.get(at)
    if (known) return known
    const moment = write(at, offsetAt(offsets, at), time, names)
    moments.set(at, moment)
    if (moments.size % atOnce === 0) books.set(key, book)
    return moment
  }
}

function newBook(key: string): Book {
  // No letter of a pattern becomes more than a few letters, and a moment holds them twice.
  const book: Book = { moments: new Map(), bytesEach: 400 + 8 * key.length }
  books.set(key, book)
  return book
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
