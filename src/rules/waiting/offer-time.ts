// How long an offer lasts. Quiet hours do not count, so that no one loses a place while asleep.

import { DAY, MINUTE } from '../time/civil.ts'
import { instantOfWall, wallOfInstant } from '../time/zones.ts'

/** Minutes of the local day. Equal values: no quiet hours. */
export type QuietHours = { from: number; until: number }

export type OfferTime = {
  now: number
  minutes: number
  quiet: QuietHours
  timeZone: string
  /** The offer ends by then: the start of the appointment, less the notice that the channel asks for. */
  latest: number
}

/** Less than this cannot be answered, so it is not offered. */
export const leastMinutes = 15

/** When the offer ends; null if the time would be too short to answer. */
export function offerEnd({ now, minutes, quiet, timeZone, latest }: OfferTime): number | null {
  const least = awakeAfter(now, Math.min(minutes, leastMinutes), quiet, timeZone)
  if (least > latest) return null
  return Math.min(awakeAfter(now, minutes, quiet, timeZone), latest)
}

/** The moment at which so many minutes outside the quiet hours have passed. */
export function awakeAfter(now: number, minutes: number, quiet: QuietHours, timeZone: string): number {
  let left = minutes * MINUTE
  let at = now
  for (;;) {
    const { isQuiet, next } = phaseAt(at, quiet, timeZone)
    if (!isQuiet && next - at >= left) return at + left
    if (!isQuiet) left -= next - at
    at = next
  }
}

/** Whether it is quiet, and when that changes. */
function phaseAt(at: number, { from, until }: QuietHours, timeZone: string) {
  if (from === until) return { isQuiet: false, next: Number.POSITIVE_INFINITY }
  const wall = wallOfInstant(at, timeZone)
  const midnight = Math.floor(wall / DAY) * DAY
  const minute = Math.floor((wall - midnight) / MINUTE)
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until
  const change = isQuiet ? until : from
  const days = change <= minute ? 1 : 0
  const next = instantOfWall(midnight + days * DAY + change * MINUTE, timeZone)
  // Where the clock goes back the same wall time comes again; time itself always goes on.
  return { isQuiet, next: next > at ? next : at + MINUTE }
}
