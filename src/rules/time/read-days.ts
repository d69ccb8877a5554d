import { invalidField } from '../../errors.ts'
import { parseDateOrInstant } from './time.ts'
import { startOfNextLocalDay } from './zones.ts'

const maxDays = 45

/** The requested days as instants. */
export function period(query: { from: string; to?: string }, zone: string): { from: number; to: number } {
  const from = dayOf('from', query.from, zone)
  const to = query.to === undefined ? startOfNextLocalDay(from, zone) : dayOf('to', query.to, zone)
  if (to <= from) throw invalidField('to', 'to must be a day after from.')
  if (to - from > maxDays * 86_400_000 + 3_600_000)
    throw invalidField('to', `At most ${maxDays} days can be requested at once.`)
  return { from, to }
}

export function dayOf(field: string, text: string, zone: string): number {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDateOrInstant(text, zone) : null
  if (instant === null) throw invalidField(field, `${field} must be a day such as 2026-03-04.`)
  return instant
}
