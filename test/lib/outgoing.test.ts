import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { isKnown } from '../../src/lib/etags.ts'
import { Outgoing } from '../../src/lib/outgoing.ts'

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

it('what slow readers hold stays below the limit, and whoever holds the most loses their oldest', () => {
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

it('before that, whoever holds the most waits until they have read one, and nobody else does', async () => {
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

it('one body for many readers is held once, until the last of them has it', () => {
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

it('one answer that is larger than the limit is sent all the same, and small ones are not counted', () => {
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
])('If-None-Match %s knows %s: %s', (header, etag, known) => {
  expect(isKnown(header, etag)).toBe(known)
})
