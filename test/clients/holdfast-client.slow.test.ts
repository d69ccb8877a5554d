import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Event,
  type EventOf,
  HoldfastError,
  listAll,
  makeClient,
  readEvents,
  type Schemas,
  unwrap,
  upsertMany,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../clients/ts/src/index.ts'
import { newSecret, signedHeaders } from '../../src/webhooks/sign.ts'
import { makePractice, timeslotBody } from '../support/build.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const baseUrl = await holdfast.app.listen({ port: 0 })
const { crm } = holdfast
const practice = await makePractice(crm)
const place = { crmId: crm.name, providerRef: practice.reference }
const client = makeClient({ baseUrl, apiKey: crm.key })
const customersPath = '/crms/{crmId}/provider/{providerRef}/customers'
const customerOf = (name: string) => ({
  customerReference: `${name}@plat`,
  providerReference: practice.reference,
  userName: name,
})

/** Answers with these statuses first, then with the service's own answer. */
function failing(...statuses: (number | 'broken')[]) {
  const keys: (string | null)[] = []
  const send = async (request: Request) => {
    keys.push(request.headers.get('idempotency-key'))
    const status = statuses.shift()
    if (status === 'broken') throw new TypeError('fetch failed')
    if (status === undefined) return fetch(request)
    const headers = { 'content-type': 'application/json', 'retry-after': '0' }
    return new Response('{"errors":[{"errorCode":"unavailable","message":"Later."}]}', { status, headers })
  }
  return { client: makeClient({ baseUrl, apiKey: crm.key, fetch: send }), keys }
}

describe('answers', () => {
  it('are typed as they come: one for a single create, a list for a batch, nothing for 204', async () => {
    const body = customerOf('Zoe')
    const single = await unwrap(client.POST(customersPath, { params: { path: place }, body }))
    expectTypeOf(single.customer).toEqualTypeOf<Schemas['Customer']>()
    expect(single.customer.userName).toBe('Zoe')
    const batch = await unwrap(
      client.POST(customersPath, { params: { path: place }, body: { customers: [body] } }),
    )
    expectTypeOf(batch.customers).toEqualTypeOf<Schemas['Customer'][]>()
    expect(batch.customers).toHaveLength(1)
    const path = { ...place, customerRef: body.customerReference }
    const nothing = await unwrap(client.DELETE(`${customersPath}/{customerRef}`, { params: { path } }))
    expectTypeOf(nothing).toEqualTypeOf<undefined>()
    expect(nothing).toBeUndefined()
    const none = await unwrap(
      client.GET('/resources/{ref}/upcoming_bookables', { params: { path: { ref: practice.resourceUuid } } }),
    )
    expectTypeOf(none?.['2027-03-04']).toEqualTypeOf<Schemas['Bookable'][] | undefined>()
    expect(none ?? {}).toEqual({})
  })

  it('know the records of an event by its kind', () => {
    const read = (event: Event) => {
      if (event.kind === 'participation.booked') return event.data.participation?.customerReference
      // @ts-expect-error other events have no Participation
      return event.data.participation
    }
    expect(read).toBeTypeOf('function')
    expectTypeOf<EventOf<'customer.changed'>['data']['customer']>().toEqualTypeOf<
      Schemas['Customer'] | null
    >()
  })
})

describe('HoldfastError', () => {
  it('has the code, every field, the status and the request id', async () => {
    const body = { ...customerOf(''), email: 'wrong' }
    const error = await unwrap(client.POST(customersPath, { params: { path: place }, body })).catch(
      one => one,
    )
    expect(error).toBeInstanceOf(HoldfastError)
    expect(error).toMatchObject({ status: 400, retryAfter: undefined })
    expect(['missing-field', 'invalid-field']).toContain(error.code)
    expect(Object.keys(error.fieldErrors).sort()).toEqual(['email', 'userName'])
    expect(error.requestId).toMatch(/^[\w-]{20,}$/)
  })

  it('has the seconds to wait', async () => {
    const { client } = failing(503, 503, 503, 503)
    const error = await unwrap(client.GET('/healthz')).catch(one => one)
    expect(error).toMatchObject({ status: 503, code: 'unavailable', retryAfter: 0 })
  })
})

describe('a failed call', () => {
  it('is repeated with the same key, and nothing is created twice', async () => {
    const { client, keys } = failing(503, 'broken', 429)
    const body = customerOf('Repeated')
    const { customer } = await unwrap(client.POST(customersPath, { params: { path: place }, body }))
    expect(customer.userName).toBe('Repeated')
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is not repeated if that could do harm, or if the wait would be long', async () => {
    const broken = failing('broken')
    const path = { ...place, customerRef: 'nobody@plat' }
    const call = broken.client.DELETE(`${customersPath}/{customerRef}`, { params: { path } })
    await expect(call).rejects.toThrow('fetch failed')
    expect(broken.keys).toHaveLength(1)
    const refused = failing(400)
    await expect(unwrap(refused.client.GET('/healthz'))).rejects.toMatchObject({ status: 400 })
    expect(refused.keys).toHaveLength(1)
  })
})

it('upsertMany creates and updates, reports what is refused, and changes nothing when repeated', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `Sync ${index}`)
  const records = names.map(customerOf)
  const first = await upsertMany(client, 'customers', place, records, 10)
  expect(first.saved).toHaveLength(25)
  const changed = [
    { ...records[3]!, note: 'by the window' },
    { ...customerOf('Bad'), email: 'wrong' },
    records[4]!,
  ]
  const second = await upsertMany(client, 'customers', place, changed)
  expect(second.saved.map(one => one.note)).toEqual(['by the window', null])
  expect(second.refused).toMatchObject([{ record: { userName: 'Bad' }, error: { code: 'invalid-field' } }])

  const slot = timeslotBody(practice) as unknown as Schemas['TimeslotInput']
  await upsertMany(client, 'timeslots', place, [slot])
  const longer = await upsertMany(client, 'timeslots', place, [{ ...slot, end: '2030-01-07T19:00' }])
  expect(longer).toMatchObject({ saved: [{ end: '2030-01-07T18:00:00Z' }], refused: [] })
  const before = await crm.get('/events?limit=500')
  await upsertMany(client, 'timeslots', place, [{ ...slot, end: '2030-01-07T19:00' }])
  await upsertMany(client, 'customers', place, records.slice(5))
  const product = { reference: practice.product, name: 'Talk' }
  expect((await upsertMany(client, 'products', place, [product])).saved).toMatchObject([product])
  const after = await crm.get('/events?limit=500')
  expect(after.body.next).toBe(before.body.next)
})

it('listAll reads every page', async () => {
  await upsertMany(client, 'customers', place, ['A', 'B', 'C'].map(customerOf))
  const seen: string[] = []
  const params = { path: place, query: { limit: 2 } }
  for await (const customer of listAll(client, customersPath, { params })) {
    expectTypeOf(customer).toEqualTypeOf<Schemas['Customer']>()
    seen.push(customer.customerReference)
  }
  const all = await unwrap(client.GET(customersPath, { params: { path: place } }))
  expect(seen).toEqual(all.map(one => one.customerReference))
})

describe('readEvents', () => {
  it('hands out every event once, and the cursor when a page is done', async () => {
    const cursors: string[] = []
    const seen: string[] = []
    const options = {
      crmId: crm.name,
      limit: 3,
      follow: false,
      checkpoint: (next: string) => void cursors.push(next),
    }
    for await (const event of readEvents(client, options)) {
      seen.push(event.id)
      // The page is not done while one of its events is.
      if (seen.length === 3) expect(cursors).toEqual([])
    }
    const { body } = await crm.get('/events?limit=500')
    expect(seen).toEqual(body.events.map((event: Event) => event.id))
    expect(cursors.at(-1)).toBe(body.next)
    const later = readEvents(client, { ...options, after: cursors.at(-1) })
    expect(await Array.fromAsync(later)).toEqual([])
  })

  it('follows the log through an outage until it is stopped', async () => {
    const stop = new AbortController()
    const { client } = failing(502, 'broken')
    const options = { crmId: crm.name, kinds: ['customer.created' as const], signal: stop.signal }
    const seen: Event[] = []
    for await (const event of readEvents(client, options)) {
      seen.push(event)
      if (seen.length === 3) stop.abort()
      if (stop.signal.aborted) break
    }
    expect(seen.map(event => event.kind)).toEqual(Array(3).fill('customer.created'))
  })
})

describe('verifyWebhook', () => {
  const secret = newSecret()
  const body = JSON.stringify({ type: 'customer.created', timestamp: '2027-03-01T09:00:00Z', data: {} })
  const headers = signedHeaders([newSecret(), secret], 'id-1', new Date(), body)

  it('returns the event of a genuine request', async () => {
    const event = await verifyWebhook({ secret, headers, body })
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>()
    expect(event.type).toBe('customer.created')
    // The same names as in the log, and the test of a new address.
    expectTypeOf(event.sequence).toEqualTypeOf<number>()
    expectTypeOf<'test'>().toExtend<WebhookEvent['type']>()
    if (event.type === 'customer.erased') expectTypeOf(event.data.uuid).toEqualTypeOf<string | undefined>()
    expect(await verifyWebhook({ secret, headers: new Headers(headers), body: Buffer.from(body) })).toEqual(
      event,
    )
  })

  it('knows ed25519 keys', async () => {
    const { publicKey, privateKey } = (await crypto.subtle.generateKey('Ed25519', true, [
      'sign',
      'verify',
    ])) as CryptoKeyPair
    const key = `whpk_${Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64')}`
    const content = Buffer.from(`id-1.${headers['webhook-timestamp']}.${body}`)
    const signature = `v1a,${Buffer.from(await crypto.subtle.sign('Ed25519', privateKey, content)).toString('base64')}`
    const signed = { ...headers, 'webhook-signature': signature }
    expect(await verifyWebhook({ secret: key, headers: signed, body })).toMatchObject({
      type: 'customer.created',
    })
    const forged = verifyWebhook({ secret: key, headers: signed, body: `${body} ` })
    await expect(forged).rejects.toThrow(WebhookVerificationError)
  })

  it.each([
    ['a changed body', { body: `${body} ` }],
    ['another secret', { secret: newSecret() }],
    ['an old request', { now: Date.now() / 1000 + 301 }],
    ['missing headers', { headers: {} }],
    ['a signature that is none', { headers: { ...headers, 'webhook-signature': 'v1,?' } }],
  ])('refuses %s', async (_, change) => {
    await expect(verifyWebhook({ secret, headers, body, ...change })).rejects.toThrow(
      WebhookVerificationError,
    )
  })
})
