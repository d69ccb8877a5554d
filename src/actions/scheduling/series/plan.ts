import type { Queryable } from '../../../db/base/pool.ts'
import { readClock } from '../../../db/scheduling/calendar-sources.ts'
import type { ProductRow } from '../../../db/setup/products.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import { invalidField, missingField } from '../../../errors.ts'
import { maxDates, type Repeat, repeatedStarts } from '../../../rules/offers/repeat.ts'
import { minute } from '../../../rules/offers/window.ts'
import { startOfLocalDay, startOfNextLocalDay } from '../../../rules/time/zones.ts'
import type { Service } from '../../../service.ts'
import type { WalkInPerson } from '../appointments/book-walk-in.ts'
import { type FoundTime, findStaffTimes } from '../appointments/find-staff-times.ts'
import { type CheckedDate, checkDate, type Moving, overlap, type WantedDate } from './check.ts'

type SeriesQuestion = {
  product: ProductRow
  /** In order of preference. */
  places: ResourceRow[]
  who: WalkInPerson | null
}

export type PlannedDate = Omit<CheckedDate, 'group' | 'slot'> & {
  joins: boolean
  /** The nearest free times, if there are conflicts. */
  nearest: FoundTime[]
}

/** The dates that a rule gives, before any of them is checked. */
export function datesOfRule(
  provider: ProviderRow,
  { product, places }: SeriesQuestion,
  { first, duration, ...repeat }: Repeat & { first: string; duration?: number | null },
): WantedDate[] {
  const minutes = duration ?? product.minDuration
  if (!minutes) throw missingField('duration', 'duration')
  const starts = repeatedStarts(first, repeat, provider.timeZone)
  if (!Array.isArray(starts)) throw noDates(starts)
  return starts.map(start => ({ start, end: start + minutes * minute, resource: places[0]! }))
}

function noDates({ invalid, because }: Exclude<ReturnType<typeof repeatedStarts>, number[]>) {
  const field = `rule.${invalid}`
  return because === 'many'
    ? invalidField(field, 'max-count:series-dates', { limit: maxDates })
    : invalidField(field, `series-${because}`)
}

/**
 * Checks each date at the first of the places where it is free. Nothing is reserved: the booking checks again
 * under the locks.
 */
export async function planSeries(
  service: Service,
  provider: ProviderRow,
  question: SeriesQuestion,
  dates: WantedDate[],
  /** By date. Each then stays at its own Resource. */
  moving?: Moving[],
): Promise<PlannedDate[]> {
  const checked = await service.db.transaction(async tx => {
    const now = await readClock(tx)
    return Promise.all(
      dates.map((date, index) =>
        firstFree(tx, moving ? [date.resource] : placesOf(date, question), date, {
          ...question,
          now,
          ...(moving ? { moving: moving[index]! } : {}),
        }),
      ),
    )
  })
  const planned: PlannedDate[] = []
  for (const { group, slot, ...date } of checked) {
    const nearest =
      date.conflicts.length > 0 ? await nearestTimes(service, provider, question, date, dates) : []
    planned.push({ ...date, joins: group !== null, nearest })
  }
  return planned
}

const placesOf = ({ resource }: WantedDate, { places }: SeriesQuestion) => [
  resource,
  ...places.filter(one => one.id !== resource.id),
]

/** At the first place if it is free nowhere. */
async function firstFree(
  tx: Queryable,
  places: ResourceRow[],
  date: WantedDate,
  question: Parameters<typeof checkDate>[2],
): Promise<CheckedDate> {
  let first: CheckedDate | undefined
  for (const resource of places) {
    const checked = await checkDate(tx, { ...date, resource }, question)
    if (checked.conflicts.length === 0) return checked
    first ??= checked
  }
  return first!
}

const aroundDays = 3
const dayMs = 86_400_000
const shown = 3

/** Of the days around, without times that another date of the series takes. */
async function nearestTimes(
  service: Service,
  { timeZone }: ProviderRow,
  { product, places, who }: SeriesQuestion,
  date: WantedDate,
  dates: WantedDate[],
): Promise<FoundTime[]> {
  const from = startOfLocalDay(date.start - aroundDays * dayMs, timeZone)
  const to = startOfNextLocalDay(date.start + aroundDays * dayMs, timeZone)
  const question = {
    product,
    duration: (date.end - date.start) / minute,
    moving: null,
    places: places.map(({ id, uuid, internalName }) => ({ id, uuid, name: internalName })),
    timeZone,
  }
  const times = await findStaffTimes(service, question, { from, to })
  const distance = (time: FoundTime) => Math.abs(time.start - date.start)
  const candidates = times
    .filter(time => !dates.some(other => overlap(time, other)) || time.start === date.start)
    .toSorted((one, other) => distance(one) - distance(other))
  const found: FoundTime[] = []
  for (const time of candidates) {
    if (found.length === shown) break
    const isTaken = who && (await isBooked(service, product, places, who, time))
    if (!isTaken && !found.some(one => one.start === time.start)) found.push(time)
  }
  return found
}

/** The Customer may be booked elsewhere at a time that is free here. */
async function isBooked(
  { db }: Service,
  product: ProductRow,
  places: ResourceRow[],
  who: WalkInPerson,
  { start, end, place }: FoundTime,
): Promise<boolean> {
  const resource = places.find(one => one.id === place.id)!
  const { conflicts } = await checkDate(db, { start, end, resource }, { product, who, now: 0 })
  return conflicts.length > 0
}
