import type { Static } from 'typebox'
import type { Db } from '../../db/base/pool.ts'
import {
  type BookingCounts,
  closedSpans,
  countAnswers,
  countBookings,
  countCustomers,
  openSpans,
  productNames,
  type ReportScope,
  resourceNames,
  type SpanRow,
  takenSpans,
} from '../../db/scheduling/reports.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { allQuestions } from '../../db/setup/questions.ts'
import { yielder } from '../../lib/run-in-steps.ts'
import { shownTexts } from '../../rules/questions/define.ts'
import { measureUsage, type Spans, type Usage } from '../../rules/time/measure-usage.ts'
import { type PeriodLength, reportPeriods } from '../../rules/time/report-periods.ts'
import type { Service } from '../../service.ts'
import type { AnswerReport, BookingReport } from './report-schemas.ts'

type Range = { from: string; to: string; by: PeriodLength }
export type Filter = Pick<ReportScope, 'resourceId' | 'productId'>

const scopeOf = (provider: ProviderRow, range: Range, filter: Filter): ReportScope => ({
  providerId: provider.id,
  periods: reportPeriods(range, provider.timeZone),
  ...filter,
})

export async function bookingReport(
  { db }: Service,
  provider: ProviderRow,
  range: Range,
  filter: Filter,
): Promise<Static<typeof BookingReport>> {
  const scope = scopeOf(provider, range, filter)
  const [rows, visitors, times] = await Promise.all([
    countBookings(db, scope),
    countCustomers(db, scope),
    usedTimes(db, scope),
  ])
  const ids = (name: 'resourceId' | 'productId') => rows.map(row => row[name]).filter(id => id !== null)
  const [resources, products] = await Promise.all([
    resourceNames(db, [...ids('resourceId'), ...times.map(one => one.resourceId)]),
    productNames(db, ids('productId')),
  ])
  const isTotal = (row: (typeof rows)[number]) =>
    row.period === null && row.resourceId === null && row.productId === null
  const people = (period: number | null) => customersOf(visitors.find(one => one.period === period))
  return {
    timeZone: provider.timeZone,
    from: range.from,
    to: range.to,
    totals: { ...countsOf(rows.find(isTotal)), ...usageOf(times), ...people(null) },
    periods: scope.periods.map(({ from, to }, index) => ({
      from,
      to,
      ...countsOf(rows.find(row => row.period === index)),
      ...usageOf(times.filter(one => one.period === index)),
      ...people(index),
    })),
    resources: resources.map(({ id, ...name }) => ({
      ...name,
      ...countsOf(rows.find(row => row.resourceId === id)),
      ...usageOf(times.filter(one => one.resourceId === id)),
    })),
    products: products.map(({ id, ...name }) => ({
      ...name,
      ...countsOf(rows.find(row => row.productId === id)),
    })),
  }
}

function countsOf(row: BookingCounts | undefined) {
  const { leads = 0, leadMinutes = 0, leadsUnderDay = 0, leadsUnderWeek = 0, leadsUnderMonth = 0 } = row ?? {}
  return {
    bookings: row?.bookings ?? 0,
    places: row?.places ?? 0,
    requests: row?.requests ?? 0,
    cancellations: row?.cancellations ?? 0,
    lateCancellations: row?.lateCancellations ?? 0,
    declined: row?.declined ?? 0,
    attended: row?.attended ?? 0,
    noShows: row?.noShows ?? 0,
    leadTime: {
      averageMinutes: leads > 0 ? Math.round(leadMinutes / leads) : null,
      underDay: leadsUnderDay,
      underWeek: leadsUnderWeek - leadsUnderDay,
      underMonth: leadsUnderMonth - leadsUnderWeek,
      longer: leads - leadsUnderMonth,
    },
  }
}

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

function usageOf(times: Usage[]) {
  const minutes = (field: keyof Usage) =>
    Math.round(times.reduce((total, one) => total + one[field], 0) / 60_000)
  const [openMinutes, bookedMinutes] = [minutes('openMs'), minutes('bookedMs')]
  const utilisation = openMinutes > 0 ? Math.round((bookedMinutes / openMinutes) * 10_000) / 10_000 : null
  return { openMinutes, bookedMinutes, outsideMinutes: minutes('outsideMs'), utilisation }
}

function customersOf(row: { customers: number; newCustomers: number } | undefined) {
  const { customers = 0, newCustomers = 0 } = row ?? {}
  return { customers, newCustomers, returningCustomers: customers - newCustomers }
}

export async function answerReport(
  { db }: Service,
  provider: ProviderRow,
  range: Range,
  filter: Filter,
): Promise<Static<typeof AnswerReport>> {
  const scope = scopeOf(provider, range, filter)
  const questions = (await allQuestions(db, provider.id)).filter(one =>
    ['choice', 'choices', 'checkbox'].includes(one.type),
  )
  const rows = await countAnswers(
    db,
    scope,
    questions.map(one => one.key),
  )
  const counted = questions.map(({ key, type, label, options, formerOptions, archived }) => {
    const countOf = (choice: string) => rows.find(row => row.key === key && row.choice === choice)?.count ?? 0
    const chosen =
      type === 'checkbox'
        ? ['true', 'false'].map(choice => ({ key: choice, label: null, count: countOf(choice) }))
        : [...options, ...formerOptions.filter(one => countOf(one.key) > 0)].map(option => ({
            key: option.key,
            label: shownTexts(option.label),
            count: countOf(option.key),
          }))
    return { key, label: shownTexts(label), choices: chosen, archived }
  })
  const isShown = (one: (typeof counted)[number]) =>
    !one.archived || one.choices.some(choice => choice.count > 0)
  return { questions: counted.filter(isShown).map(({ archived: _, ...question }) => question) }
}
