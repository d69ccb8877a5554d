import type { Appointment, Span } from './window.ts'

/** Answers "what is in the way of this span?" in the time of a binary search, for lists of thousands of slots. */
export type Busy = {
  /** In the order of blockedFrom. */
  starts: number[]
  /** reaching[i]: of the first i + 1, the one that blocks longest. */
  reaching: Appointment[]
}

export function busyOf(appointments: Appointment[]): Busy {
  const ordered = appointments.toSorted((a, b) => a.blockedFrom - b.blockedFrom)
  const reaching: Appointment[] = []
  for (const appointment of ordered) {
    const before = reaching.at(-1)
    reaching.push(before && before.blockedTo >= appointment.blockedTo ? before : appointment)
  }
  return { starts: ordered.map(appointment => appointment.blockedFrom), reaching }
}

/** An Appointment whose blocked span overlaps, or null. Of all that begin before the end, the longest one decides. */
export function inTheWay({ starts, reaching }: Busy, { from, to }: Span): Appointment | null {
  const candidate = reaching[countBelow(starts, to) - 1]
  return candidate && candidate.blockedTo > from ? candidate : null
}

/** How many of the sorted numbers are smaller than the limit. */
export function countBelow(sorted: number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
