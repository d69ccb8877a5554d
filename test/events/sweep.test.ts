import { expect, it } from 'vitest'
import { sweptAtOnce, WebhookSweep } from '../../src/webhooks/sweep.ts'

const webhooks = Array.from({ length: 450 }, (_, index) => index + 1)

/** One look a second; `due` are the webhooks with undelivered events. Returns how many each pass looks at in a second. */
function passes(count: number, due: (pass: number) => number[]): number[] {
  const sweep = new WebhookSweep()
  let now = 0
  return Array.from({ length: count }, (_, pass) => {
    const most = []
    do {
      const taken = sweep.take(now)
      const ids = webhooks.filter(id => id > sweep.after).slice(0, taken)
      sweep.looked(ids, taken)
      if (ids.some(id => due(pass).includes(id))) sweep.found()
      most.push(taken)
      now += 1_000
    } while (sweep.after !== 0)
    return Math.min(...most)
  })
}

const { finding, idle } = sweptAtOnce

it('looks at a tenth of the webhooks a second once a whole pass has found nothing', () => {
  expect(idle * 10).toBe(finding)
  expect(passes(3, () => [])).toEqual([finding, idle, idle])
})

it('keeps its pace for a whole pass after it has found something', () => {
  expect(passes(4, pass => (pass === 0 ? [30] : []))).toEqual([finding, finding, idle, idle])
})

it('speeds up at once when it finds something again', () => {
  const sweep = new WebhookSweep()
  sweep.looked([], sweep.take(0))
  expect(sweep.take(1_000)).toBe(idle)
  sweep.looked(webhooks.slice(0, idle), idle)
  sweep.found()
  expect([sweep.take(2_000), sweep.after]).toEqual([finding, idle])
})

it('looks once a second, and at every webhook in turns', () => {
  const sweep = new WebhookSweep()
  expect([sweep.take(0), sweep.take(999), sweep.take(1_000)]).toEqual([finding, 0, finding])
  const seen: number[] = []
  const other = new WebhookSweep()
  for (let now = 0; seen.length < webhooks.length; now += 1_000) {
    const ids = webhooks.filter(id => id > other.after).slice(0, other.take(now))
    seen.push(...ids)
    other.looked(ids, finding)
  }
  expect(seen).toEqual(webhooks)
})
