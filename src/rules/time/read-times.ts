import { forEachOf, invalidField } from '../../errors.ts'
import { parseInstant } from './time.ts'

/** A moment as somebody sent it; without a zone of its own it is in this one. */
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

/** Both ends of a period, under the names that they were sent by; what is wrong with either is told at once. */
export function readPeriod<T extends Record<string, Sent>>(texts: T, zone: string, at = '') {
  const instants = forEachOf(Object.entries(texts), ([name, text]) => [
    name,
    text ? readInstant(text, zone, at + name) : null,
  ])
  return Object.fromEntries(instants) as { [K in keyof T]: T[K] extends string ? number : number | null }
}
