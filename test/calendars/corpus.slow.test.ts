import { describe, expect, it } from 'vitest'
import { joined } from '../../src/calendars/busy-spans.ts'
import { readCalendars } from '../../src/calendars/read-calendar.ts'
import { zoneOffsets } from '../../src/rules/time/zones.ts'
import { makeCalendar } from './made-calendars.ts'
import { busyBySecondEngine } from './second-engine.ts'

const period = { from: Date.UTC(2026, 8, 1), to: Date.UTC(2027, 9, 1) }

const ours = (text: string, zone: string) =>
  joined(
    readCalendars([text], {
      ...period,
      zone,
      tentativeIsBusy: true,
      withTitles: false,
      ownHosts: ['none.test'],
    }).spans,
  )

const readable = (spans: { from: number; to: number }[]) =>
  spans.map(one => `${new Date(one.from).toISOString()} ${new Date(one.to).toISOString()}`)

describe('240 made calendars', () => {
  const calendars = Array.from({ length: 240 }, (_, seed) => makeCalendar(seed))

  it('have every trait', () => {
    const traits = new Set(calendars.flatMap(one => one.traits))
    expect([...traits].sort()).toEqual([
      'all-day',
      'all-day-repeated',
      'cancelled',
      'exdate',
      'outlook-free',
      'rdate',
      'recurrence-id',
      'repeated',
      'start-off-rule',
      'tentative',
      'transparent',
      'utc',
      'windows-zone',
    ])
  })

  // Where the libraries differ, and why ours is right:
  // start-off-rule: DTSTART is the first occurrence even where the rule would not start there (RFC 5545, 3.8.5.3); the other
  //   library leaves it out, and the time would be sold.
  // rdate: the other library does not read RDATE.
  // twice-a-night: of a clock time that occurs twice, the first one counts (RFC 5545, 3.3.5); the other library takes the second
  //   in some zones.
  it('are read alike by two libraries, but for three known differences', () => {
    const reasons: Record<string, number> = {}
    const unexplained = calendars.flatMap(({ seed, zone, text, traits }) => {
      const [one, other] = [readable(ours(text, zone)), readable(busyBySecondEngine(text, zone, period))]
      const only = (these: string[], those: string[]) => these.filter(span => !those.includes(span))
      const [here, there] = [only(one, other), only(other, one)]
      if (here.length + there.length === 0) return []
      const reason =
        ['start-off-rule', 'rdate'].find(trait => traits.includes(trait)) ??
        ([...here, ...there].every(span => isNearChange(span, zone)) ? 'twice-a-night' : null)
      if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1
      return reason ? [] : [{ seed, zone, here, there }]
    })
    expect(unexplained).toEqual([])
    expect(Object.keys(reasons).sort()).toEqual(['rdate', 'start-off-rule', 'twice-a-night'])
    expect(Object.values(reasons).reduce((sum, count) => sum + count, 0)).toBeLessThan(40)
  })
})

/** It starts or ends within two hours of a change of the clock. */
function isNearChange(span: string, zone: string): boolean {
  const near = (moment: number) =>
    zoneOffsets(zone, moment - 2 * 3_600_000, moment + 2 * 3_600_000).length > 1
  return span.split(' ').some(moment => near(Date.parse(moment)))
}
