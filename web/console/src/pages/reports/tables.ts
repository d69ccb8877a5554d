import type { Day } from '#shared/dates.ts'
import { addDays, dayDate } from '#shared/dates.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { shell } from '../../shell-words.ts'
import { locale } from '../../words.ts'
import { labelOf } from '../questions/questions.ts'
import type { Table } from './DataTable.tsx'
import { texts } from './words.ts'

export type Report = Schemas['BookingReport']
type Counts = Omit<Report['products'][number], 'uuid' | 'reference' | 'name'>
type Line = Report['periods'][number]

const number = new Intl.NumberFormat(locale.tag)
const percent = new Intl.NumberFormat(locale.tag, { style: 'percent', maximumFractionDigits: 1 })
const oneDigit = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 1 })

const days = new Intl.NumberFormat(locale.tag, {
  style: 'unit',
  unit: 'day',
  unitDisplay: 'long',
  maximumFractionDigits: 1,
})

export const countText = number.format
export const percentText = (share: number | null) => (share === null ? '–' : percent.format(share))
export const hoursText = (minutes: number) => oneDigit.format(minutes / 60)
export const daysText = (minutes: number | null) => (minutes === null ? '–' : days.format(minutes / 1440))

const shown = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale.tag, { ...options, timeZone: 'UTC' })
  return (day: Day) => format.format(dayDate(day))
}
const shortDay = shown({ day: 'numeric', month: 'short' })
export const fullDay = shown({ day: 'numeric', month: 'short', year: 'numeric' })
const shortMonth = shown({ month: 'short' })
const fullMonth = shown({ month: 'long', year: 'numeric' })

/** A month is named like one even if the report begins or ends in it. */
export const periodLabel = ({ from }: Pick<Line, 'from'>, by: string) =>
  by === 'month' ? shortMonth(from) : shortDay(from)
const periodName = ({ from, to }: Pick<Line, 'from' | 'to'>, by: string) =>
  by === 'month' ? fullMonth(from) : `${shortDay(from)} – ${fullDay(addDays(to, -1))}`

export const rangeText = ({ from, to }: { from: Day; to: Day }) =>
  `${fullDay(from)} – ${fullDay(addDays(to, -1))}`

/** Without the periods before anything was booked or open: a new business has no zeros for the time before it. */
export function withoutEmptyStart(report: Report): Report {
  const first = report.periods.findIndex(
    one => one.bookings + one.requests + one.cancellations + one.declined + one.openMinutes > 0,
  )
  return { ...report, periods: report.periods.slice(Math.max(0, first)) }
}

type Column<T> = [head: string, cell: (line: T) => string]

const tableOf = <T>(file: string, lines: T[], columns: Column<T>[]): Table => ({
  file,
  heads: columns.map(([head]) => head),
  rows: lines.map(line => columns.map(([_key, cell]) => cell(line))),
})

const bookingColumns: Column<Counts>[] = [
  [common.bookings, one => countText(one.bookings)],
  [texts.requests, one => countText(one.requests)],
  [texts.cancellations, one => countText(one.cancellations)],
  [texts.late, one => countText(one.lateCancellations)],
  [texts.declined, one => countText(one.declined)],
  [texts.noShows, one => countText(one.noShows)],
]

const usageColumns: Column<Pick<Line, 'utilisation' | 'openMinutes' | 'bookedMinutes' | 'outsideMinutes'>>[] =
  [
    [texts.utilisation, one => percentText(one.utilisation)],
    [texts.openHours, one => hoursText(one.openMinutes)],
    [texts.bookedHours, one => hoursText(one.bookedMinutes)],
    [texts.outsideHours, one => hoursText(one.outsideMinutes)],
  ]

const leadColumns: Column<Counts>[] = [
  [texts.average, one => daysText(one.leadTime.averageMinutes)],
  [texts.underDay, one => countText(one.leadTime.underDay)],
  [texts.underWeek, one => countText(one.leadTime.underWeek)],
  [texts.underMonth, one => countText(one.leadTime.underMonth)],
  [texts.longer, one => countText(one.leadTime.longer)],
]

export function periodTables({ periods }: Report, by: string) {
  const name: Column<Line> = [common.period, one => periodName(one, by)]
  return {
    bookings: tableOf('bookings', periods, [name, ...bookingColumns]),
    usage: tableOf('utilisation', periods, [name, ...usageColumns]),
    customers: tableOf('customers', periods, [
      name,
      [shell.customers, one => countText(one.customers)],
      [common.newCustomers, one => countText(one.newCustomers)],
      [texts.returningCustomers, one => countText(one.returningCustomers)],
    ]),
    lead: tableOf('lead-time', periods, [name, ...leadColumns]),
  }
}

export const resourceTable = ({ resources }: Report): Table =>
  tableOf('by-resource', resources, [
    [common.resource, one => one.name],
    ...bookingColumns,
    ...usageColumns,
    [texts.leadTime, one => daysText(one.leadTime.averageMinutes)],
  ])

export const productTable = ({ products }: Report): Table =>
  tableOf('by-service', products, [
    [common.product, one => one.name],
    ...bookingColumns,
    [texts.leadTime, one => daysText(one.leadTime.averageMinutes)],
  ])

type Question = Schemas['AnswerReport']['questions'][number]

const choiceName = ({ key, label }: Question['choices'][number]) =>
  label ? labelOf(label) : key === 'true' ? common.yes : common.no

export function answerTable({ key, choices }: Question): Table {
  const all = choices.reduce((sum, one) => sum + one.count, 0)
  return tableOf(`answers-${key}`, choices, [
    [texts.answer, choiceName],
    [common.bookings, one => countText(one.count)],
    [texts.share, one => percentText(all > 0 ? one.count / all : null)],
  ])
}
