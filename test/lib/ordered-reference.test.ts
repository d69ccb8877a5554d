import { afterEach, expect, it, vi } from 'vitest'
import { orderedReference } from '../../src/lib/ordered-reference.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('references sort by the moment at which they are made', () => {
  vi.useFakeTimers()
  const made = [0, 1, 35, 36, 1_000, 86_400_000, 10 * 365 * 86_400_000].map(later => {
    vi.setSystemTime(Date.parse('2026-11-16T08:00:00Z') + later)
    return orderedReference()
  })
  expect(made.toSorted()).toEqual(made)
})

it('those of one moment differ, and all are as short as the index wants them', () => {
  vi.useFakeTimers()
  const made = Array.from({ length: 100 }, orderedReference)
  expect(new Set(made).size).toBe(100)
  for (const one of made) expect(one).toMatch(/^[0-9a-z]{14}@consumer$/)
})
