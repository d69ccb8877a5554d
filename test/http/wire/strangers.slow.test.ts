// Access beyond the API: headers, metrics, the docs page, and forms sent from other sites.

import { describe, expect, it } from 'vitest'
import { inviteOperator } from '../../../src/actions/console/login.ts'
import { startBrowser } from '../../support/browser.ts'
import { form } from '../../support/consumer.ts'
import { startSecondInstance } from '../../support/instances.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { call, type TestService, useService } from '../../support/service.ts'

const holdfast = await useService()

describe('/metrics', () => {
  const ask = (
    app: TestService['app'],
    { remoteAddress = '127.0.0.1', ...headers }: Record<string, string>,
  ) => app.inject({ url: '/metrics', remoteAddress, headers }).then(answer => answer.statusCode)

  it('is available on this machine only, and not to clients behind a local proxy', async () => {
    expect(await ask(holdfast.app, {})).toBe(200)
    expect(await ask(holdfast.app, { remoteAddress: '::ffff:127.0.0.1' })).toBe(200)
    expect(await ask(holdfast.app, { remoteAddress: '192.0.2.1' })).toBe(401)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
      expect(await ask(holdfast.app, { [name]: '127.0.0.1' })).toBe(401)
  })

  it('is available with METRICS_TOKEN, if it is set', async () => {
    const metricsToken = 'metrics-token-of-the-tests'
    const app = await startSecondInstance(holdfast, { config: { ...holdfast.service.config, metricsToken } })
    expect(await ask(app, {})).toBe(401)
    const right = { remoteAddress: '192.0.2.1', authorization: `Bearer ${metricsToken}` }
    expect(await ask(app, right)).toBe(200)
    expect(await ask(app, { ...right, authorization: `Bearer ${metricsToken}x` })).toBe(401)
  })
})

it.each([
  '/healthz',
  '/openapi.json',
  '/nothing',
  '/crms/crm/user/x',
  '/resources/x/upcoming_bookables',
  '/crms/%zz',
])('%s forbids content sniffing', async path => {
  expect((await call(holdfast.app, 'GET', path)).headers['x-content-type-options']).toBe('nosniff')
})

describe('/docs/reference', () => {
  it('cannot be framed, and runs only its own scripts', async () => {
    const { headers } = await call(holdfast.app, 'GET', '/docs/reference/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/)
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' })
  })

  it('renders under its own policy', async () => {
    const app = await startSecondInstance(holdfast)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const browser = await startBrowser()
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', line => /security policy|refused/i.test(line.text()) && complaints.push(line.text()))
    await page.goto(`${url}/docs/reference/`)
    await page.getByRole('heading', { name: 'Holdfast' }).first().waitFor()
    expect(complaints).toEqual([])
    await browser.close()
  }, 60_000)
})

describe('logging in and out', () => {
  const link = async () => new URL(await inviteOperator(holdfast.service, 'op@example.org')).pathname
  const post = (path: string, headers: Record<string, string>) =>
    call(holdfast.app, 'POST', path, '', { headers: { ...form, ...headers } })

  it.each([
    { origin: 'https://evil.org' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://holdfast.test' },
  ])('is refused for other origins: %j', async headers => {
    const login = await link()
    const answer = await post(login, headers as Record<string, string>)
    expect(answer.status).toBe(401)
    expect(answer.headers).not.toHaveProperty('set-cookie')
    const email = 'op@example.org'
    for (const [way, body] of [
      ['link', { email }],
      ['password', { email, password: 'guessed' }],
    ] as const)
      expect(
        (
          await call(holdfast.app, 'POST', `/console/api/session/${way}`, body, {
            headers: headers as Record<string, string>,
          })
        ).body.errors,
      ).toMatchObject([{ errorCode: 'login-required' }])
    expect((await mailsTo(holdfast, email)).filter(one => one.kind === 'login')).toEqual([])
    // No attempt was used up.
    const entered = await post(login, { origin: 'http://holdfast.test', 'sec-fetch-site': 'same-origin' })
    expect(entered.status).toBe(303)
    const cookie = String(entered.headers['set-cookie']).split(';')[0]!
    const logOut = (from: object) =>
      call(holdfast.app, 'POST', '/console/api/session/logout', {}, { headers: { ...from, cookie } })
    expect((await logOut(headers)).status).toBe(401)
    expect(
      (await call(holdfast.app, 'GET', '/console/api/session', undefined, { headers: { cookie } })).status,
    ).toBe(200)
    expect((await logOut({})).status).toBe(204)
    expect(
      (await call(holdfast.app, 'GET', '/console/api/session', undefined, { headers: { cookie } })).status,
    ).toBe(401)
  })
})
