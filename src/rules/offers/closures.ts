// Closures as they are entered: days or times, local to the Provider unless they name a zone.

import { invalidField } from '../../errors.ts'
import { parseDateOrInstant } from '../time/time.ts'
import { day } from './window.ts'

export type ClosureInput = {
  from: string
  /** Exclusive. */
  to: string
  reason: string
  /** The day of a public holiday. */
  holiday?: string
}

const longest = 3 * 366 * day

export function readClosure(
  { from: fromText, to: toText, reason, holiday = undefined }: ClosureInput,
  zone: string,
) {
  const from = readMoment('from', fromText, zone)
  const to = readMoment('to', toText, zone)
  if (to <= from) throw invalidField('to', 'after-start:closure', { start: 'from' })
  if (to - from > longest) throw invalidField('to', 'max-years', { limit: 3 })
  return { fromText, toText, from, to, reason: reason.trim(), holiday: holiday ?? null }
}

function readMoment(field: string, text: string, zone: string): number {
  const moment = parseDateOrInstant(text, zone)
  if (moment === null) throw invalidField(field, 'date-or-time:closure')
  return moment
}

/**
 * The span in this zone. Keeps the stored span if the zone leaves it empty, as for the hour that a clock
 * skips.
 */
export function spanIn(
  said: { fromText: string; toText: string; from: number; to: number },
  zone: string,
): { from: number; to: number } {
  const from = parseDateOrInstant(said.fromText, zone) ?? said.from
  const to = parseDateOrInstant(said.toText, zone) ?? said.to
  return from < to ? { from, to } : { from: said.from, to: said.to }
}

/** Entered as days, without times. */
export const isAllDay = ({ fromText, toText }: { fromText: string; toText: string }) =>
  fromText.length === 10 && toText.length === 10
