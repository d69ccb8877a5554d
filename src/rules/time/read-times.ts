import { invalidField, mapCollectingRefusals } from '../../errors.ts'
import { parseInstant } from './time.ts'

/** Parses a moment from a request; without an offset it is in this zone. */
export function readInstant(text: string, zone: string, field: string): number {
  const instant = parseInstant(text, zone)
  if (instant === null)
    throw invalidField(
      field,
      `${field} must be an ISO 8601 date-time such as 2026-03-04T10:00 or 2026-03-04T09:00:00Z.`,
    )
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
