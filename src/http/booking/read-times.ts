import type { ReserveRequest } from '../../actions/booking/requests.ts'
import { resolveRef } from '../../actions/booking/resolve-ref.ts'
import { findRefs } from '../../db/booking/refs.ts'
import { invalidField, notAfterStart } from '../../errors.ts'
import type { Span } from '../../rules/offers/window.ts'
import { day, minute } from '../../rules/offers/window.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { wallClockAsInstants } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'

// Reads the requested times: instants, local times of the Provider, or the wall clock of a browser.

/** Only times without an offset need the Provider's zone, so only they cost a query. */
export async function zoneFor({ db }: Service, ref: string, texts: string): Promise<string> {
  const namesZone = (texts.match(/[zZ]|[+-]\d\d:?(\d\d)?(?=\d{4}-|$)/g) ?? []).length >= 2
  if (namesZone) return 'UTC'
  return resolveRef((await findRefs(db, [ref])).found, ref, 1).timeZone
}

/**
 * snake_case: instants. camelCase: a browser's wall clock labelled Z, so the Provider's wall clock comes
 * first and the instant second.
 */
export function readTimes(
  from: string,
  to: string,
  isWallClock: boolean,
  zone: string,
): Pick<ReserveRequest, 'readings' | 'period'> {
  const actual = readPeriod({ from, to }, zone)
  if (actual.to - actual.from > 366 * day) throw invalidField('to', 'max-days:after', { limit: 366 })
  const asInstants = actual.to > actual.from ? [actual] : []
  const readings = (zone: string) => {
    const readings = [isWallClock ? wallClockSpans(from, to, zone) : [], asInstants].filter(one => one.length)
    if (readings.length === 0) throw notAfterStart('to', 'from')
    return readings
  }
  if (!isWallClock) readings(zone)
  // No zone is further from UTC than this.
  const margin = isWallClock ? 15 * 60 * minute : 0
  const latest = Math.max(actual.from, actual.to)
  return { readings, period: { from: actual.from - margin, to: latest + margin } }
}

/** Where the clock goes back, a slot may seem to end before it starts; the shortest span comes first. */
function wallClockSpans(from: string, to: string, zone: string): Span[] {
  const ends = wallClockAsInstants(to, zone)
  const spans = wallClockAsInstants(from, zone).flatMap(start => ends.map(end => ({ from: start, to: end })))
  const length = (span: Span) => span.to - span.from
  return spans.filter(span => length(span) > 0).sort((a, b) => length(a) - length(b) || a.from - b.from)
}
