import { afterEach, expect, it, vi } from 'vitest'
import { orderedReference, orderedUuidReference } from '../../src/lib/ordered-reference.ts'

afterEach(() => {
  vi.useRealTimers()
})

it.each([orderedReference, orderedUuidReference])('%o sort by creation time', make => {
  vi.useFakeTimers()
  const made = [0, 1, 35, 36, 1_000, 86_400_000, 10 * 365 * 86_400_000].map(later => {
    vi.setSystemTime(Date.parse('2026-11-16T08:00:00Z') + later)
    return make()
  })
  expect(made.toSorted()).toEqual(made)
})

it('a reference derived from a UUID has the usual format', () => {
  const made = Array.from({ length: 100 }, orderedUuidReference)
  expect(new Set(made).size).toBe(100)
  for (const one of made)
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}@consumer$/)
})

it('references of one moment differ, and all fit the index', () => {
  vi.useFakeTimers()
  const made = Array.from({ length: 100 }, orderedReference)
  expect(new Set(made).size).toBe(100)
  for (const one of made) expect(one).toMatch(/^[0-9a-z]{14}@consumer$/)
})
