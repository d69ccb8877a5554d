import type { Static } from 'typebox'
import { countNames, type ReportPart, reportParts } from '../../actions/scheduling/report-parts.ts'
import {
  type BookingCounts,
  countAnswers,
  productNames,
  type ReportScope,
  resourceNames,
} from '../../db/scheduling/reports.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { allQuestions } from '../../db/setup/questions.ts'
import { shownTexts } from '../../rules/questions/define.ts'
import type { Usage } from '../../rules/time/measure-usage.ts'
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
  const parts = await reportParts(db, provider, scope)
  const sums = new Map<string, Sum>()
  const sumOf = (key: string) => sums.get(key) ?? sums.set(key, newSum()).get(key)!
  for (const { period, part } of parts) addPart(sumOf, period, part)
  const idsOf = (kind: string) =>
    [...sums.keys()].filter(key => key.startsWith(kind)).map(key => Number(key.slice(kind.length)))
  const [resources, products] = await Promise.all([
    resourceNames(db, idsOf('resource ')),
    productNames(db, idsOf('product ')),
  ])
  return {
    timeZone: provider.timeZone,
    from: range.from,
    to: range.to,
    totals: lineOf(sumOf('all')),
    periods: scope.periods.map(({ from, to }, index) => ({ from, to, ...lineOf(sumOf(`period ${index}`)) })),
    resources: resources.map(({ id, ...name }) => {
      const sum = sumOf(`resource ${id}`)
      return { ...name, ...countsOf(sum.counts), ...usageOf(sum) }
    }),
    products: products.map(({ id, ...name }) => ({ ...name, ...countsOf(sumOf(`product ${id}`).counts) })),
  }
}

type Sum = Usage & { counts: BookingCounts; customers: Set<number>; newcomers: Set<number> }

const newSum = (): Sum => ({
  counts: Object.fromEntries(countNames.map(name => [name, 0])) as BookingCounts,
  customers: new Set(),
  newcomers: new Set(),
  openMs: 0,
  bookedMs: 0,
  outsideMs: 0,
})

/** Adds a part to the sums of the report, of its period, and of each Resource and Product. */
function addPart(sumOf: (key: string) => Sum, period: number, part: ReportPart) {
  const both = [sumOf('all'), sumOf(`period ${period}`)]
  for (const [resourceId, productId, ...numbers] of part.counts)
    for (const { counts } of [...both, sumOf(`resource ${resourceId}`), sumOf(`product ${productId}`)])
      for (const [index, name] of countNames.entries()) counts[name] += numbers[index]!
  for (const [resourceId, openMs, bookedMs, outsideMs] of part.usage)
    for (const sum of [...both, sumOf(`resource ${resourceId}`)]) {
      sum.openMs += openMs!
      sum.bookedMs += bookedMs!
      sum.outsideMs += outsideMs!
    }
  for (const sum of both) {
    for (const id of part.customers) sum.customers.add(id)
    for (const id of part.newcomers) sum.newcomers.add(id)
  }
}

const lineOf = (sum: Sum) => ({ ...countsOf(sum.counts), ...usageOf(sum), ...customersOf(sum) })

function countsOf(counts: BookingCounts) {
  const { leads, leadMinutes, leadsUnderDay, leadsUnderWeek, leadsUnderMonth, ...rest } = counts
  return {
    ...rest,
    leadTime: {
      averageMinutes: leads > 0 ? Math.round(leadMinutes / leads) : null,
      underDay: leadsUnderDay,
      underWeek: leadsUnderWeek - leadsUnderDay,
      underMonth: leadsUnderMonth - leadsUnderWeek,
      longer: leads - leadsUnderMonth,
    },
  }
}

function usageOf(usage: Usage) {
  const minutes = (field: keyof Usage) => Math.round(usage[field] / 60_000)
  const [openMinutes, bookedMinutes] = [minutes('openMs'), minutes('bookedMs')]
  const utilisation = openMinutes > 0 ? Math.round((bookedMinutes / openMinutes) * 10_000) / 10_000 : null
  return { openMinutes, bookedMinutes, outsideMinutes: minutes('outsideMs'), utilisation }
}

/** Someone new to the business may have been elsewhere in it. */
function customersOf({ customers, newcomers }: Sum) {
  const newCustomers = newcomers.intersection(customers).size
  return { customers: customers.size, newCustomers, returningCustomers: customers.size - newCustomers }
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
