import { describe, expect, it } from 'vitest'
import { inviteOperator, logInByLink } from '../../src/actions/console/login.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, call, useService } from '../support/service.ts'

const holdfast = await useService({ BASE_URL: 'https://holdfast.test' })

const tokenOf = (link: string) => link.split('/').at(-1)!
const newLink = async (email: string) => tokenOf(await inviteOperator(holdfast.service, email))
const host = 'holdfast.test'
const ask = (cookie: string) =>
  call(holdfast.app, 'GET', '/console/api/session', undefined, { headers: { cookie, host } })
const open = (token: string, headers: Record<string, string> = {}) =>
  call(holdfast.app, 'POST', `/console/login/${token}`, undefined, { headers: { host, ...headers } })
const cookiesOf = ({ headers }: Answer) => [headers['set-cookie']].flat().map(String)

describe('with TLS the session cookie', () => {
  it('is bound to the host', async () => {
    const cookies = cookiesOf(await open(await newLink('host@example.org')))
    const session = cookies.find(one => one.includes('session='))!
    expect(session).toMatch(/^__Host-holdfast_session=/)
    expect(session).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax/)
    expect(session).not.toMatch(/Domain/i)
    expect((await ask(session.split(';')[0]!)).status).toBe(200)
  })

  it('of an earlier version still opens its session', async () => {
    const session = await logInByLink(holdfast.service, await newLink('old@example.org'))
    await holdfast.query('update console_session set host_bound = false')
    expect((await ask(`holdfast_session=${session}`)).status).toBe(200)
  })

  it('cannot be planted by a sibling host under the older name', async () => {
    const session = await logInByLink(holdfast.service, await newLink('attacker@example.org'))
    expectRefusal(await ask(`holdfast_session=${session}`), 401, 'login-required')
  })

  it('is a new one at each login, whatever the browser sent before', async () => {
    const fixed = 'a'.repeat(43)
    const headers = { cookie: `__Host-holdfast_session=${fixed}; holdfast_session=${fixed}` }
    const cookies = cookiesOf(await open(await newLink('fixed@example.org'), headers))
    expect(cookies.join()).not.toContain(fixed)
    expectRefusal(await ask(headers.cookie), 401, 'login-required')
  })

  it('ends at the logout under both names', async () => {
    const answer = await call(holdfast.app, 'POST', '/console/api/session/logout', {}, { headers: { host } })
    const names = cookiesOf(answer).map(one => one.split('=')[0])
    expect(names.toSorted()).toEqual(['__Host-holdfast_session', 'holdfast_session'])
  })
})
