import { invalidField } from '../../errors.ts'
import { dayOf } from './read-times.ts'

// The weeks or months of a report, in the Provider's time zone. The first and the last may be cut.

export const periodLengths = ['week', 'month'] as const
export type PeriodLength = (typeof periodLengths)[number]

/** From the first day to the day before `to`, as days and as instants. */
export type ReportPeriod = { from: string; to: string; start: number; end: number }

const maxDays = 400

export function reportPeriods(
  { from, to, by }: { from: string; to: string; by: PeriodLength },
  zone: string,
): ReportPeriod[] {
  const [start, end] = [dayOf('from', from, zone), dayOf('to', to, zone)]
  if (end <= start) throw invalidField('to', 'after-start:day', { start: 'from' })
  if (end - start > maxDays * 86_400_000 + 3_600_000)
    throw invalidField('to', 'max-days:report', { limit: maxDays })
  const periods: ReportPeriod[] = []
  for (let day = from; day < to; ) {
    const next = nextPeriod(day, by)
    const until = next < to ? next : to
    periods.push({ from: day, to: until, start: dayOf('from', day, zone), end: dayOf('to', until, zone) })
    day = until
  }
  return periods
}

/** The next Monday, or the first day of the next month. */
function nextPeriod(day: string, by: PeriodLength): string {
  const date = Temporal.PlainDate.from(day)
  const next =
    by === 'week' ? date.add({ days: 8 - date.dayOfWeek }) : date.with({ day: 1 }).add({ months: 1 })
  return next.toString()
}

/** So many days, the first of them included. */
export function daysFrom(first: string, count: number): string[] {
  const from = Temporal.PlainDate.from(first)
  return Array.from({ length: count }, (_, index) => from.add({ days: index }).toString())
}

/** The day of an instant in a time zone. */
export const dayIn = (zone: string, at: number): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()
