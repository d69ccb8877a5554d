import { afterEach, expect, it, vi } from 'vitest'
import { OutageLog } from '../../src/lib/watch/outage-log.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('logs an outage when it starts, counts it once a minute, and starts over after a quiet minute', () => {
  vi.useFakeTimers()
  const lines: unknown[] = []
  const log = { warn: ({ cause, count }: { cause: string; count?: number }) => lines.push([cause, count]) }
  const outages = new OutageLog('answered 503')
  const note = (cause: string, times: number) => {
    for (let time = 0; time < times; time++) outages.note(log, cause, null)
  }
  note('away', 3)
  note('full', 1)
  expect(lines.splice(0)).toEqual([
    ['away', undefined],
    ['full', undefined],
  ])
  vi.advanceTimersByTime(60_000)
  expect(lines.splice(0)).toEqual([['away', 2]])
  note('away', 5)
  vi.advanceTimersByTime(60_000)
  expect(lines.splice(0)).toEqual([['away', 5]])
  vi.advanceTimersByTime(120_000)
  note('away', 1)
  expect(lines).toEqual([['away', undefined]])
})
