import { invalidField, mapCollectingRefusals } from '../../errors.ts'
import { parseDateOrInstant, parseInstant } from './time.ts'
import { startOfNextLocalDay } from './zones.ts'

/** Parses a moment from a request; without an offset it is in this zone. */
export function readInstant(text: string, zone: string, field: string): number {
  const instant = parseInstant(text, zone)
  if (instant === null) throw invalidField(field, 'date-time')
  return instant
}

type Sent = string | null | undefined

/** Parses both ends of a period under their field names, and reports the problems of both in one error. */
export function readPeriod<T extends Record<string, Sent>>(texts: T, zone: string, at = '') {
  const instants = mapCollectingRefusals(Object.entries(texts), ([name, text]) => [
    name,
    text ? readInstant(text, zone, at + name) : null,
  ])
  return Object.fromEntries(instants) as { [K in keyof T]: T[K] extends string ? number : number | null }
}

const maxDays = 45

/** The requested days as instants. */
export function period(query: { from: string; to?: string }, zone: string): { from: number; to: number } {
  const from = dayOf('from', query.from, zone)
  const to = query.to === undefined ? startOfNextLocalDay(from, zone) : dayOf('to', query.to, zone)
  if (to <= from) throw invalidField('to', 'after-start:day', { start: 'from' })
  if (to - from > maxDays * 86_400_000 + 3_600_000) throw invalidField('to', 'max-days', { limit: maxDays })
  return { from, to }
}

export function dayOf(field: string, text: string, zone: string): number {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDateOrInstant(text, zone) : null
  if (instant === null) throw invalidField(field, 'date:day')
  return instant
}
