import type { Queryable } from '../../../db/base/pool.ts'
import type { NewPlace } from '../../../db/scheduling/appointment-moves.ts'
import { countTaken, type NewAppointment } from '../../../db/scheduling/appointments.ts'
import {
  bookingsOfCustomer,
  findConflicts,
  type groupAt,
  timeslotAround,
} from '../../../db/scheduling/calendar.ts'
import { isBusyOutside } from '../../../db/scheduling/calendar-sources.ts'
import { closedTimesOf } from '../../../db/scheduling/closures.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import type { Conflict } from '../../../errors.ts'

export const plain = (kind: Conflict['kind'], more: Partial<Conflict> = {}): Conflict => ({
  kind,
  what: null,
  start: null,
  end: null,
  ...more,
})

type Other = { reference: string; start: number; end: number; people: string | null }
export const overlapWith = ({ reference, start, end, people }: Other): Conflict => ({
  kind: 'overlap',
  reference,
  what: people,
  start,
  end,
})

type Group = NonNullable<Awaited<ReturnType<typeof groupAt>>>
type PlannedTime = Pick<NewAppointment, 'startAt' | 'endAt' | 'blockedFrom' | 'blockedTo'>

/**
 * What is in the way at a place for any booking. `except`: Appointments that do not count, because they are moved
 * themselves.
 */
export async function obstaclesAt(
  tx: Queryable,
  resource: Pick<ResourceRow, 'id' | 'uuid' | 'providerId'>,
  { start, end, blocked }: Omit<NewPlace, 'resourceId'>,
  except: number[],
): Promise<Conflict[]> {
  const [others, closures, isBusy] = await Promise.all([
    findConflicts(tx, resource.id, blocked, except),
    closedTimesOf(tx, resource.providerId, start, end),
    isBusyOutside(tx, resource.id, start, end),
  ])
  const closed = closures.filter(one => one.resources === null || one.resources.includes(resource.uuid))
  return [
    ...others.map(overlapWith),
    ...closed.map(one => plain('closed', { what: one.reason })),
    ...(isBusy ? [plain('busy')] : []),
  ]
}

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
): Promise<Conflict[]> {
  const { startAt: start, endAt: end } = planned
  const blocked = { from: planned.blockedFrom, to: planned.blockedTo }
  const [obstacles, slot, taken] = await Promise.all([
    obstaclesAt(tx, resource, { start, end, blocked }, group ? [...except, group.id] : except),
    timeslotAround(tx, resource.id, start, end),
    group ? countTaken(tx, group.id) : 0,
  ])
  return [
    ...obstacles,
    ...(group && taken + places > group.capacity ? [plain('full', { limit: group.capacity })] : []),
    ...(slot ? [] : [plain('not-open')]),
    ...(start < now ? [plain('past')] : []),
  ]
}

/** The Customer's other bookings at this time. New Customers have none. */
export async function bookedTwice(
  tx: Queryable,
  providerId: number,
  who: { reference: string } | object,
  period: { from: number; to: number },
  except: number[],
): Promise<Conflict[]> {
  if (!('reference' in who)) return []
  const found = await bookingsOfCustomer(tx, { providerId, reference: who.reference }, period, except)
  return found.map(({ reference, start, end }) => plain('customer-booked', { reference, start, end }))
}
