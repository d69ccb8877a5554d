import { describe, expect, it } from 'vitest'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: 'true', RATE_LIMIT_PUBLIC: '1' })
const practice = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, practice)
const consumer = asConsumer(overApp(holdfast.app))

const origin = 'https://shop.example'
const paths = () => [
  `/resources/${practice.resource}/upcoming_bookables`,
  `/resources/${practice.resource}/reserve_appointment`,
  `/resources/${practice.resource}/create_appointment_with_consumer`,
  `/resources/${practice.resource}/revoke_reservation`,
  '/resources/public_data',
  '/products/active_products',
  '/products/specific_products',
  `/products/${practice.productUuid}/bookingConfig`,
  '/bookables/specific_bookables',
  '/bookables/cancelable_bookable',
  `/customers/${practice.uuid}/appointments/${practice.uuid}`,
  `/crms/plat/resources/${practice.resource}/customers/x/identify`,
]

const preflight = (path: string, asked?: string, from: string | null = origin) =>
  consumer.send('OPTIONS', path, undefined, {
    headers: {
      ...(from ? { origin: from } : {}),
      'access-control-request-method': 'POST',
      ...(asked ? { 'access-control-request-headers': asked } : {}),
    },
  })

const usual = 'Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Auth-Token'

function expectEchoed({ headers }: Answer, from = origin) {
  expect(headers['access-control-allow-origin']).toBe(from)
  expect(headers['access-control-allow-credentials']).toBe('true')
  expect(String(headers.vary).split(/,\s*/)).toContain('Origin')
  expect(headers).not.toHaveProperty('set-cookie')
}

describe('preflight', () => {
  it('is answered for every consumer path under both prefixes, exactly as specified', async () => {
    for (const path of paths().flatMap(one => [one, `/rest/1${one}`])) {
      const answer = await preflight(path, 'content-type')
      expect([path, answer.status, answer.text]).toEqual([path, 204, ''])
      expectEchoed(answer)
      expect(answer.headers).toMatchObject({
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE',
        'access-control-allow-headers': usual,
        'access-control-max-age': '36',
      })
    }
  })

  it.each([
    ['X-SIGNED-APP-CUSTOMER', 'X-SIGNED-APP-CUSTOMER'],
    ['content-type,auth2', 'auth2'],
    ['AUTH2 , x-signed-app-customer', 'X-SIGNED-APP-CUSTOMER, auth2'],
    ['idempotency-key, x-request-id', 'Idempotency-Key, X-Request-Id'],
  ])('adds the headers of widgets when they ask for them: %s', async (asked, added) => {
    const { headers } = await preflight(paths()[0]!, asked)
    expect(headers['access-control-allow-headers']).toBe(`${usual}, ${added}`)
  })

  it('adds nothing else that is asked for', async () => {
    const { headers } = await preflight(paths()[0]!, 'x-anything, cookie, X-SERVICE-CLIENT-ID')
    expect(headers['access-control-allow-headers']).toBe(usual)
  })

  it('is answered without an origin too, and then allows none', async () => {
    const answer = await preflight(paths()[0]!, undefined, null)
    expect(answer.status).toBe(204)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    expect(answer.headers['access-control-max-age']).toBe('36')
  })

  it('does not need the Resource to exist', async () => {
    expect((await preflight('/resources/nobody@plat/upcoming_bookables')).status).toBe(204)
  })

  it('is not for integrators: their paths allow no origin', async () => {
    const answer = await preflight('/crms/crm/user')
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    const call = await consumer.send('GET', '/crms/crm/user/x', undefined, { headers: { origin } })
    expect(call.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('the origin', () => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    consumer.send(method, path, body, { headers: { origin, ...headers } })
  const list = () => send('GET', `/resources/${practice.resource}/upcoming_bookables?X-DISABLE-COOKIES=true`)

  it.each([origin, 'http://localhost:3000', 'null', 'https://xn--bcher-kva.example'])(
    'is echoed, never a star: %s',
    async from => {
      const answer = await send('GET', paths()[0]!, undefined, { origin: from })
      expect(answer.status).toBe(200)
      expectEchoed(answer, from)
    },
  )

  it('is echoed with every success', async () => {
    const [one, two] = slotsOf(await list())
    const held = await send('POST', paths()[1]!, holdOf(one!))
    const answers = [
      await list(),
      await send('POST', `/rest/1${paths()[0]}`),
      held,
      await send('POST', paths()[2]!, bookingOf(two!)),
      await send('POST', paths()[3]!, { placeholder_id: held.body.participation.customer_uuid }),
      await send('POST', `${paths()[4]}?ref=${practice.resource}`),
      await send('POST', `${paths()[5]}?ref=${practice.resource}`),
    ]
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 201, 200, 200, 200])
    for (const answer of answers) expectEchoed(answer)
  })

  it('is echoed with 204 and 304', async () => {
    const nothing = await send('GET', `${paths()[0]}?to=2000-01-01`)
    expect(nothing.status).toBe(204)
    expectEchoed(nothing)
    const { headers } = await list()
    const same = await send('GET', paths()[0]!, undefined, { 'if-none-match': String(headers.etag) })
    expect(same.status).toBe(304)
    expectEchoed(same)
  })

  it('is echoed with every error, so that a page can tell what went wrong', async () => {
    const limited = { 'x-forwarded-for': '198.51.100.77' }
    await send('POST', paths()[1]!, {}, limited)
    const answers = {
      400: await send('POST', paths()[1]!, '{broken'),
      404: await send('GET', '/resources/nobody@plat/upcoming_bookables'),
      412: await send(
        'POST',
        paths()[2]!,
        bookingOf({ ...slotsOf(await list())[0]!, start: '2029-01-01T00:00:00Z' }),
      ),
      413: await send('POST', paths()[1]!, `{"x":"${'x'.repeat(1_100_000)}"}`),
      415: await send('POST', paths()[1]!, '<a/>', { 'content-type': 'text/xml' }),
      429: await send('POST', paths()[1]!, {}, limited),
    }
    for (const [status, answer] of Object.entries(answers)) {
      expect([status, answer.status]).toEqual([status, Number(status)])
      expectEchoed(answer)
      expect(Array.isArray(answer.body.errors)).toBe(true)
    }
    expect(answers[429].headers['access-control-expose-headers']).toContain('Retry-After')
  })

  it.each([
    ['GET', '/bookings/links', 405],
    ['POST', '/bookings/nothing', 404],
    ['POST', '/rest/1/bookings/%zz', 400],
    ['PUT', '/crms/plat/resources/x/customers/y/identify', 405],
    ['GET', '/crms/plat/resources/%zz/customers/y/identify', 400],
  ])('is echoed where no route takes the call: %s %s', async (method, path, status) => {
    const answer = await send(method, path)
    expect(answer.status).toBe(status)
    expectEchoed(answer)
  })

  it('varies the answer also when there is none', async () => {
    const { headers } = await consumer.send('GET', paths()[0]!)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(String(headers.vary)).toContain('Origin')
  })
})

it('no answer of the consumer flow sets a cookie, asked to or not', async () => {
  for (const query of ['', '?X-DISABLE-COOKIES=true']) {
    const answer = await consumer.send('GET', `/rest/1${paths()[0]}${query}`, undefined, {
      headers: { origin, cookie: 'PLAY_LANG=de; a=b' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  }
})

it('no answer has the errorCode 300, which opens a login dialog in widgets', async () => {
  const answers = [
    await consumer.send('POST', paths()[1]!, {}),
    await consumer.send('GET', paths()[9]!),
    await consumer.send('GET', '/resources/x/upcoming_bookables'),
  ]
  for (const { body } of answers)
    expect(body.errors.map((one: { errorCode: string }) => one.errorCode)).not.toContain('300')
})

it('is granted on what never reaches a route, too: a page must be able to read what was wrong', async () => {
  const odd = [
    ['GET', '/resources/%E0%A4%A/upcoming_bookables'],
    ['GET', `/resources/${'x'.repeat(5000)}/upcoming_bookables`],
    ['PATCH', `/resources/${practice.resource}/reserve_appointment`],
    ['GET', `/rest/1/resources/${practice.resource}/no_such_call`],
  ] as const
  for (const [method, path] of odd) {
    const answer = await consumer.send(method, path, undefined, { headers: { origin } })
    expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
    expectEchoed(answer)
  }
})
