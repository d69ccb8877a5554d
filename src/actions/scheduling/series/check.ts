import type { Queryable } from '../../../db/base/pool.ts'
import { groupAt, type TimeslotAround, timeslotAround } from '../../../db/scheduling/calendar.ts'
import type { ProductRow } from '../../../db/setup/products.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import type { WalkInPerson } from '../book-walk-in.ts'
import { bookedTwice, conflictsAt, type StaffConflict } from '../staff-conflicts.ts'

/** A date as it is planned: one Appointment, or a place in a group. */
export type WantedDate = { start: number; end: number; resource: ResourceRow }
export type CheckedDate = WantedDate & {
  conflicts: StaffConflict[]
  group: Awaited<ReturnType<typeof groupAt>>
  slot: TimeslotAround | null
}

type Question = { product: ProductRow; who: WalkInPerson | null; now: number; moving?: Moving }
/** Appointments that the series itself moves: they are not in each other's way. */
type Moving = { ids: number[] }

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
    startAt: new Date(start),
    endAt: new Date(end),
    blockedFrom: new Date(blocked.from),
    blockedTo: new Date(blocked.to),
  }
  const except = moving?.ids ?? []
  const [slot, group] = await Promise.all([
    timeslotAround(tx, resource.id, start, end),
    // A moved Appointment joins no group.
    who && !moving ? groupAt(tx, resource.id, product.id, start) : null,
  ])
  const [atPlace, ofPerson] = await Promise.all([
    conflictsAt(tx, resource, planned, { group, now, except }),
    who
      ? bookedTwice(
          tx,
          resource.providerId,
          who,
          { from: start, to: end },
          group ? [...except, group.id] : except,
        )
      : [],
  ])
  return { ...date, conflicts: [...atPlace, ...ofPerson], group, slot }
}

type Span = { start: number; end: number }
export const overlap = (one: Span, other: Span) => one.start < other.end && other.start < one.end
