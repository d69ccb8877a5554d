import { expect, it } from 'vitest'
import { type Asked, Gathering } from '../../src/lib/gathering.ts'

type Group = { items: string[]; end(): void }

/** Groups that are under way until they are told to end. */
function slowly(options: ConstructorParameters<typeof Gathering<string, string>>[1]) {
  const groups: Group[] = []
  const work = (group: Asked<string, string>[]) =>
    new Promise<void>(resolve => {
      const end = () => {
        for (const { item, resolve } of group) resolve(item)
        resolve()
      }
      groups.push({ items: group.map(one => one.item), end })
    })
  return { groups, gathering: new Gathering<string, string>(work, options) }
}

const aTurn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

it('puts together what comes in one turn, and what comes while all lanes are busy', async () => {
  const { groups, gathering } = slowly({ most: 3 })
  const answers = Promise.all(['a', 'b'].map(one => gathering.add(one)))
  await aTurn()
  const later = Promise.all(['c', 'd', 'e', 'f'].map(one => gathering.add(one)))
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

it('begins a second group only for a crowd', async () => {
  const { groups, gathering } = slowly({ lanes: 2, crowd: 2 })
  void gathering.add('a')
  await aTurn()
  void gathering.add('b')
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a']])
  void gathering.add('c')
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a'], ['b', 'c']])
})

it('whoever needs what a group under way has locked waits for it, and everybody else does not', async () => {
  const { groups, gathering } = slowly({ lanes: 2, crowd: 2, lockOf: item => item[0]! })
  void gathering.add('a1')
  await aTurn()
  const rest = Promise.all(['a2', 'b1', 'a3'].map(one => gathering.add(one)))
  await aTurn()
  // One of them is no crowd.
  expect(groups.map(group => group.items)).toEqual([['a1']])
  void gathering.add('c1')
  await aTurn()
  expect(groups.map(group => group.items)).toEqual([['a1'], ['b1', 'c1']])
  void gathering.add('b2')
  groups[0]!.end()
  await aTurn()
  expect(groups[2]!.items).toEqual(['a2', 'a3'])
  groups[1]!.end()
  groups[2]!.end()
  expect(await rest).toEqual(['a2', 'b1', 'a3'])
  await aTurn()
  expect(groups[3]!.items).toEqual(['b2'])
})

it('a group that fails lets go of what it had locked', async () => {
  const gathering = new Gathering<string, string>(
    async ([first]) => {
      if (first!.tries === 1 && first!.item === 'a1') throw new Error('lost')
      first!.resolve(first!.item)
    },
    { lockOf: item => item[0]! },
  )
  await expect(gathering.add('a1')).rejects.toThrow('lost')
  expect(await gathering.add('a2')).toBe('a2')
})
