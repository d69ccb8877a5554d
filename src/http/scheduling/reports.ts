import Type from 'typebox'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { csvText } from '../../lib/csv.ts'
import type { Service } from '../../service.ts'
import { Choice } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { answerReport, bookingReport, type Filter } from './report-content.ts'
import { AnswerReport, answerText, BookingReport, bookingText, reportQuery } from './report-schemas.ts'
import { productOf, resourcesOf } from './series.ts'

// What happened at a business, by week or month. The console has the same calls. docs/reports.md defines the
// numbers.

const crmRoute = crmRoutes('B10. Reports')

const filters = {
  resourceRef: Type.Optional(Type.String({ description: 'Only bookings at this Resource.' })),
  productRef: Type.Optional(Type.String({ description: 'Only bookings of this Product.' })),
}

async function filterOf(
  service: Service,
  provider: ProviderRow,
  { resourceRef, productRef }: { resourceRef?: string; productRef?: string },
): Promise<Filter> {
  const [resource] = resourceRef ? await resourcesOf(service, provider, [resourceRef]) : []
  const product = productRef ? await productOf(service, provider, productRef) : null
  return { resourceId: resource?.id ?? null, productId: product?.id ?? null }
}

export const getBookingReport = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/reports/bookings',
  operationId: 'getBookingReport',
  isLarge: true,
  summary: 'Get booking report',
  description: bookingText,
  query: { ...reportQuery, ...filters },
  replies: { 200: Wrapped({ report: BookingReport }) },
  errors: ['missing-field'],
  async handle({ query, service, found: provider }) {
    const filter = await filterOf(service, provider, query)
    return wrap({ report: await bookingReport(service, provider, query, filter) })
  },
})

const rowKinds = ['periods', 'resources', 'products'] as const

export const getBookingReportCsv = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/reports/bookings.csv',
  operationId: 'getBookingReportCsv',
  summary: 'Get booking report as CSV',
  description:
    'The booking report as a table in UTF-8 with commas, one line for each period, Resource or Product. Columns are named like the fields of the report. Text that a spreadsheet would read as a formula has an apostrophe in front.',
  query: {
    ...reportQuery,
    ...filters,
    rows: Choice(rowKinds, { default: 'periods', description: 'What each line is about.' }),
  },
  replies: { 200: Type.String({ contentMediaType: 'text/csv' }) },
  errors: ['missing-field'],
  async handle({ query, service, reply, found: provider }) {
    const filter = await filterOf(service, provider, query)
    const report = await bookingReport(service, provider, query, filter)
    reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="bookings.csv"')
    return tableOf(report[query.rows].map(flat), report.totals)
  },
})

type Flat = Record<string, string | number | null>

const flat = ({ leadTime, ...line }: Flat | (object & { leadTime: object })): Flat => ({
  ...(line as Flat),
  ...Object.fromEntries(
    Object.entries(leadTime as object).map(([name, value]) => [`leadTime.${name}`, value]),
  ),
})

/** The head is that of the first line; without lines, the columns of the totals. */
function tableOf(lines: Flat[], totals: object): string {
  const columns = Object.keys(lines[0] ?? flat(totals as Flat & { leadTime: object }))
  return csvText([columns, ...lines.map(line => columns.map(name => String(line[name] ?? '')))])
}

export const getAnswerReport = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/reports/answers',
  operationId: 'getAnswerReport',
  summary: 'Get report of answers',
  description: answerText,
  query: { ...reportQuery, ...filters },
  replies: { 200: Wrapped({ report: AnswerReport }) },
  errors: ['missing-field'],
  async handle({ query, service, found: provider }) {
    const filter = await filterOf(service, provider, query)
    return wrap({ report: await answerReport(service, provider, query, filter) })
  },
})
