import { expect, it } from 'vitest'
import { Batcher, type Pending } from '../../src/lib/batcher.ts'

type Group = { items: string[]; end(): void }

/** Batches that run until the test ends them. */
function slowly(options: ConstructorParameters<typeof Batcher<string, string>>[1]) {
  const groups: Group[] = []
  const work = (group: Pending<string, string>[]) =>
    new Promise<void>(resolve => {
      const end = () => {
        for (const { item, resolve } of group) resolve(item)
        resolve()
      }
      groups.push({ items: group.map(one => one.item), end })
    })
  return { groups, batcher: new Batcher<string, string>(work, options) }
}

const aTurn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

it('batches requests of one turn, and those that arrive while all batches are running', async () => {
  const { groups, batcher } = slowly({ maxBatch: 3 })
  const answers = Promise.all(['a', 'b'].map(one => batcher.add(one)))
  await aTurn()
  const later = Promise.all(['c', 'd', 'e', 'f'].map(one => batcher.add(one)))
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a', 'b']])
  groups[0]!.end()
  expect(await answers).toEqual(['a', 'b'])
  await aTurn()
  groups[1]!.end()
  await aTurn()
  groups[2]!.end()
  expect(await later).toEqual(['c', 'd', 'e', 'f'])
  expect(groups.map(group => group.items)).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']])
})

it('starts a second batch only for many requests', async () => {
  const { groups, batcher } = slowly({ concurrency: 2, minForSecond: 2 })
  void batcher.add('a')
  await aTurn()
  void batcher.add('b')
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a']])
  void batcher.add('c')
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a'], ['b', 'c']])
})

it('holds back only requests that need what a running batch has locked', async () => {
  const { groups, batcher } = slowly({ concurrency: 2, minForSecond: 2, lockOf: item => item[0]! })
  void batcher.add('a1')
  await aTurn()
  const rest = Promise.all(['a2', 'b1', 'a3'].map(one => batcher.add(one)))
  await aTurn()
  // A single one is not enough for a second batch.
  expect(groups.map(group => group.items)).toEqual([['a1']])
  void batcher.add('c1')
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a1'], ['b1', 'c1']])
  void batcher.add('b2')
  groups[0]!.end()
  await aTurn()
  expect(groups[2]!.items).toEqual(['a2', 'a3'])
  groups[1]!.end()
  groups[2]!.end()
  expect(await rest).toEqual(['a2', 'b1', 'a3'])
  await aTurn()
  expect(groups[3]!.items).toEqual(['b2'])
})

it('releases the locks of a batch that fails', async () => {
  const batcher = new Batcher<string, string>(
    async ([first]) => {
      if (first!.tries === 1 && first!.item === 'a1') throw new Error('lost')
      first!.resolve(first!.item)
    },
    { lockOf: item => item[0]! },
  )
  await expect(batcher.add('a1')).rejects.toThrow('lost')
  expect(await batcher.add('a2')).toBe('a2')
})
