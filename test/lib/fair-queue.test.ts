import { expect, test } from 'vitest'
import { FairQueue } from '../../src/lib/fair-queue.ts'

const queueOf = (lanes: number, most: number) => new FairQueue({ lanes, most, full: () => new Error('full') })
const tick = () => new Promise<void>(resolve => setImmediate(resolve))

test('runs so many at a time, and in turn between those who ask', async () => {
  const queue = queueOf(2, 100)
  const order: string[] = []
  let atOnce = 0
  const ask = (asker: string) =>
    queue.run(asker, async () => {
      expect(++atOnce).toBeLessThanOrEqual(2)
      order.push(asker)
      await tick()
      atOnce--
    })
  await Promise.all([...Array.from({ length: 10 }, () => ask('crowd')), ask('ann'), ask('ben'), ask('ann')])
  expect(order.slice(0, 6)).toEqual(['crowd', 'crowd', 'crowd', 'ann', 'ben', 'crowd'])
  expect(order.indexOf('ann', 4)).toBeLessThan(8)
  expect([queue.running, queue.waiting, queue.lines.size]).toEqual([0, 0, 0])
})

test('when too many wait, the longest line is cut, and a newcomer still gets in', async () => {
  const queue = queueOf(1, 5)
  const ask = (asker: string) =>
    queue.run(asker, tick).then(
      () => 'done',
      error => (error as Error).message,
    )
  const crowd = Array.from({ length: 8 }, () => ask('crowd'))
  const ann = ask('ann')
  expect((await Promise.all(crowd)).filter(one => one === 'full')).toHaveLength(3)
  expect(await ann).toBe('done')
})

test('goes on after work that failed', async () => {
  const queue = queueOf(1, 5)
  const failing = queue.run('ann', () => Promise.reject(new Error('broken')))
  const next = queue.run('ann', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
