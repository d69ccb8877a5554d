// Logging in with an organisation's own provider.

import { afterAll, expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { oidcClient, startOidc, type TestOidc } from '../support/oidc.ts'
import { call, startTestService, useService } from '../support/service.ts'

const path = '/console/login/oidc'
const oidc = await startOidc(`http://holdfast.test${path}/callback`)
afterAll(() => oidc.close())
const holdfast = await useService({
  OIDC_ISSUER: oidc.issuer,
  OIDC_CLIENT_ID: oidcClient.id,
  OIDC_CLIENT_SECRET: oidcClient.secret,
})
await inviteOperator(holdfast.service, 'ann@example.org')

/** To the provider, through its pages, and up to the address that it sends the browser back to. */
async function visitProvider(person: TestOidc['person']) {
  oidc.person = person
  const begun = await call(holdfast.app, 'GET', path)
  expect(begun.status).toBe(303)
  const kept = /holdfast_oidc=([^;]+)/.exec(String(begun.headers['set-cookie']))![1]!
  const jar = new Map<string, string>()
  let address = String(begun.headers.location)
  const first = new URL(address)
  while (address.startsWith(oidc.issuer)) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [_match, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      jar.set(name!, value!)
    }
    address = new URL(response.headers.get('location')!, address).href
  }
  return { first, kept, back: address.replace('http://holdfast.test', '') }
}

const comeBack = (back: string, kept: string) =>
  call(holdfast.app, 'GET', back, undefined, { headers: { cookie: `holdfast_oidc=${kept}` } })

it('opens the console for a verified email that has a login', async () => {
  const { first, kept, back } = await visitProvider({ email: 'Ann@example.org', email_verified: true })
  expect(first.searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) expect(first.searchParams.get(name)).toBeTruthy()
  const opened = await comeBack(back, kept)
  expect([opened.status, opened.headers.location]).toEqual([303, '/console'])
  const session = /holdfast_session=([^;]+)/.exec(String(opened.headers['set-cookie']))![1]
  const { body } = await call(holdfast.app, 'GET', '/console/api/session', undefined, {
    headers: { cookie: `holdfast_session=${session}` },
  })
  expect(body.me.email).toBe('ann@example.org')
})

it.each([
  ['an email that is not verified', { email: 'ann@example.org', email_verified: false }],
  ['an email without a login', { email: 'bob@example.org', email_verified: true }],
])('opens nothing for %s', async (_, person) => {
  const { kept, back } = await visitProvider(person)
  const refused = await comeBack(back, kept)
  expect(refused.status).toBe(403)
  expect(String(refused.headers['set-cookie'])).not.toContain('holdfast_session')
})

it('opens nothing in a browser that did not begin the login, nor twice', async () => {
  const ann = { email: 'ann@example.org', email_verified: true }
  const mine = await visitProvider(ann)
  const other = await visitProvider(ann)
  for (const kept of ['', 'nonsense', other.kept]) expect((await comeBack(mine.back, kept)).status).toBe(400)
  expect((await comeBack(other.back, other.kept)).status).toBe(303)
  expect((await comeBack(other.back, other.kept)).status).toBe(400)
})

it('is offered where it is set up, and only there', async () => {
  expect((await call(holdfast.app, 'GET', '/console/api/session/ways')).body).toEqual({
    oidc: true,
    link: true,
  })
  const plain = await startTestService()
  expect((await call(plain.app, 'GET', '/console/api/session/ways')).body).toEqual({
    oidc: false,
    link: true,
  })
  await plain.close()
})
