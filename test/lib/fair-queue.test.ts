import { expect, onTestFinished, test, vi } from 'vitest'
import { FairQueue } from '../../src/lib/fair-queue.ts'

const queueOf = (concurrency: number, maxWaiting: number, heavyMs?: number) =>
  new FairQueue({ concurrency, maxWaiting, full: () => new Error('full'), ...(heavyMs ? { heavyMs } : {}) })
const tick = () => new Promise<void>(resolve => setImmediate(resolve))

test('limits concurrency and alternates between callers', async () => {
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
  expect(order.slice(0, 4)).toEqual(['crowd', 'crowd', 'ann', 'ben'])
  expect(order.lastIndexOf('ann')).toBeLessThan(8)
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('cuts the longest line if too many wait, and still admits a new caller', async () => {
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

test('continues after a task that failed', async () => {
  const queue = queueOf(1, 5)
  const failing = queue.run('ann', () => Promise.reject(new Error('broken')))
  const next = queue.run('ann', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

test('weighs tasks by cost: a tenant with expensive work delays its own', async () => {
  const queue = queueOf(1, 100)
  const order: string[] = []
  const ask = (tenant: string, ms: number, client: string) =>
    queue.run(
      client,
      async () => {
        order.push(tenant)
        await new Promise(resolve => setTimeout(resolve, ms))
      },
      tenant,
    )
  // The same client asks for both: it is the tenant whose lists are heavy.
  const heavy = Array.from({ length: 4 }, () => ask('heavy', 60, 'ann'))
  const light = Array.from({ length: 8 }, () => ask('light', 1, 'ann'))
  await Promise.all([...heavy, ...light])
  expect(order.slice(0, 9)).toEqual(['heavy', ...Array.from({ length: 8 }, () => 'light')])
})

test("leaves capacity to others once a tenant's work has proved expensive", async () => {
  const queue = queueOf(2, 100, 20)
  await queue.run('ann', () => new Promise(resolve => setTimeout(resolve, 25)), 'heavy')
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const heavy = [1, 2, 3].map(() => queue.run('ann', () => held, 'heavy'))
  expect(await queue.run('ben', async () => 'done', 'light')).toBe('done')
  expect([queue.running, queue.waiting]).toEqual([1, 2])
  release()
  await Promise.all(heavy)
})

test('alternates between callers of one tenant, and cuts the tenant with the most waiting', async () => {
  const queue = queueOf(1, 4)
  const done: string[] = []
  const ask = (tenant: string, client: string) =>
    queue.run(client, tick, tenant).then(
      () => done.push(client),
      () => done.push(`${client} refused`),
    )
  const all = [ask('one', 'a'), ask('one', 'a'), ask('one', 'a'), ask('one', 'b'), ask('one', 'c')]
  all.push(ask('two', 'd'))
  await Promise.all(all)
  expect(done.filter(one => one.endsWith('refused'))).toEqual(['a refused'])
  expect(done).toContain('d')
})

test('a caller with many tasks does not delay another caller of the same tenant', async () => {
  const queue = queueOf(1, 100)
  const done: string[] = []
  const ask = (client: string) => queue.run(client, tick, 'one').then(() => done.push(client))
  await Promise.all([...Array.from({ length: 6 }, () => ask('crowd')), ask('ann'), ask('ben')])
  expect(done.slice(0, 4)).toEqual(['crowd', 'crowd', 'ann', 'ben'])
})

test('a tenant that was idle does not make up for the time it did not use', async () => {
  let clock = 0
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  onTestFinished(() => watch.mockRestore())
  const queue = queueOf(1, 100)
  const done: string[] = []
  const ask = (tenant: string) =>
    queue.run(tenant, async () => {
      done.push(tenant)
      await tick()
      clock += 10
    })
  for (let round = 0; round < 10; round++) await ask('busy')
  const all = [ask('busy'), ...Array.from({ length: 4 }, () => ask('new')), ask('busy'), ask('busy')]
  await Promise.all(all)
  expect(done.slice(10)).toEqual(['busy', 'new', 'new', 'busy', 'new', 'busy', 'new'])
})
