import type { Db } from '../../db/base/pool.ts'
import { deleteDaysOutside, findDays, largeProviders, replaceDays } from '../../db/scheduling/report-days.ts'
import {
  type BookingCounts,
  type CountRow,
  closedSpans,
  countBookings,
  listVisitors,
  openSpans,
  type ReportScope,
  type SpanRow,
  takenSpans,
} from '../../db/scheduling/reports.ts'
import { findProviderById, type ProviderRow } from '../../db/setup/providers.ts'
import { clockNow } from '../../lib/clock.ts'
import { yielder } from '../../lib/run-in-steps.ts'
import { measureUsage, type Spans, type Usage } from '../../rules/time/measure-usage.ts'
import { dayOf } from '../../rules/time/read-times.ts'
import { dayIn, daysFrom, type ReportPeriod } from '../../rules/time/report-periods.ts'
import type { Service } from '../../service.ts'

// What a report sums up, for each of its periods. Past days of a large business are counted at night: a year with
// 100,000 Appointments takes PostgreSQL more than a second.

export const countNames = [
  'bookings',
  'places',
  'requests',
  'cancellations',
  'lateCancellations',
  'declined',
  'attended',
  'noShows',
  'leadMinutes',
  'leads',
  'leadsUnderDay',
  'leadsUnderWeek',
  'leadsUnderMonth',
] as const satisfies (keyof BookingCounts)[]

/** Arrays, because a year has 100,000 of their numbers. */
export type ReportPart = {
  /** Resource, Product, and the counts in the order of `countNames`. */
  counts: number[][]
  /** Ids: who was where for what, in three arrays of the same length. */
  customers: number[]
  resources: number[]
  products: number[]
  /** Customers whose first booking with the business starts in the period, at any Resource. */
  newcomers: number[]
  /** Resource, and milliseconds open, booked and booked outside of open time. */
  usage: number[][]
}

/** One for each period, counted now. */
async function countParts(db: Db, scope: ReportScope): Promise<ReportPart[]> {
  const [rows, visitors, usage] = await Promise.all([
    countBookings(db, scope),
    listVisitors(db, scope),
    usedTimes(db, scope),
  ])
  const parts = scope.periods.map(
    (): ReportPart => ({
      counts: [],
      customers: [],
      resources: [],
      products: [],
      newcomers: [],
      usage: [],
    }),
  )
  for (const row of rows) parts[row.period]!.counts.push(numbersOf(row))
  for (const { period, ...visits } of visitors) Object.assign(parts[period]!, visits)
  for (const { period, resourceId, openMs, bookedMs, outsideMs } of usage)
    if (openMs + bookedMs + outsideMs > 0)
      parts[period]!.usage.push([resourceId, openMs, bookedMs, outsideMs])
  return parts
}

const numbersOf = (row: CountRow) => [
  row.resourceId,
  row.productId,
  // Thousandths: a sum must not depend on how it was split.
  ...countNames.map(name => Math.round(row[name] * 1000) / 1000),
]

type UsedTime = Usage & { period: number; resourceId: number }

/** Each Resource in a step of its own, so that a large business does not hold up other requests. */
async function usedTimes(db: Db, scope: ReportScope): Promise<UsedTime[]> {
  const [open, closed, taken] = await Promise.all([
    openSpans(db, scope),
    closedSpans(db, scope),
    takenSpans(db, scope),
  ])
  const bounds = [...scope.periods.map(one => one.start), scope.periods.at(-1)!.end]
  const times: UsedTime[] = []
  const pauseIfDue = yielder()
  for (const resourceId of new Set([...open, ...taken].map(one => one.resourceId!))) {
    const isHere = (one: SpanRow) => one.resourceId === resourceId
    const usage = measureUsage(
      {
        open: spansIn(open.filter(isHere)),
        closed: spansIn(closed.filter(one => one.resourceId === null || isHere(one))),
        taken: spansIn(taken.filter(isHere)),
      },
      bounds,
    )
    times.push(...usage.map((one, period) => ({ ...one, period, resourceId })))
    await pauseIfDue()
  }
  return times
}

const spansIn = (rows: SpanRow[]): Spans => ({
  starts: rows.flatMap(row => instantsIn(row.starts)),
  ends: rows.flatMap(row => instantsIn(row.ends)),
})

/** `{1893484800,1893488400}` in seconds. */
const instantsIn = (text: string): number[] =>
  text
    .slice(1, -1)
    .split(',')
    .map(one => Number(one) * 1000)

/** The parts of each period: days that were counted at night, and the rest counted now. */
export async function reportParts(
  db: Db,
  provider: ProviderRow,
  scope: ReportScope,
): Promise<{ period: number; part: ReportPart }[]> {
  const prepared = await preparedDays(db, provider, scope)
  const next = prepared.length > 0 ? dayAfter(prepared.at(-1)!.day) : scope.periods[0]!.from
  const live = scope.periods.flatMap((one, period) => (one.to > next ? [{ period, one }] : []))
  const periods = live.map(({ one }) => (one.from < next ? { ...one, ...startingAt(next, provider) } : one))
  const counted = periods.length > 0 ? await countParts(db, { ...scope, periods }) : []
  const periodOf = (day: string) => scope.periods.findIndex(one => one.from <= day && day < one.to)
  const filter = filterOf(scope)
  const parts = [
    ...prepared.map(({ day, body }) => ({ period: periodOf(day), part: filter(body as ReportPart) })),
    ...counted.map((part, index) => ({ period: live[index]!.period, part })),
  ]
  return scope.productId === null || prepared.length === 0 ? parts : withUsage(db, scope, parts)
}

/** What a day has of one Resource or Product. New ones stay: they are new to the whole business. */
function filterOf({ resourceId, productId }: ReportScope): (part: ReportPart) => ReportPart {
  if (resourceId === null && productId === null) return part => part
  const isWanted = (resource: number, product: number) =>
    (resourceId === null || resource === resourceId) && (productId === null || product === productId)
  return part => ({
    ...part,
    counts: part.counts.filter(([resource, product]) => isWanted(resource!, product!)),
    customers: part.customers.filter((_, index) => isWanted(part.resources[index]!, part.products[index]!)),
    usage: part.usage.filter(([resource]) => resourceId === null || resource === resourceId),
  })
}

/** Of one Product: a day does not say which of the booked time is its own. */
async function withUsage(db: Db, scope: ReportScope, parts: { period: number; part: ReportPart }[]) {
  const blank = { counts: [], customers: [], resources: [], products: [], newcomers: [] }
  const times = (await usedTimes(db, scope)).map(({ period, ...one }) => ({
    period,
    part: { ...blank, usage: [[one.resourceId, one.openMs, one.bookedMs, one.outsideMs]] },
  }))
  return [...parts.map(({ period, part }) => ({ period, part: { ...part, usage: [] } })), ...times]
}

const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

const startingAt = (from: string, { timeZone }: ProviderRow) => ({
  from,
  start: dayOf('from', from, timeZone),
})

/** From the first day of the report on, without gaps. */
async function preparedDays(db: Db, provider: ProviderRow, { periods }: ReportScope) {
  const [from, to] = [periods[0]!.from, periods.at(-1)!.to]
  const found = await findDays(db, provider, from, to)
  const days = daysFrom(from, found.length)
  return days.every((day, index) => found[index]!.day === day) ? found : []
}

/** As far back as a report and the period before it can reach. */
const longest = 810
/** Changes are seen at once in this many days before today, and from the next morning on in earlier ones. */
const liveDays = 14
const step = 100

/** Counts the past days of every large business. */
export async function prepareReports(
  { db }: Service,
  { atLeast = 20_000, now = clockNow(), days = longest } = {},
) {
  const span = { from: now - days * 86_400_000, to: now, atLeast }
  for (let after = 0; ; ) {
    const page = await largeProviders(db, span, after)
    for (const { id } of page.filter(one => one.isLarge))
      await prepareDays(db, (await findProviderById(db, id))!, now, days)
    if (page.length === 0) return
    after = page.at(-1)!.id
  }
}

async function prepareDays(db: Db, provider: ProviderRow, now: number, count: number) {
  const today = dayIn(provider.timeZone, now)
  const first = Temporal.PlainDate.from(today).subtract({ days: count })
  const days = daysFrom(first.toString(), count - liveDays)
  for (let at = 0; at < days.length; at += step) {
    const some = days.slice(at, at + step)
    const periods = some.map((day): ReportPeriod => {
      const to = dayAfter(day)
      return { ...startingAt(day, provider), to, end: dayOf('to', to, provider.timeZone) }
    })
    const parts = await countParts(db, {
      providerId: provider.id,
      periods,
      resourceId: null,
      productId: null,
    })
    const rows = parts.map((body, index) => ({ day: some[index]!, body }))
    await replaceDays(db, provider, rows)
  }
  await deleteDaysOutside(db, provider.id, days[0]!, dayAfter(days.at(-1)!))
}
