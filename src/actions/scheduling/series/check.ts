import type { Queryable } from '../../../db/base/pool.ts'
import { groupAt, type TimeslotAround, timeslotAround } from '../../../db/scheduling/calendar.ts'
import type { ProductRow } from '../../../db/setup/products.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import type { Conflict } from '../../../errors.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import type { WalkInPerson } from '../appointments/book-walk-in.ts'
import { bookedTwice, conflictsAt } from '../appointments/staff-conflicts.ts'

/** A date as it is planned: one Appointment, or a place in a group. */
export type WantedDate = { start: number; end: number; resource: ResourceRow }
export type CheckedDate = WantedDate & {
  conflicts: Conflict[]
  group: Awaited<ReturnType<typeof groupAt>>
  slot: TimeslotAround | null
}

type Question = { product: ProductRow; who: WalkInPerson | null; now: number; moving?: Moving }
export type Moving = {
  /** Appointments that the series itself moves: they are not in each other's way. */
  ids: number[]
  /** Appointments that the person leaves: these and the groups that stay. */
  left: number[]
  /** The date is a place in a group, and goes to the group at the new time, if there is one. */
  isPlace: boolean
  places: number
}

/** The preview and the booking both ask this; the booking under the locks. */
export async function checkDate(
  tx: Queryable,
  date: WantedDate,
  { product, who, now, moving }: Question,
): Promise<CheckedDate> {
  const { start, end, resource } = date
  const blocked = blockedSpan(start, end, product)
  const planned = {
    resourceId: resource.id,
    startAt: start,
    endAt: end,
    blockedFrom: blocked.from,
    blockedTo: blocked.to,
  }
  const except = moving?.ids ?? []
  const [slot, group] = await Promise.all([
    timeslotAround(tx, resource.id, start, end),
    // A moved Appointment joins no group.
    who && (!moving || moving.isPlace) ? groupAt(tx, resource.id, product.id, start) : null,
  ])
  const [atPlace, ofPerson] = await Promise.all([
    conflictsAt(tx, resource, planned, { group, now, except, places: moving?.places ?? 1 }),
    who
      ? bookedTwice(tx, resource.providerId, who, { from: start, to: end }, [
          ...(moving?.left ?? []),
          ...(group ? [group.id] : []),
        ])
      : [],
  ])
  // Another date of the series leaves its place there.
  const isLeft = group && moving?.left.includes(group.id)
  const conflicts = [...atPlace.filter(one => !(isLeft && one.kind === 'full')), ...ofPerson]
  return { ...date, conflicts, group, slot }
}

type Span = { start: number; end: number }
export const overlap = (one: Span, other: Span) => one.start < other.end && other.start < one.end
