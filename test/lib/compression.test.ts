import { expect, it } from 'vitest'
import { chooseEncoding } from '../../src/lib/compression.ts'

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP ; Q=0.5 , BR;q=0.4', 'gzip'],
  ['*', 'zstd'],
  // What is named counts as it is named, whatever the asterisk says.
  ['*;q=0.5, br;q=0', 'zstd'],
  ['*;q=0.5, zstd;q=0, br;q=0', 'gzip'],
  ['br;q=0, *;q=0.5, zstd;q=0.1', 'gzip'],
  ['zstd;q=0, br;q=0, gzip;q=0', 'identity'],
  ['identity, br;q=0.5', 'identity'],
  ['identity;q=0.3, br;q=0.5', 'br'],
  ['*;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['deflate', 'identity'],
  ['br;q=much', 'identity'],
  [';;,,;q=', 'identity'],
])('Accept-Encoding: %s is answered with %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted, 10_000)).toBe(encoding)
})

it('chooses among the available encodings, and none for short bodies', () => {
  expect(chooseEncoding('zstd, gzip;q=0.1', 10_000, ['br', 'gzip'])).toBe('gzip')
  expect(chooseEncoding('br', 10)).toBe('identity')
})
