import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OutageLog, Outages } from '../../src/lib/watch/outage-log.ts'

const lines: string[] = []
const log = { warn: (_details: object, message: string) => lines.push(message) }

beforeEach(() => {
  vi.useFakeTimers()
  lines.length = 0
})
afterEach(() => {
  vi.useRealTimers()
})

function fail(outage: OutageLog, cause: string, times: number) {
  for (let time = 0; time < times; time++) outage.failed(log, cause)
}

describe('an outage', () => {
  it('has one line when it begins, one a minute with the count, and one when it ends', () => {
    const outage = new OutageLog()
    fail(outage, 'the database is away', 3)
    expect(lines.splice(0)).toEqual(['outage began: the database is away'])
    vi.advanceTimersByTime(60_000)
    expect(lines.splice(0)).toEqual([
      'outage continues: the database is away (2 more failures in the last minute)',
    ])
    fail(outage, 'the database is away', 5)
    vi.advanceTimersByTime(10_000)
    outage.recovered(log)
    expect(lines.splice(0)).toEqual(['outage ended: the database is away (lasted 60 s, 8 failures)'])
    vi.advanceTimersByTime(600_000)
    outage.recovered(log)
    expect(lines).toEqual([])
  })

  it('names each cause once', () => {
    const outage = new OutageLog()
    fail(outage, 'the database is away', 2)
    fail(outage, 'the database is read-only', 2)
    fail(outage, 'the database is away', 1)
    vi.advanceTimersByTime(5_000)
    outage.recovered(log)
    expect(lines).toEqual([
      'outage began: the database is away',
      'outage continues: the database is read-only',
      'outage ended: the database is away; the database is read-only (lasted 0 s, 5 failures)',
    ])
  })

  it('begins with a failed check, and does not end while requests still fail', () => {
    const outage = new OutageLog()
    outage.recovered(log)
    outage.stillFails(log, 'no connection available')
    vi.advanceTimersByTime(10_000)
    outage.stillFails(log, 'disk full')
    fail(outage, 'no connection available', 1)
    vi.advanceTimersByTime(1_000)
    outage.recovered(log)
    expect(lines).toEqual(['outage began: no connection available'])
    vi.advanceTimersByTime(4_000)
    outage.recovered(log)
    expect(lines).toHaveLength(2)
  })

  it('that nothing checks ends after a quiet minute, apart from those of other causes', () => {
    const outages = new Outages()
    outages.of('a lock is held').failed(log, 'a lock is held')
    outages.of('the disk is full').failed(log, 'the disk is full')
    outages.of('a lock is held').failed(log, 'a lock is held')
    vi.advanceTimersByTime(120_000)
    expect(lines).toEqual([
      'outage began: a lock is held',
      'outage began: the disk is full',
      'outage continues: a lock is held (1 more failures in the last minute)',
      'outage ended: the disk is full (lasted 0 s, 1 failures)',
      'outage ended: a lock is held (lasted 0 s, 2 failures)',
    ])
  })
})
