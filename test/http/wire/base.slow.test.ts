import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { pauseOutgoing, resumeOutgoing } from '../../../src/db/base/outgoing-pause.ts'
import { openDb } from '../../../src/db/base/pool.ts'
import { errorCodes } from '../../../src/error-texts.ts'
import { errorMeanings } from '../../../src/http/wire/docs/error-meanings.ts'
import { statusOf } from '../../../src/http/wire/errors.ts'
import type { Route } from '../../../src/http/wire/route.ts'
import { redirectToCanonicalHost } from '../../../src/http/wire/server/origins.ts'
import { makeServer } from '../../../src/http/wire/server/server.ts'
import { version } from '../../../src/lib/root.ts'
import { makeUser, unique } from '../../support/build.ts'
import { startSecondInstance, useSecondInstance } from '../../support/instances.ts'
import { captureLog } from '../../support/logs.ts'
import { expectRefusal, messageOf } from '../../support/refusals.ts'
import { definedRoutes } from '../../support/routes.ts'
import { type Answer, call, consoleCall, useService } from '../../support/service.ts'

const holdfast = await useService()
const routes = await definedRoutes()
const origin = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })

const get = (url: string, headers: Record<string, string> = {}, app = holdfast.app) =>
  call(app, 'GET', url, undefined, { headers })
const post = (payload: string, headers: Record<string, string> = {}) =>
  holdfast.crm.post('/user', payload, { headers })

const person = () => {
  const reference = unique('user')
  return {
    reference,
    email: `${reference}.example.org`,
    username: reference.replace('@', '.'),
    lastName: 'Berg',
  }
}

/** Writes raw bytes to the server and reads the response. */
async function raw(request: string): Promise<Answer> {
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(request)
  let text = ''
  for await (const chunk of socket) text += chunk
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body), headers: {}, text }
}

describe('the error format', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'covers %s of an unknown path',
    async method => {
      for (const url of ['/nothing', '/crms', '/crms/crm/user/x/y/z', '/rest/1/nothing', '/user//', '/%20'])
        expectRefusal(await call(holdfast.app, method, url), 404, 'not-found')
    },
  )

  it('names the supported methods for a known path with another method', async () => {
    for (const prefix of ['', '/rest/1'])
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await call(holdfast.app, method, `${prefix}/crms/crm/user`)
        expectRefusal(answer, 405, 'method-not-allowed')
        expect(answer.headers.allow).toBe('GET, HEAD, POST')
        expect(messageOf(answer)).toBe(
          `${prefix}/crms/crm/user does not support ${method}. Send GET or HEAD or POST.`,
        )
      }
    const answer = await call(holdfast.app, 'POST', '/healthz')
    expectRefusal(answer, 405, 'method-not-allowed')
    expect(answer.headers.allow).toBe('GET, HEAD')
  })

  it('also covers unknown paths below /console/api', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const url of ['/console/api', '/console/api/nothing?a=b', '/console/api/providers/x/y/z'])
        expectRefusal(await call(holdfast.app, method, url), 404, 'not-found')
    const answer = await get('/console/api/session/password')
    expectRefusal(answer, 405, 'method-not-allowed')
    expect(answer.headers.allow).toBe('POST, PUT')
    expect((await get('/console/apiary')).headers['content-type']).toContain('text/html')
  })

  it('mentions a trailing slash', async () => {
    for (const url of ['/crms/crm/user/', '/crms/crm/user//']) {
      const answer = await call(holdfast.app, 'POST', url)
      expectRefusal(answer, 404, 'not-found')
      expect(messageOf(answer)).toBe(`There is no POST ${url}. Remove the trailing slash: /crms/crm/user`)
    }
  })

  it('mentions an unencoded slash inside a reference', async () => {
    const paths = ['/crms/crm/user/a/b', '/crms/crm/user/a/b/c', '/crms/crm/provider/a/b/appointments']
    for (const path of paths) {
      const answer = await get(path)
      expectRefusal(answer, 404, 'not-found')
      expect(messageOf(answer)).toBe(
        `There is no GET ${path}. A slash inside a reference must be sent as %2F.`,
      )
    }
    expect(messageOf(await get('/nothing/at/all'))).toBe('There is no GET /nothing/at/all. See /docs.')
  })

  it.each(['PROPFIND', 'REPORT', 'BREW'])('answers the method %s', async method => {
    const answer = await raw(`${method} /crms/crm/user HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect([400, 405]).toContain(answer.status)
    expect(answer.body).toMatchObject({
      'api-info': { version: '1' },
      errors: [{ message: expect.any(String) }],
    })
  })

  it('covers malformed HTTP', async () => {
    for (const nonsense of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nbad header\r\n\r\n'])
      expectRefusal(await raw(nonsense), 400, 'invalid-field')
  })

  it.each(['%', '%zz', '%C3', '%ED%A0%80', 'a%'])('answers the percent-encoding %s', async text => {
    expectRefusal(await holdfast.crm.get(`/user/${text}`), 400, 'invalid-field', 'path')
  })

  it('covers a path segment that is too long', async () => {
    expectRefusal(await holdfast.crm.get(`/user/${'x'.repeat(5000)}`), 404, 'not-found')
  })

  it.each(['{', '{"a":1', "{'a':1}", '{"a":1,}', 'nonsense', '\u0000', '"a" "b"', '\ufeff\ufeff{}', '[1,'])(
    'covers the invalid JSON %j',
    async body => {
      expectRefusal(await post(body), 400, 'invalid-json')
    },
  )

  it('refuses invalid UTF-8 instead of storing something else', async () => {
    const body = Buffer.from(JSON.stringify({ ...person(), lastName: 'Bärg' }), 'latin1')
    const response = await fetch(`${origin}/crms/crm/user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-client-id': holdfast.crm.key },
      body,
    })
    const answer = { status: response.status, body: await response.json(), headers: {}, text: '' }
    expectRefusal(answer, 400, 'invalid-json')
  })

  it.each(['null', '[]', '"text"', '7', 'true', '', '  '])(
    'covers the body %j, which is not an object',
    async body => {
      expectRefusal(await post(body), 400, 'missing-field', 'body')
    },
  )

  it('covers a request without a body', async () => {
    expectRefusal(await holdfast.crm.post('/user'), 400, 'missing-field', 'body')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'nonsense',
  ])('covers the media type %s', async type => {
    expectRefusal(await post(JSON.stringify(person()), { 'content-type': type }), 415, 'media-type')
  })

  it('covers a body without a media type', async () => {
    const headers = { 'x-service-client-id': holdfast.crm.key }
    const payload = Buffer.from(JSON.stringify(person()))
    const response = await holdfast.app.inject({ method: 'POST', url: '/crms/crm/user', headers, payload })
    expect([response.statusCode, response.json().errors[0].errorCode]).toEqual([415, 'media-type'])
  })

  it('accepts JSON with a byte order mark', async () => {
    expect((await post(`\ufeff${JSON.stringify(person())}`)).status).toBe(201)
  })

  it('reports all errors at once, each with its field', async () => {
    const sent = { email: 'ann', username: '', firstName: 7, phone: 'x'.repeat(101) }
    const { status, body } = await post(JSON.stringify(sent))
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      {
        errorCode: 'missing-field',
        field: 'reference',
        message: 'reference is required and must not be empty.',
      },
      {
        errorCode: 'missing-field',
        field: 'lastName',
        message: 'lastName is required and must not be empty.',
      },
      {
        errorCode: 'invalid-field',
        field: 'email',
        message: 'email must be an email address such as ann@example.org.',
        rule: 'email',
      },
      {
        errorCode: 'missing-field',
        field: 'username',
        message: 'username is required and must not be empty.',
      },
      { errorCode: 'invalid-field', field: 'firstName', message: 'firstName must be a text.' },
      {
        errorCode: 'invalid-field',
        field: 'phone',
        message: 'phone must not be longer than 100 characters.',
        rule: 'maxLength',
        limit: 100,
      },
    ])
  })

  it('accepts JSON with a charset', async () => {
    const type = 'application/json; charset=utf-8'
    expect((await post(JSON.stringify(person()), { 'content-type': type })).status).toBe(201)
  })

  it('refuses a body over 1 MiB, and accepts one of 1 MiB', async () => {
    const padded = (length: number) => {
      const body = JSON.stringify({ ...person(), padding: '' })
      return body.replace('"padding":""', `"padding":"${'x'.repeat(length - body.length)}"`)
    }
    expect((await post(padded(1024 * 1024))).status).toBe(201)
    expectRefusal(await post(padded(1024 * 1024 + 1)), 413, 'too-large')
  })

  it('refuses a chunked body over 1 MiB', async () => {
    const pieces = new ReadableStream({
      start(controller) {
        for (let mebi = 0; mebi < 2; mebi++) controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
        controller.close()
      },
    })
    const response = await fetch(`${origin}/crms/crm/user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-client-id': holdfast.crm.key },
      body: pieces,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  it.each(['{"__proto__":{"reference":"x"}}', '{"a":[{"__proto__":1}]}'])('answers %s', async body => {
    expectRefusal(await post(body), 400, 'invalid-json')
    expect(({} as { reference?: string }).reference).toBeUndefined()
  })

  it('treats constructor and prototype as unknown fields', async () => {
    const body = {
      ...person(),
      constructor: { prototype: { admin: true } },
      toString: 'x',
      hasOwnProperty: 1,
    }
    expect((await post(JSON.stringify(body))).status).toBe(201)
  })

  it('refuses JSON that is nested too deeply', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    for (const bait of ['"x":"\\u0000"', '"__proto__":1']) {
      const { status } = await post(`{"deep":${deep},${bait}}`)
      expect(status).toBe(400)
    }
  })

  it('reveals no internals of an unexpected error, and names the request', async () => {
    await holdfast.query('alter table account rename to account_away')
    const answer = await holdfast.crm.get('/account/x')
    await holdfast.query('alter table account_away rename to account')
    expectRefusal(answer, 500, 'internal')
    expect(answer.text).toContain(answer.headers['x-request-id'])
    expect(answer.text).not.toMatch(/account|relation|select|\.ts/i)
  })

  it('returns 503 with Retry-After while the database is unavailable', async () => {
    const db = openDb({ host: '/nowhere', user: 'missing', database: 'missing' })
    const app = await startSecondInstance(holdfast, { db })
    const answer = await call(app, 'GET', '/crms/crm/user/x', undefined, {
      headers: { 'x-service-client-id': holdfast.crm.key },
    })
    expectRefusal(answer, 503, 'unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await get('/readyz', {}, app)).status).toBe(503)
    expect((await get('/healthz', {}, app)).status).toBe(200)
  })
})

describe('the request id', () => {
  it.each(['/healthz', '/nothing', '/crms/crm/user/x', '/crms/crm/user/%zz', '/metrics'])(
    'is in the response of %s',
    async url => {
      const ids = [await get(url), await get(url)].map(({ headers }) => headers['x-request-id'])
      for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(ids[0]).not.toBe(ids[1])
    },
  )

  it.each(['mine', '0191a3f0-7a1c-7e6f-9b1e-2f1f6a3e4d5c', 'a.b:c_d-9', 'x'.repeat(128)])(
    'is taken from the caller: %s',
    async id => {
      for (const url of ['/healthz', '/nothing', '/crms/crm/user/x'])
        expect((await get(url, { 'x-request-id': id })).headers['x-request-id']).toBe(id)
    },
  )

  it.each(['', 'a b', 'ann@example.org', '<b>', 'x'.repeat(129), '"', 'ä'])(
    'is generated if the caller sends %j',
    async id => {
      const { headers } = await get('/healthz', { 'x-request-id': id })
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

const www = await useSecondInstance(holdfast, { baseUrl: 'https://www.example.org' })

describe('the canonical host', () => {
  it('receives requests for the bare host, with path and query', async () => {
    for (const host of ['example.org', 'EXAMPLE.org'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const url = '/crms/crm/user/a%2Fb?x=%20y'
        const { status, headers } = await call(www, method, url, undefined, { headers: { host } })
        expect([status, headers.location]).toEqual([301, `https://www.example.org${url}`])
      }
  })

  it('also applies to unknown paths', async () => {
    expect((await get('/nothing', { host: 'example.org' }, www)).status).toBe(301)
  })

  it.each(['www.example.org', 'api.example.org', 'example.com', 'localhost', 'example.org.evil.org'])(
    'does not redirect requests for %s',
    async host => {
      expect((await get('/healthz', { host }, www)).status).toBe(200)
    },
  )

  it('ignores forwarded host headers', async () => {
    const headers = { host: 'www.example.org', 'x-forwarded-host': 'example.org' }
    expect((await get('/healthz', headers, www)).status).toBe(200)
  })

  const small = (baseUrl: string) => {
    const app = makeServer(holdfast.service)
    redirectToCanonicalHost(app, baseUrl)
    return app.get('/healthz', { config: { access: { kind: 'public' } } }, () => 'ok')
  }

  it('keeps its port', async () => {
    const { headers } = await get(
      '/healthz',
      { host: 'example.org:8080' },
      small('http://www.example.org:8080'),
    )
    expect(headers.location).toBe('http://www.example.org:8080/healthz')
  })

  it('redirects nothing if the base address has no www.', async () => {
    for (const host of ['example.org', 'www.example.org', 'ample.org'])
      expect((await get('/healthz', { host }, small('https://example.org'))).status).toBe(200)
  })
})

describe('operations', () => {
  it('/healthz reports that the process is alive', async () => {
    const { status, body } = await get('/healthz')
    expect([status, body]).toEqual([200, { status: 'ok' }])
  })

  it('/readyz reports that the service is ready', async () => {
    const { status, body } = await get('/readyz')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ok', database: 'ok', migration: expect.any(Number) })
  })

  it('/readyz is degraded while jobs wait too long', async () => {
    const { pool } = holdfast.service.db
    await pool.query(`select graphile_worker.add_job('nothing', run_at => now() - interval '10 minutes')`)
    const { status, body } = await get('/readyz')
    await pool.query(`delete from graphile_worker._private_jobs`)
    expect([status, body.status]).toEqual([200, 'degraded'])
    expect(body.oldestJobSeconds).toBeGreaterThanOrEqual(600)
  })

  it('probes are logged at debug; other lines have a level name, an ISO time, the CRM, the error code and the trace', async () => {
    const metricsToken = 'm'.repeat(20)
    const app = await startSecondInstance(holdfast, {
      config: { ...holdfast.service.config, logLevel: 'info', metricsToken },
    })
    const log = captureLog(app)
    const statuses = []
    for (const path of ['/readyz', '/healthz', '/metrics']) statuses.push((await get(path, {}, app)).status)
    expect(statuses).toEqual([200, 200, 401])
    expect(log.text()).toBe('')
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await get('/crms/crm/user/unknown', { 'x-service-client-id': holdfast.crm.key, traceparent }, app)
    expect(JSON.parse(log.text())).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      status: 404,
      crm: 'crm',
      code: 'not-found',
      traceId: '0af7651916cd43dd8448eb211c80319c',
    })
  })

  it('/readyz is degraded while a proxy forwards requests and TRUST_PROXY is not set', async () => {
    const forwarded = { 'x-forwarded-for': '192.0.2.7' }
    const trusting = await startSecondInstance(holdfast, {
      config: { ...holdfast.service.config, trustProxy: '1' },
    })
    await get('/healthz', forwarded, trusting)
    expect((await get('/readyz', {}, trusting)).body.status).toBe('ok')
    const plain = await startSecondInstance(holdfast)
    await get('/healthz', forwarded, plain)
    const { status, body } = await get('/readyz', {}, plain)
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'degraded', proxy: 'untrusted' })])
  })

  it('/readyz is degraded while emails and webhooks are paused, and the console shows it', async () => {
    await pauseOutgoing(holdfast.service.db, 'restored from a backup')
    const ready = await get('/readyz')
    const status = await consoleCall(holdfast.app, 'GET', '/operator')
    expect(await resumeOutgoing(holdfast.service.db)).toBe(true)
    const outgoing = { paused: 'restored from a backup', since: expect.stringMatching(/Z$/) }
    expect([ready.status, ready.body]).toEqual([
      200,
      expect.objectContaining({ status: 'degraded', outgoing }),
    ])
    expect(status.body.outgoing).toEqual(outgoing)
    expect((await consoleCall(holdfast.app, 'GET', '/operator')).body.outgoing).toBeNull()
  })

  it('/readyz is 503 before the migrations have run', async () => {
    const { pool } = holdfast.service.db
    await pool.query(
      'update migration set number = -number where number = (select max(number) from migration)',
    )
    const { status, body } = await get('/readyz')
    await pool.query('update migration set number = -number where number < 0')
    expect([status, body.status]).toEqual([503, 'migrating'])
  })

  it('/readyz is 200 with a newer compatible schema, and 503 with an incompatible one', async () => {
    const { pool } = holdfast.service.db
    await pool.query(`insert into migration (number, name, works_from) values (9998, 'expand', 1)`)
    const beside = await get('/readyz')
    await pool.query(`insert into migration (number, name, works_from) values (9999, 'contract', 9998)`)
    const outdated = await get('/readyz')
    await pool.query('delete from migration where number >= 9998')
    expect([beside.status, beside.body.status, beside.body.migration]).toEqual([200, 'ok', 9998])
    expect([outdated.status, outdated.body.status]).toEqual([503, 'outdated'])
  })

  it('/metrics counts requests by route pattern, never by address', async () => {
    const { reference } = await makeUser(holdfast.crm, { reference: 'visible-reference@plat' })
    await holdfast.crm.get(`/user/${encodeURIComponent(reference)}`)
    await get('/some/secret-path')
    const { status, text, headers } = await get('/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    expect(text).toMatch(
      /holdfast_http_requests_total\{method="GET",route="\/crms\/:crmId\/user\/:reference",status="200"\} \d/,
    )
    expect(text).toMatch(/holdfast_http_requests_total\{method="GET",route="unknown",status="404"\} \d/)
    expect(text).toContain('holdfast_http_request_duration_seconds_bucket')
    expect(text).toContain('holdfast_db_connections{state="open"}')
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(text).not.toMatch(/visible-reference|secret-path/)
  })
})

describe('the OpenAPI document', () => {
  type Operation = {
    responses: Record<string, { description?: string }>
    summary?: string
    parameters?: { in: string; name: string }[]
    security?: unknown
  }
  let document: { openapi: string; paths: Record<string, Record<string, Operation>> }
  beforeAll(async () => {
    document = (await get('/openapi.json')).body
  })
  // Each operation once, under the prefix of the specification.
  const operationOf = ({ path, method }: Route) => {
    const name = path.replaceAll(/:(\w+)/g, '{$1}')
    return (document.paths[name] ?? document.paths[`/rest/1${name}`])?.[method.toLowerCase()]
  }

  it('is OpenAPI 3.1 and contains the address of the service', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Holdfast', version },
      servers: [{ url: 'http://holdfast.test' }],
    })
  })

  it('has every route of the service, with its responses and errors', () => {
    expect(routes.length).toBeGreaterThan(20)
    for (const route of routes) {
      const operation = operationOf(route)
      expect(operation, `${route.method} ${route.path}`).toBeDefined()
      const documented = Object.keys(operation!.responses).map(Number)
      const wanted = [...Object.keys(route.replies).map(Number), ...route.errors.map(code => statusOf[code])]
      const always = [400, 500, 503, ...(route.access.kind === 'public' ? [] : [401, 403])]
      expect(documented).toEqual(expect.arrayContaining([...wanted, ...always]))
      if (route.body) expect(documented).toEqual(expect.arrayContaining([413, 415]))
      for (const code of route.errors)
        expect(operation!.responses[statusOf[code]]!.description).toContain(`\`${code}\``)
    }
  })

  it('has no operation that the service does not have', () => {
    for (const [path, operations] of Object.entries(document.paths))
      for (const method of Object.keys(operations)) {
        const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
        expect(
          holdfast.app.hasRoute({ method: method.toUpperCase() as 'GET', url }),
          `${method} ${path}`,
        ).toBe(true)
      }
  })

  it('states the authentication of each operation', () => {
    for (const route of routes) {
      const { access } = route
      const keys =
        access.kind === 'crm' || (access.kind === 'console' && access.scope) ? [{ apiKey: [] }] : []
      const logins = access.kind === 'console' ? [{ session: [] }, { token: [] }] : []
      // Consumers need none; their own backend may send one.
      const none = access.kind === 'public' && route.crmOf ? [{}, { apiKey: [] }] : []
      expect(operationOf(route)!.security ?? []).toEqual([...logins, ...keys, ...none])
    }
  })

  it('describes each operation: a summary, every path parameter, every response', () => {
    for (const [path, operations] of Object.entries(document.paths))
      for (const operation of Object.values(operations)) {
        expect(operation.summary).toBeTruthy()
        const inPath = (operation.parameters ?? []).filter(one => one.in === 'path').map(one => one.name)
        expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]))
        expect(Object.keys(operation.responses).length).toBeGreaterThan(0)
        for (const response of Object.values(operation.responses)) expect(response.description).toBeTruthy()
      }
  })

  describe('for every language and tool', () => {
    type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; $ref?: string }
    const schemas: { place: string; schema: Schema }[] = []
    const collect = (value: unknown, place: string) => {
      if (typeof value !== 'object' || value === null) return
      schemas.push({ place, schema: value as Schema })
      for (const [name, inner] of Object.entries(value))
        if (name !== 'example') collect(inner, `${place}/${name}`)
    }
    beforeAll(() => collect(document, ''))
    const patterns = () =>
      schemas.flatMap(({ schema }) => (typeof schema.pattern === 'string' ? [schema.pattern] : []))

    it('has patterns that RE2, Go, Java and Python understand', () => {
      expect(patterns().length).toBeGreaterThan(20)
      // RE2 has no look-around, no references back, no \\u; Python and Java no empty classes.
      const foreign = /\(\?(?!:)|\[\^?\]|\\[pPuk1-9]|[*+?}]\+/
      expect(patterns().filter(one => foreign.test(one))).toEqual([])
      const program = 'import json, re, sys; [re.compile(one) for one in json.load(sys.stdin)]'
      const { error, stderr } = spawnSync('python3', ['-c', program], {
        input: JSON.stringify(patterns()),
        encoding: 'utf8',
      })
      if (error) console.warn('Python is missing: its check of patterns is skipped.')
      else expect(stderr).toBe('')
    })

    it('describes every property in whole sentences', () => {
      const components = (document as unknown as { components: { schemas: Record<string, Schema> } })
        .components
      const bad = schemas.flatMap(({ place, schema }) =>
        Object.entries(typeof schema.properties === 'object' ? schema.properties : {}).flatMap(
          ([name, one]) => {
            const named = one.$ref ? components.schemas[one.$ref.split('/').at(-1)!] : undefined
            const description = String(one.description ?? named?.description ?? '')
            return /^\S+ ?.*\.$/s.test(description) ? [] : [`${place}: ${name}: ${description}`]
          },
        ),
      )
      expect(bad).toEqual([])
    })

    it('says what each error code means and what to do', async () => {
      const { ErrorCode } = (document as unknown as { components: { schemas: Record<string, Schema> } })
        .components.schemas
      expect(ErrorCode!.enum).toEqual(errorCodes)
      expect(ErrorCode!['x-enum-descriptions']).toHaveLength(errorCodes.length)
      for (const { meaning, remedy } of Object.values(errorMeanings))
        expect(`${meaning} ${remedy}`).toMatch(/^[A-Z].+\. [A-Z].+\.$/)
    })

    it('is available as OpenAPI 3.0, without what only 3.1 has', async () => {
      const { body, text } = await get('/openapi-3.0.json')
      expect(body).toMatchObject({ openapi: '3.0.3', info: { version, license: { name: 'MIT' } } })
      expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths))
      expect(body).not.toHaveProperty('webhooks')
      const newer = /"type":\[|"type":"null"|"const":|"\$ref":"[^"]*",/g
      expect([...text.matchAll(newer)].map(([found]) => found)).toEqual([])
    })

    it('is available as a Postman collection with every operation', async () => {
      const { body } = await get('/docs/postman.json')
      const requests = body.item.flatMap((folder: { item: unknown[] }) => folder.item)
      const operations = Object.values(document.paths).flatMap(one => Object.values(one))
      expect(requests).toHaveLength(operations.length)
      expect(requests.find((one: { name: string }) => one.name === 'Create Product').request).toMatchObject({
        method: 'POST',
        header: [
          { key: 'X-SERVICE-CLIENT-ID', value: '{{apiKey}}' },
          { key: 'Content-Type' },
          {},
          { key: 'prefer' },
        ],
        url: { raw: '{{baseUrl}}/crms/:crmId/provider/:providerRef/products' },
      })
    })
  })

  it('has no dangling references', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(match => match[1]!)
    for (const ref of refs) {
      const target = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((inner, part) => (inner as Record<string, unknown>)?.[part], document)
      expect(target, ref).toBeDefined()
    }
  })

  it('lists every error code', () => {
    const text = JSON.stringify(document)
    for (const code of errorCodes) expect(text).toContain(`\`${code}\``)
  })

  it('does not list the older prefix', () => {
    expect(Object.keys(document.paths).filter(path => path.startsWith('/rest/1/crms'))).toEqual([])
  })

  it('lists the monitoring operations last and links to the guide', async () => {
    const { tags, externalDocs } = document as unknown as {
      tags: { name: string }[]
      externalDocs: { url: string }
    }
    expect(tags.at(-1)!.name).toBe('Operations')
    expect(Object.keys(document.paths).at(-1)).toBe('/metrics')
    expect(externalDocs.url).toBe('http://holdfast.test/docs/guide')
    const guide = await get('/docs/guide')
    expect(guide.status).toBe(200)
    expect(guide.text).toContain('<h1 id=')
    expect(guide.text).toContain('<table>')
  })

  it('has a web page', async () => {
    const { status, headers, text } = await get('/docs/reference/')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/html')
    expect(text).toContain('/openapi.json')
    expect(text).toContain('"preferredSecurityScheme": "apiKey"')
    expect(text).toContain('"showDeveloperTools": "never"')
    // A page that loads external files would be empty behind a firewall.
    expect(text).not.toMatch(/(src|href)="https?:/)
  })
})

it('all routes of groups A, B and C exist under both prefixes', () => {
  for (const { method, path } of routes)
    for (const prefix of path.startsWith('/console/') ? [''] : ['', '/rest/1']) {
      const url = prefix + path
      expect(holdfast.app.hasRoute({ method: method as 'GET', url }), `${method} ${url}`).toBe(true)
    }
})

describe('the log', () => {
  const secrets = {
    reference: 'log-reference@plat',
    email: 'log-email@example.org',
    username: 'log-username',
    firstName: 'Logfirst',
    lastName: 'Loglast',
    phone: '+49-log-phone',
  }

  it('has a line for each request: method, route, status, time', async () => {
    const log = captureLog(holdfast.app)
    holdfast.app.log.level = 'info'
    await get('/openapi.json')
    await pause()
    holdfast.app.log.level = 'silent'
    expect(JSON.parse(log.text())).toMatchObject({
      method: 'GET',
      route: '/openapi.json',
      status: 200,
      ms: expect.any(Number),
      reqId: expect.any(String),
      version,
    })
  })

  it('never contains an email, name, reference, number or key', async () => {
    const log = captureLog(holdfast.app)
    holdfast.app.log.level = 'trace'
    const path = `/user/${encodeURIComponent(secrets.reference)}`
    await holdfast.crm.post('/user', secrets)
    await holdfast.crm.post('/user', secrets)
    await holdfast.crm.post('/user', { ...secrets, reference: 'log-reference2@plat' })
    await holdfast.crm.post('/user', { ...secrets, lastName: 7 })
    await holdfast.crm.post('/user', '{"email":"log-email@example.org",')
    await holdfast.crm.get(`${path}?email=${secrets.email}`)
    await holdfast.crm.get(`${path}/nothing`)
    await holdfast.crm.get('/user/log-reference%zz')
    await get(`/verify/log-reference`)
    await get(`/crms/crm${path}`, { 'x-service-client-id': `hf_wrong_${'0'.repeat(48)}` })
    await get(`/crms/crm${path}`, {
      authorization: `Bearer ${holdfast.crm.key}`,
      cookie: 'holdfast_session=log-cookie',
    })
    await pause()
    holdfast.app.log.level = 'silent'
    expect(log.text().split('\n').length).toBeGreaterThan(10)
    expectNothingPersonal(log.text())
  })

  it('contains no personal data when the database refuses a row, but names the table', async () => {
    const { pool } = holdfast.service.db
    const log = captureLog(holdfast.app)
    holdfast.app.log.level = 'trace'
    await pool.query(`alter table app_user add constraint trap check (last_name <> 'Loglast') not valid`)
    const { status } = await holdfast.crm.post('/user', {
      ...secrets,
      reference: 'log-reference3@plat',
      username: 'log-username3',
    })
    await pool.query('alter table app_user drop constraint trap')
    await pool.query('drop trigger app_user_changed on app_user')
    await pool.query('alter table app_user alter column phone type integer using null')
    const { status: second } = await holdfast.crm.post('/user', {
      ...secrets,
      reference: 'log-reference4@plat',
      username: 'log-username4',
    })
    await pool.query('alter table app_user alter column phone type text')
    await pause()
    holdfast.app.log.level = 'silent'
    expect([status, second]).toEqual([500, 500])
    expect(log.text()).toMatch(/"code":"23514"/)
    expect(log.text()).toMatch(/"constraint":"trap"/)
    expect(log.text()).toMatch(/users\.ts/)
    expectNothingPersonal(log.text())
  })

  function expectNothingPersonal(text: string) {
    for (const secret of [
      ...Object.values(secrets),
      'log-',
      holdfast.crm.key,
      holdfast.crm.key.split('_')[2]!,
    ])
      expect(text).not.toContain(secret)
  }
})
