// Turns the busy times of a calendar into the rows that are stored. Pure.

/** Instants in epoch milliseconds; `to` is exclusive. */
export type BusySpan = { from: number; to: number; title: string | null }

const day = 86_400_000

/** The longest title that is stored, in characters. */
const maxTitle = 200

/**
 * Overlapping and adjoining times become one, and no span is longer than a day. So one lookup in a short part of the index finds
 * everything that overlaps a slot, however long a holiday lasts, and a calendar full of repeated whole years stays small.
 */
export function toStoredSpans(found: BusySpan[], period: { from: number; to: number }): BusySpan[] {
  const clipped = found
    .map(one => ({ ...one, from: Math.max(one.from, period.from), to: Math.min(one.to, period.to) }))
    .filter(one => one.from < one.to)
    .sort((one, other) => one.from - other.from || one.to - other.to)
  return merged(clipped).flatMap(split)
}

function merged(sorted: BusySpan[]): BusySpan[] {
  const spans: (BusySpan & { titles: Set<string> })[] = []
  for (const { from, to, title } of sorted) {
    const last = spans.at(-1)
    if (!last || from > last.to) spans.push({ from, to, title, titles: new Set(title ? [title] : []) })
    else {
      last.to = Math.max(last.to, to)
      if (title && last.titles.size < 10) last.titles.add(title)
    }
  }
  return spans.map(({ from, to, titles }) => ({
    from,
    to,
    title: titles.size > 0 ? [...[...titles].join(' · ')].slice(0, maxTitle).join('') : null,
  }))
}

/** Cut at fixed instants, so that a span that grows at its end keeps its first rows. */
function split({ from, to, title }: BusySpan): BusySpan[] {
  const pieces: BusySpan[] = []
  for (let at = from; at < to; at += day) pieces.push({ from: at, to: Math.min(at + day, to), title })
  return pieces
}

/** The rows as they were before `split`, for people. */
export function joined<T extends BusySpan>(pieces: T[]): T[] {
  const spans: T[] = []
  for (const piece of pieces) {
    const last = spans.at(-1)
    if (last && last.to === piece.from && last.title === piece.title) last.to = piece.to
    else spans.push({ ...piece })
  }
  return spans
}

/** What an import adds and removes. */
export function difference(
  known: BusySpan[],
  wanted: BusySpan[],
): { added: BusySpan[]; removed: BusySpan[] } {
  const keyOf = ({ from, to, title }: BusySpan) => `${from} ${to} ${title ?? ''}`
  const before = new Set(known.map(keyOf))
  const after = new Set(wanted.map(keyOf))
  return {
    added: wanted.filter(one => !before.has(keyOf(one))),
    removed: known.filter(one => !after.has(keyOf(one))),
  }
}
