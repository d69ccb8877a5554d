import { busySpansOf, findOverlap } from './busy-spans.ts'
import type { Span, Window } from './window.ts'

/** An Appointment that needs another Resource at the same time. */
export type Orphan = { uuid: string; productUuid: string; start: number; end: number; blocked: Span }

/** A Resource that may take over. */
type Colleague = { uuid: string; window: Window }

/** The colleagues who offer the Product and are free then, in their order. */
export function standInsFor(orphan: Orphan, colleagues: Colleague[]): string[] {
  return colleagues.filter(({ window }) => canTake(window, orphan)).map(one => one.uuid)
}

/** As staff book: buffers may reach into closed time, but not into other Appointments. */
function canTake(window: Window, { productUuid, start, end, blocked }: Orphan): boolean {
  const span = { from: start, to: end }
  return (
    !window.archived &&
    window.products.some(one => one.uuid === productUuid) &&
    window.timeslots.some(one => one.start <= start && one.end >= end) &&
    !findOverlap(busySpansOf(window.appointments), blocked) &&
    !findOverlap(window.closed, span) &&
    !(window.outside && findOverlap(window.outside, span))
  )
}

/**
 * Gives each Appointment to one of its stand-ins, to as many different ones as possible. Those with the fewest
 * stand-ins choose first; one that finds all of them taken pushes another on, if that one has somewhere to go.
 */
export function spread(orphans: Orphan[], standIns: Map<string, string[]>): Map<string, string> {
  const taken = new Map<string, string>()
  const optionsOf = ({ uuid }: Orphan) => standIns.get(uuid) ?? []
  const loadOf = (colleague: string) => [...taken.values()].filter(one => one === colleague).length
  const rivalsOf = (orphan: Orphan, colleague: string) =>
    orphans.filter(one => taken.get(one.uuid) === colleague && overlap(one.blocked, orphan.blocked))
  function place(orphan: Orphan, pushed: Set<string>): boolean {
    const options = optionsOf(orphan).toSorted((one, other) => loadOf(one) - loadOf(other))
    const free = options.find(one => rivalsOf(orphan, one).length === 0)
    if (free !== undefined) {
      taken.set(orphan.uuid, free)
      return true
    }
    return options.some(option => {
      const [rival, ...more] = rivalsOf(orphan, option)
      if (more.length > 0 || pushed.has(rival!.uuid)) return false
      pushed.add(rival!.uuid)
      taken.delete(rival!.uuid)
      taken.set(orphan.uuid, option)
      if (place(rival!, pushed)) return true
      taken.set(rival!.uuid, option)
      taken.delete(orphan.uuid)
      return false
    })
  }
  const inOrder = orphans.toSorted((one, other) => optionsOf(one).length - optionsOf(other).length)
  for (const orphan of inOrder) place(orphan, new Set([orphan.uuid]))
  return taken
}

const overlap = (one: Span, other: Span) => one.from < other.to && other.from < one.to
