// An OpenID Connect provider that lies, or never finishes.

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { oidcLimits } from '../../src/actions/console/oidc.ts'
import { type OddAnswer, type Signing, startOddOidc } from '../support/odd-oidc.ts'
import { call, useService } from '../support/service.ts'

const path = '/console/login/oidc'
const odd = await startOddOidc('holdfast')
afterAll(() => odd.close())
const holdfast = await useService({
  OIDC_ISSUER: odd.issuer,
  OIDC_CLIENT_ID: 'holdfast',
  OIDC_CLIENT_SECRET: 'a-secret-that-both-sides-know',
  RATE_LIMIT_PUBLIC: '0',
})
await inviteOperator(holdfast.service, 'ann@example.org')
oidcLimits.seconds = 1

beforeEach(() => {
  Object.assign(odd, {
    where: '',
    answer: 'normal',
    discovery: {},
    claims: {},
    signing: 'RS256',
    sentBytes: 0,
  })
})

const begin = () => call(holdfast.app, 'GET', path)

/** Logs in as far as the callback; `claims` are those of the ID token, with the nonce unless they name it. */
async function comeBack(claims: Record<string, unknown> = {}, signing: Signing = 'RS256') {
  const begun = await begin()
  const { searchParams } = new URL(String(begun.headers.location))
  const kept = /holdfast_oidc=([^;]+)/.exec(String(begun.headers['set-cookie']))![1]!
  odd.claims = { nonce: searchParams.get('nonce'), ...claims }
  odd.signing = signing
  const back = `${path}/callback?code=one&state=${searchParams.get('state')}`
  const answer = await call(holdfast.app, 'GET', back, undefined, {
    headers: { cookie: `holdfast_oidc=${kept}` },
  })
  return {
    status: answer.status,
    hasSession: String(answer.headers['set-cookie']).includes('holdfast_session='),
  }
}

const oddAnswers: OddAnswer[] = ['endless', 'silent', 'dripping', 'redirect loop', 'no JSON']

describe('an OpenID Connect provider', () => {
  it.each(oddAnswers)('whose description is %s opens nothing, and is asked again next time', async answer => {
    odd.where = '/.well-known/openid-configuration'
    odd.answer = answer
    expect((await begin()).status).toBe(400)
    expect(holdfast.service.db.pool.waitingCount).toBe(0)
  })

  it('that describes another issuer opens nothing', async () => {
    odd.discovery = { issuer: 'https://login.example.org' }
    expect((await begin()).status).toBe(400)
  })

  it('that tells the truth opens the console', async () => {
    expect(await comeBack()).toEqual({ status: 303, hasSession: true })
  })

  const past = Math.floor(Date.now() / 1000) - 3600
  it.each<[string, Record<string, unknown>, Signing]>([
    ['of another issuer', { iss: 'https://login.example.org' }, 'RS256'],
    ['for another client', { aud: 'another' }, 'RS256'],
    ['that has expired', { iat: past, exp: past + 60 }, 'RS256'],
    ['of another login (nonce)', { nonce: 'another' }, 'RS256'],
    ['without a nonce', { nonce: undefined }, 'RS256'],
    ['without a signature', {}, 'none'],
    ['signed with the public key as a secret', {}, 'HS256 with the public key'],
    ['signed by someone else', {}, 'a foreign key'],
  ])('with an ID token %s opens nothing', async (_, claims, signing) => {
    expect(await comeBack(claims, signing)).toEqual({ status: 400, hasSession: false })
  })

  it('that calls an address verified in words opens nothing', async () => {
    expect(await comeBack({ email_verified: 'true' })).toEqual({ status: 403, hasSession: false })
  })

  it.each(oddAnswers)('whose token is %s opens nothing', async answer => {
    odd.where = '/token'
    odd.answer = answer
    expect(await comeBack()).toEqual({ status: 400, hasSession: false })
    // Not read to the end of time: an answer has a limit.
    expect(odd.sentBytes).toBeLessThan(50 * oidcLimits.bytes)
  })
})
