import { execFileSync } from 'node:child_process'
import type { lookup as resolve } from 'node:dns'
import { closeSync, constants, mkdtempSync, open, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { limitLookups } from '../../src/webhooks/limit-lookups.ts'

/** A name server that stays silent: opening a FIFO blocks a thread of the pool, like getaddrinfo, until `release`. */
function silentServer() {
  const folder = mkdtempSync(join(tmpdir(), 'lookup-'))
  const fifo = join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  const seen = { now: 0, most: 0, all: 0 }
  let isOpen: number | null = null
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) => {
    seen.all++
    seen.most = Math.max(seen.most, ++seen.now)
    open(fifo, 'r', (_error, file) => {
      if (file) closeSync(file)
      seen.now--
      done(null, [{ address: '93.184.215.14', family: 4 }])
    })
  }) as unknown as typeof resolve
  const release = () => {
    isOpen ??= openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
  }
  onTestFinished(() => {
    release()
    closeSync(isOpen!)
    rmSync(folder, { recursive: true })
  })
  return { lookup, seen, release }
}

it('compression continues while the name servers of eight webhooks are silent', async () => {
  const { lookup, seen, release } = silentServer()
  const limited = limitLookups(lookup)
  const names = Array.from({ length: 8 }, (_, index) => `silent${index}.example`)
  const found = names.map(
    name => new Promise(done => limited(name, { all: true }, (_error, addresses) => done(addresses))),
  )
  expect((await promisify(gzip)('other work')).length).toBeGreaterThan(0)
  expect(seen).toEqual({ now: 2, most: 2, all: 2 })
  release()
  expect(await Promise.all(found)).toHaveLength(8)
  expect(seen).toEqual({ now: 0, most: 2, all: 8 })
})

it('deliveries to one silent name share a look-up and leave room for other names', async () => {
  const { lookup, seen, release } = silentServer()
  const limited = limitLookups(lookup)
  const ask = (name: string) => new Promise(done => limited(name, { all: true }, () => done(name)))
  const all = [...Array.from({ length: 5 }, () => ask('silent.example')), ask('other.example')]
  expect(seen.all).toBe(2)
  release()
  await Promise.all(all)
  expect(seen.all).toBe(2)
})

it('a look-up that waited longer than its sender fails without being run', async () => {
  const { lookup, seen, release } = silentServer()
  const limited = limitLookups(lookup, { max: 1, patienceMs: 100 })
  const first = new Promise(done => limited('first.example', { all: true }, done))
  const second = new Promise(done => limited('second.example', { all: true }, done))
  await new Promise(resolve => setTimeout(resolve, 110))
  release()
  expect(await first).toBeNull()
  expect(await second).toBeInstanceOf(Error)
  expect(seen.all).toBe(1)
})
