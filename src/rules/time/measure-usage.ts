// How much of the open time is booked. Elapsed time, so a day on which the clock changes has 23 or 25 hours.

/** Starts and ends in epoch milliseconds, in any order. */
export type Spans = { starts: number[]; ends: number[] }

export type Usage = { openMs: number; bookedMs: number; outsideMs: number }

type Kind = 'open' | 'closed' | 'taken'

/**
 * For each period between two bounds. Overlapping spans of a kind count once; closed time is not open; booked
 * time outside of open time is counted apart.
 */
export function measureUsage(spans: Record<Kind, Spans>, bounds: number[]): Usage[] {
  const usage = bounds.slice(1).map(() => ({ openMs: 0, bookedMs: 0, outsideMs: 0 }))
  const depth = { open: 0, closed: 0, taken: 0 }
  let since = bounds[0]!
  let period = 0
  /** Adds the time up to this moment, in which nothing changed. */
  const advance = (to: number) => {
    while (since < to && period < usage.length) {
      const until = Math.min(to, bounds[period + 1]!)
      add(usage[period]!, depth, until - since)
      since = until
      if (since === bounds[period + 1]) period++
    }
  }
  for (const { at, kind, step } of changesOf(spans)) {
    advance(at)
    depth[kind] += step
  }
  advance(bounds.at(-1)!)
  return usage
}

function add(usage: Usage, depth: Record<Kind, number>, ms: number) {
  const isOpen = depth.open > 0 && depth.closed === 0
  if (isOpen) usage.openMs += ms
  if (depth.taken > 0) usage[isOpen ? 'bookedMs' : 'outsideMs'] += ms
}

type Change = { at: number; kind: Kind; step: 1 | -1 }

function changesOf(spans: Record<Kind, Spans>): Change[] {
  const changes: Change[] = []
  for (const kind of ['open', 'closed', 'taken'] as const) {
    for (const at of spans[kind].starts) changes.push({ at, kind, step: 1 })
    for (const at of spans[kind].ends) changes.push({ at, kind, step: -1 })
  }
  return changes.sort((one, other) => one.at - other.at)
}
