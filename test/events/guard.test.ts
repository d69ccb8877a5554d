import type { LookupAddress } from 'node:dns'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressProblem, guardedLookup, isPublicAddress } from '../../src/webhooks/guard.ts'
import { makeSender } from '../../src/webhooks/send.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00::1',
    '2001:db8::1',
    'nonsense',
  ])('%s is not public', address => expect(isPublicAddress(address)).toBe(false))

  it.each(['93.184.215.14', '172.32.0.1', '8.8.8.8', '2606:2800:21f:cb07::1'])('%s is public', address =>
    expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:7f00:0001]/',
    'https://169.254.169.254/latest/meta-data',
    'http://example.org/',
    'https://user@example.org/',
    'file:///etc/passwd',
    'nonsense',
  ])('%s is refused as written', url => expect(addressProblem(url, false)).toMatch(/address/))

  it('accepts public addresses', () => {
    expect(addressProblem('https://example.org:8443/hooks?a=b', false)).toBeNull()
    expect(addressProblem('https://93.184.215.14/', false)).toBeNull()
  })
})

describe('a connection', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  /** A name server that gives these answers in turn. */
  function answering(...answers: string[]) {
    let lookups = 0
    const lookup = (_host: string, _options: unknown, done: (e: null, all: LookupAddress[]) => void) =>
      done(null, [{ address: answers[Math.min(lookups++, answers.length - 1)]!, family: 4 }])
    return { lookup: lookup as never, asked: () => lookups }
  }
  const port = () => new URL(receiver.url).port

  it('is refused if the name now resolves to a private address', async () => {
    const names = answering('127.0.0.1')
    const sender = makeSender({ allowPrivate: false, lookup: names.lookup })
    const { status, error } = await sender.send(`https://rebound.example:${port()}/`, {}, '{}')
    expect(status).toBeNull()
    expect(error).toMatch(/public internet/)
    sender.close()
  })

  it('uses exactly the checked address, with one lookup per connection', async () => {
    const names = answering('127.0.0.1', '192.0.2.1')
    const sender = makeSender({ allowPrivate: true, lookup: names.lookup })
    expect((await sender.send(`http://rebound.example:${port()}/`, {}, '{}')).status).toBe(204)
    expect(names.asked()).toBe(1)
    sender.close()
    // A new connection looks up and checks again.
    const strict = makeSender({ allowPrivate: false, lookup: answering('10.0.0.1').lookup })
    expect((await strict.send(`https://rebound.example:${port()}/`, {}, '{}')).error).toMatch(
      /public internet/,
    )
    strict.close()
  })

  it('is checked again when the name turns private after a first public answer', async () => {
    const guarded = guardedLookup(false, answering('93.184.215.14', '169.254.169.254').lookup)
    const connect = () =>
      new Promise(done => guarded('rebound.example', {}, (error, address) => done(error?.message ?? address)))
    expect(await connect()).toBe('93.184.215.14')
    expect(await connect()).toMatch(/public internet/)
  })

  it('is refused for a literal private address', async () => {
    const before = receiver.received.length
    const sender = makeSender({ allowPrivate: false })
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]'])
      expect((await sender.send(`https://${host}:${port()}/`, {}, '{}')).error).toMatch(/private/)
    expect(receiver.received).toHaveLength(before)
    sender.close()
  })

  it('times out', async () => {
    const slow = await startReceiver(() => ({ status: 200, afterMs: 5_000 }))
    const sender = makeSender({ allowPrivate: true, patience: 200 })
    const { status, error } = await sender.send(slow.url, {}, '{}')
    expect([status, error]).toEqual([null, 'No answer within 0.2 seconds.'])
    sender.close()
    await slow.close()
  })
})

it('a test gives the same error for a private address and an unknown name', async () => {
  const sender = makeSender({
    allowPrivate: false,
    lookup: ((
      name: string,
      _options: unknown,
      done: (error: Error | null, found: LookupAddress[]) => void,
    ) =>
      name === 'private.example'
        ? done(null, [{ address: '10.0.0.1', family: 4 }])
        : done(
            Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }),
            [],
          )) as never,
  })
  const sent = await Promise.all(
    ['private', 'unknown'].map(name => sender.send(`https://${name}.example/`, {}, '{}')),
  )
  sender.close()
  expect(sent[0]!.error).toBe(sent[1]!.error)
})
