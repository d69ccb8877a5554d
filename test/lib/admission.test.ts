import { describe, expect, it } from 'vitest'
import { Admission } from '../../src/lib/admission.ts'

const enterAll = (admission: Admission, count: number, at: number) =>
  Array.from({ length: count }, () => admission.enter(0, at)).filter(Boolean).length

describe('admission', () => {
  it('admits a whole burst at once, and the next one when the first has finished', () => {
    const admission = new Admission()
    for (const at of [0, 1_500, 3_000]) {
      expect(enterAll(admission, 500, at)).toBe(500)
      for (let count = 0; count < 500; count++) admission.leave(at + 400)
    }
  })

  it('limits admission to capacity once a queue has lasted for more than a second', () => {
    const admission = new Admission()
    let served = 0
    let refused = 0
    // Four come and two go, every two milliseconds: twice of what can be carried.
    for (let at = 0; at < 10_000; at += 2) {
      refused += 4 - enterAll(admission, 4, at)
      for (let left = 0; left < 2; left++) {
        admission.leave(at)
        served++
      }
      if (at > 5_000) expect(admission.inside).toBeLessThanOrEqual(64)
    }
    expect(refused).toBeGreaterThan(served * 0.8)
    // The queue is empty, so all requests are admitted again.
    while (admission.inside > 0) admission.leave(10_000)
    expect(enterAll(admission, 500, 10_100)).toBe(500)
  })

  it('stays at that limit although batches finish together and leave a moment without requests', () => {
    const admission = new Admission()
    for (let at = 0; at < 10_000; at += 30) {
      enterAll(admission, 150, at)
      if (at > 2_000) expect(admission.inside).toBe(64)
      while (admission.inside > 0) admission.leave(at + 28)
    }
  })

  it('admits others while many requests wait for a locked Resource', () => {
    const admission = new Admission()
    expect(enterAll(admission, 500, 0)).toBe(500)
    for (let at = 0; at < 5_000; at += 10) {
      expect(admission.enter(490, at)).toBe(true)
      admission.leave(at)
    }
    expect(admission.enter(0, 7_000)).toBe(false)
  })
})
