import type { Queryable } from '../../db/base/pool.ts'
import { countTaken, type NewAppointment } from '../../db/scheduling/appointments.ts'
import {
  bookingsOfCustomer,
  findConflicts,
  type groupAt,
  timeslotAround,
} from '../../db/scheduling/calendar.ts'
import { isBusyOutside } from '../../db/scheduling/calendar-sources.ts'
import { closedTimesOf } from '../../db/scheduling/closures.ts'
import type { ResourceRow } from '../../db/setup/resources.ts'
import { toUtcText } from '../../rules/time/time.ts'

export const conflictKinds = [
  'overlap',
  'closed',
  'busy',
  'full',
  'not-open',
  'past',
  'customer-booked',
] as const

/** Why staff should not book a time; they can override it. */
export type StaffConflict = {
  kind: (typeof conflictKinds)[number]
  /** In English, for errors. */
  message: string
  /** What is in the way: names of people, or the reason of a closure. */
  what: string | null
  start: number | null
  end: number | null
}

export const messageOf = (conflicts: StaffConflict[]) => conflicts.map(one => one.message).join(' ')

const plain = (kind: StaffConflict['kind'], message: string, what: string | null = null): StaffConflict => ({
  kind,
  message,
  what,
  start: null,
  end: null,
})

type Group = NonNullable<Awaited<ReturnType<typeof groupAt>>>
export type PlannedTime = Pick<
  NewAppointment,
  'resourceId' | 'startAt' | 'endAt' | 'blockedFrom' | 'blockedTo'
>

/** `except`: Appointments that do not count, because they are moved themselves. */
export async function conflictsAt(
  tx: Queryable,
  resource: ResourceRow,
  planned: PlannedTime,
  {
    group = null,
    now,
    except = [],
    places = 1,
  }: { group?: Group | null; now: number; except?: number[]; places?: number },
): Promise<StaffConflict[]> {
  const [start, end] = [planned.startAt.getTime(), planned.endAt.getTime()]
  const blocked = { from: planned.blockedFrom.getTime(), to: planned.blockedTo.getTime() }
  const [others, closures, slot, isBusy, taken] = await Promise.all([
    findConflicts(tx, planned.resourceId, blocked, group ? [...except, group.id] : except),
    closedTimesOf(tx, resource.providerId, start, end),
    timeslotAround(tx, planned.resourceId, start, end),
    isBusyOutside(tx, planned.resourceId, start, end),
    group ? countTaken(tx, group.id) : 0,
  ])
  const closed = closures.filter(one => one.resources === null || one.resources.includes(resource.uuid))
  return [
    ...others.map(one => ({
      kind: 'overlap' as const,
      message: `It overlaps with ${one.reference} from ${toUtcText(one.start)} to ${toUtcText(one.end)}.`,
      what: one.people,
      start: one.start,
      end: one.end,
    })),
    ...closed.map(one => plain('closed', `It is closed then: ${one.reason}.`, one.reason)),
    ...(isBusy ? [plain('busy', busyOutside)] : []),
    ...(group && taken + places > group.capacity
      ? [plain('full', `All ${group.capacity} places are taken.`)]
      : []),
    ...(slot ? [] : [plain('not-open', 'No Timeslot is open then.')]),
    ...(start < now ? [plain('past', 'It begins in the past.')] : []),
  ]
}

export const busyOutside = 'It is busy then in an external calendar.'

/** The Customer's other bookings at this time. New Customers have none. */
export async function bookedTwice(
  tx: Queryable,
  providerId: number,
  who: { reference: string } | object,
  period: { from: number; to: number },
  except: number[] = [],
): Promise<StaffConflict[]> {
  if (!('reference' in who)) return []
  const found = await bookingsOfCustomer(tx, { providerId, reference: who.reference }, period, except)
  return found.map(({ reference, start, end }) => ({
    kind: 'customer-booked',
    message: `The Customer is already booked in ${reference} from ${toUtcText(start)} to ${toUtcText(end)}.`,
    what: null,
    start,
    end,
  }))
}
