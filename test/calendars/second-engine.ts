import ical, { type VEvent } from 'node-ical'
import { type BusySpan, joined, toStoredSpans } from '../../src/calendars/busy-spans.ts'
import { instantOfWall } from '../../src/rules/time/zones.ts'

// The same question, answered by another library with other code for zones and repetition.

const isBusy = (event: VEvent) =>
  event.status !== 'CANCELLED' && event.transparency !== 'TRANSPARENT' && busyStatus(event) !== 'FREE'

const busyStatus = (event: VEvent) =>
  (event as { 'MICROSOFT-CDO-BUSYSTATUS'?: string })['MICROSOFT-CDO-BUSYSTATUS']

export function busyBySecondEngine(
  text: string,
  zone: string,
  period: { from: number; to: number },
): BusySpan[] {
  const events = Object.values(ical.sync.parseICS(text)).filter(
    (one): one is VEvent => one?.type === 'VEVENT',
  )
  const spans = events.flatMap(event =>
    ical
      .expandRecurringEvent(event, {
        from: new Date(period.from),
        to: new Date(period.to),
        expandOngoing: true,
      })
      .filter(one => isBusy(one.event as VEvent))
      .map(({ start, end, isFullDay }) => ({
        from: isFullDay ? dayIn(zone, start) : start.getTime(),
        to: isFullDay ? dayIn(zone, end) : end.getTime(),
        title: null,
      })),
  )
  return joined(toStoredSpans(spans, period))
}

/** It reads whole days in the zone of the process. */
const dayIn = (zone: string, date: Date) =>
  instantOfWall(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()), zone)
