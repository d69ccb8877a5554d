import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chooseEncoding } from '../../src/lib/compression.ts'
import { ListCache, RenderedList } from '../../src/lib/list-cache.ts'

const listOf = (bytes: number) => new RenderedList([Buffer.alloc(bytes, 'x')], 'digest', 'picture', Infinity)
const kept = (cache: ListCache) => [...(cache.lists?.rkeys() ?? [])]

describe('the list cache', () => {
  it('returns what was stored', () => {
    const cache = new ListCache(10_000)
    const list = listOf(100)
    cache.set('a', list)
    expect(cache.get('a')).toBe(list)
    expect(cache.get('b')).toBeUndefined()
  })

  it('never exceeds its size limit', () => {
    const cache = new ListCache(10_000)
    for (let number = 0; number < 1000; number++) {
      cache.set(`list ${number}`, listOf(number % 3000))
      expect(cache.bytes).toBeLessThanOrEqual(10_000)
    }
    const counted = [...cache.lists!.entries()].reduce(
      (sum, [key, list]) => sum + Math.ceil(list.bytes + 2 * key.length),
      0,
    )
    expect(cache.bytes).toBe(counted)
    expect(kept(cache).at(-1)).toBe('list 999')
  })

  it('evicts the least recently used first', () => {
    const cache = new ListCache(3 * (listOf(1000).bytes + 2))
    for (const key of ['a', 'b', 'c']) cache.set(key, listOf(1000))
    cache.get('a')
    cache.set('d', listOf(1000))
    expect(kept(cache)).toEqual(['c', 'a', 'd'])
  })

  it('counts a replaced list once', () => {
    const cache = new ListCache(10_000)
    cache.set('a', listOf(4000))
    cache.set('a', listOf(1000))
    expect(cache.bytes).toBe(listOf(1000).bytes + 2)
  })

  it('does not store a list larger than the limit, and nothing with a limit of 0', () => {
    for (const limit of [0, 10_000]) {
      const cache = new ListCache(limit)
      cache.set('a', listOf(20_000))
      expect(kept(cache)).toEqual([])
      expect(cache.bytes).toBe(0)
    }
  })
})

it('counts the size of keys, which anonymous clients choose', () => {
  const cache = new ListCache(100_000)
  for (let number = 0; number < 1000; number++) cache.set(`${'k'.repeat(5000)}${number}`, listOf(0))
  expect(kept(cache).length).toBeLessThan(10)
})

describe('a rendered list', () => {
  it('has the same tag for the same content, however it was assembled', async () => {
    const tagOf = async (...texts: string[]) => {
      const parts = texts.map(text => Buffer.from(text))
      const length = texts.join('').length
      return (await RenderedList.of({ parts, length }, 'picture', Infinity)).etag
    }
    expect(await tagOf('one', 'two')).toBe(await tagOf('onetwo'))
    expect(await tagOf('one', 'two')).not.toBe(await tagOf('one', 'too'))
  })

  it('is compressed once for all requests, and only if that is worthwhile', async () => {
    const list = listOf(5000)
    expect(chooseEncoding('gzip, deflate, br, zstd', list.body.length)).toBe('zstd')
    expect(chooseEncoding('gzip, deflate, br', list.body.length)).toBe('br')
    expect(chooseEncoding('gzip', list.body.length)).toBe('gzip')
    expect(chooseEncoding('br;q=0, gzip', list.body.length)).toBe('gzip')
    expect(chooseEncoding('gzip;q=0', list.body.length)).toBe('identity')
    expect(chooseEncoding('br;q=0.5, gzip;q=0.8', list.body.length)).toBe('gzip')
    expect(chooseEncoding(undefined, list.body.length)).toBe('identity')
    expect(chooseEncoding('gzip', listOf(10).body.length)).toBe('identity')
    expect(gunzipSync(await list.encoded('gzip'))).toEqual(list.body)
    expect(list.encoded('gzip')).toBe(list.encoded('gzip'))
  })
})
