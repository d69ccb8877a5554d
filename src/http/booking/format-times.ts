import { LRUCache } from 'lru-cache'
import { minute } from '../../rules/offers/window.ts'
import { formatPattern, type Names, type Pattern } from '../../rules/time/patterns.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../../rules/time/time.ts'

/**
 * The times of a slot as lists write them: `,{"start":...,"end":...,"formattedStart":...,"formattedEnd":...`.
 */
export type Times = { label: string; bytes: Buffer }

// The grids of all Resources share the same instants, so these texts are written once for all lists of a
// zone, language and pattern: half the work of a list. A year of quarter hours fits. Patterns are untrusted,
// so the size is bounded and the least recently used books are dropped.
const books = new LRUCache<string, Book>({ maxSize: 48_000_000, sizeCalculation: bytesOf })

/** By the length of slots, then by their start in minutes. */
type Book = { lengths: Map<number, Map<number, Times>>; size: number; bytesEach: number }

/** The size of a book is reported when it is new, and after every this many additions. */
const atOnce = 500

function bytesOf({ size, bytesEach }: Book): number {
  return (Math.floor(size / atOnce) + 1) * atOnce * bytesEach
}

export type Writing = { zone: string; group: Pattern; time: Pattern; names: Names; key: string }

/** For instants in [from, to]. */
export function timesIn(writing: Writing, from: number, to: number): (start: number, end: number) => Times {
  const { zone, key } = writing
  const offsets = zoneOffsets(zone, from, to)
  const book = books.get(key) ?? newBook(key)
  let length = 0
  let known = new Map<number, Times>()
  return (start, end) => {
    if (end - start !== length) {
      length = end - start
      known = timesOfLength(book, length)
    }
    // Maps find small integers several times faster.
    const at = start / minute
    const times = known.get(at)
    if (times) return times
    const made = write(start, end, offsets, writing)
    known.set(at, made)
    if (++book.size % atOnce === 0) books.set(key, book)
    return made
  }
}

function newBook(key: string): Book {
  // An estimate: each letter of a pattern yields a few letters, and times contain them twice.
  const book: Book = { lengths: new Map(), size: 0, bytesEach: 500 + 8 * key.length }
  books.set(key, book)
  return book
}

function timesOfLength({ lengths }: Book, length: number) {
  const known = lengths.get(length) ?? new Map<number, Times>()
  lengths.set(length, known)
  return known
}

function write(start: number, end: number, offsets: Offsets, { group, time, names }: Writing): Times {
  const partsAt = (at: number) => localParts(at, offsetAt(offsets, at))
  const isoAt = (at: number) => toOffsetText(at, offsetAt(offsets, at))
  const textAt = (at: number) => JSON.stringify(formatPattern(time, partsAt(at), names))
  return {
    label: formatPattern(group, partsAt(start), names),
    bytes: Buffer.from(
      `,{"start":"${isoAt(start)}","end":"${isoAt(end)}","formattedStart":${textAt(start)},"formattedEnd":${textAt(end)}`,
    ),
  }
}

type Offsets = ReturnType<typeof zoneOffsets>
