import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { matchesEtag } from '../../src/http/wire/requests/lists.ts'
import { Outgoing } from '../../src/lib/large-responses.ts'

const megabyte = 1024 * 1024
const bodyOf = (megabytes: number) => Buffer.allocUnsafeSlow(megabytes * megabyte)

/** A reader who reads nothing; `isCut` once we have given up on them. */
function reader(outgoing: Outgoing, body: Buffer, line: string) {
  const response = Object.assign(new EventEmitter(), { isCut: false, destroy: () => {} })
  response.destroy = () => {
    response.isCut = true
    response.emit('close')
  }
  outgoing.add(response as unknown as ServerResponse, body, line)
  return response
}

it('memory for slow readers stays below the limit: the reader that holds the most loses its oldest response', () => {
  const outgoing = new Outgoing(10 * megabyte)
  const honest = reader(outgoing, bodyOf(2), 'honest')
  const crowd = Array.from({ length: 200 }, () => {
    const one = reader(outgoing, bodyOf(2), 'crowd')
    expect(outgoing.bytes).toBeLessThanOrEqual(10 * megabyte)
    return one
  })
  expect(honest.isCut).toBe(false)
  expect(crowd.map(one => one.isCut)).toEqual([...Array(196).fill(true), ...Array(4).fill(false)])
})

it('below the limit, only the reader that holds the most waits until it has read a response', async () => {
  const outgoing = new Outgoing(10 * megabyte)
  const crowd = Array.from({ length: 4 }, () => reader(outgoing, bodyOf(2), 'crowd'))
  reader(outgoing, bodyOf(1), 'honest')
  expect([outgoing.isTooMuchFor('crowd'), outgoing.isTooMuchFor('honest')]).toEqual([true, false])
  const room = outgoing.room('crowd')
  crowd[0]!.emit('finish')
  await room
  expect(outgoing.isTooMuchFor('crowd')).toBe(false)
  expect(crowd.every(one => !one.isCut)).toBe(true)
})

it('counts a body that many readers share once, until the last has received it', () => {
  const outgoing = new Outgoing(10 * megabyte)
  const body = bodyOf(4)
  const readers = Array.from({ length: 100 }, (_, index) => reader(outgoing, body, `client ${index}`))
  expect(outgoing.bytes).toBe(4 * megabyte)
  for (const one of readers) {
    expect(one.isCut).toBe(false)
    one.emit('finish')
    one.emit('close')
  }
  expect([outgoing.bytes, outgoing.sending.size, outgoing.readers.size]).toEqual([0, 0, 0])
})

it('sends a response that is larger than the limit, and does not count small ones', () => {
  const outgoing = new Outgoing(megabyte)
  expect(reader(outgoing, bodyOf(3), 'one').isCut).toBe(false)
  reader(outgoing, Buffer.alloc(1000), 'one')
  expect(outgoing.sending.size).toBe(1)
})

it.each([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"x", W/"a" , "y"', 'W/"a"', true],
  [' * ', '"a"', true],
  ['"b"', '"a"', false],
  [undefined, '"a"', false],
])('If-None-Match %s matches %s: %s', (header, etag, known) => {
  expect(matchesEtag(header, etag)).toBe(known)
})
