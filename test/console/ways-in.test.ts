// How people get into the console and out of it: links by mail, passwords, codes, and the list of their sessions.

import { TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  inviteAdministrator,
  inviteOperator,
  inviteStaff,
  logInByEmail,
  logInByLink,
} from '../../src/actions/console/login.ts'
import { mailLoginLink } from '../../src/actions/console/login-links.ts'
import { makeProvider } from '../support/build.ts'
import { inSession, sessionOf, tokenOf } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, eventually, runJobs, startTestService, useService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()

const password = 'correct horse battery'
const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  call(holdfast.app, 'POST', `/console/api/session${path}`, body, { headers })

let people = 0
/** A person who has just logged in by a link. */
async function newLogin() {
  const email = `person${++people}@example.org`
  const session = await sessionOf(holdfast, await inviteOperator(holdfast.service, email))
  return { email, session, ...as(session) }
}

const as = (session: string) => ({ ask: inSession(holdfast, session) })

const sessionIn = ({ headers }: { headers: Record<string, unknown> }) =>
  /holdfast_session=([^;]+)/.exec(String(headers['set-cookie']))![1]!

const linksIn = async (email: string) =>
  (await mailsTo(holdfast, email)).map(mail => /console\/login\/([\w-]+)/.exec(mail.text)![1]!)

/** The email is written after the answer. */
const sentTo = (email: string) =>
  eventually(async () => {
    const links = await linksIn(email)
    return links.length > 0 && links
  })

describe('a link by email', () => {
  it('opens the console once, and only by a button', async () => {
    const { email } = await newLogin()
    expect((await post('/link', { email: email.toUpperCase() })).status).toBe(202)
    const [token] = await sentTo(email)
    for (const method of ['GET', 'HEAD'])
      expect((await call(holdfast.app, method, `/console/login/${token}`)).status).toBe(200)
    const opened = await call(holdfast.app, 'POST', `/console/login/${token}`)
    expect([opened.status, opened.headers.location]).toEqual([303, '/console'])
    expect((await as(sessionIn(opened)).ask('GET', '/session')).body.me.email).toBe(email)
    expect((await call(holdfast.app, 'POST', `/console/login/${token}`)).status).toBe(404)
  })

  it('works for half an hour', async () => {
    const { email } = await newLogin()
    await post('/link', { email })
    const [token] = await sentTo(email)
    holdfast.clock.shiftMs = 31 * 60_000
    onTestFinished(() => {
      holdfast.clock.shiftMs = 0
    })
    expect(await logInByLink(holdfast.service, token!)).toBeNull()
  })

  it('gets the same answer for an unknown address, and sends nothing', async () => {
    const { email } = await newLogin()
    const [known, unknown] = [
      await post('/link', { email }),
      await post('/link', { email: 'no@example.org' }),
    ]
    expect(unknown.status).toBe(known.status)
    expect(unknown.body).toEqual(known.body)
    expect(await mailsTo(holdfast, 'no@example.org')).toEqual([])
  })

  it('is refused to other pages', async () => {
    const { email } = await newLogin()
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.org' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign)
      expectRefusal(await post('/link', { email }, headers), 401, 'login-required')
    expect(await linksIn(email)).toEqual([])
  })

  it('is deleted once a mail server has accepted it', async () => {
    const smtp = await startSmtp()
    const other = await startTestService({ SMTP_URL: smtp.url })
    onTestFinished(async () => {
      await other.close()
      await smtp.close()
    })
    await inviteOperator(other.service, 'ann@example.org')
    await call(other.app, 'POST', '/console/api/session/link', { email: 'ann@example.org' })
    runJobs(other)
    await eventually(async () => smtp.accepted.length > 0)
    const text = await eventually(async () => {
      const rows = await other.query(
        `select mail::text as text from mail where state = 'sent' and kind = 'login'`,
      )
      return rows[0]?.text as string
    })
    expect(text).not.toMatch(/console\/login|ann@example/)
  })
})

describe('an invitation', () => {
  it('ends the links before it', async () => {
    const provider = await makeProvider(holdfast.crm)
    const first = await inviteStaff(holdfast.service, 'crm', provider.owner)
    const second = await inviteStaff(holdfast.service, 'crm', provider.owner)
    expect(await logInByLink(holdfast.service, tokenOf(first))).toBeNull()
    expect(await logInByLink(holdfast.service, tokenOf(second))).not.toBeNull()
  })

  it('leaves one link, however many are requested at once', async () => {
    const links = await Promise.all(
      Array.from({ length: 6 }, () => inviteOperator(holdfast.service, 'many@example.org')),
    )
    const sessions = []
    for (const link of links) sessions.push(await logInByLink(holdfast.service, tokenOf(link)))
    expect(sessions.filter(Boolean)).toHaveLength(1)
  })
})

describe('a password', () => {
  it('opens the console, and a wrong one never does', async () => {
    const { email, ask } = await newLogin()
    expect((await ask('PUT', '/session/password', { password })).status).toBe(204)
    const right = await post('/password', { email, password })
    expect(right.status).toBe(204)
    expect(String(right.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/)
    expect((await as(sessionIn(right)).ask('GET', '/session')).body.me).toMatchObject({ hasPassword: true })
    const refused = [
      await post('/password', { email, password: 'correct horse batterx' }),
      await post('/password', { email: 'nobody@example.org', password }),
      await post('/password', { email: (await newLogin()).email, password }),
    ]
    for (const one of refused) expectRefusal(one, 401, 'login-failed')
    expect(new Set(refused.map(one => one.text)).size).toBe(1)
  })

  it('must be long, and not the address', async () => {
    const { email, ask } = await newLogin()
    for (const wrong of ['short', `${email}12345`])
      expectRefusal(
        await ask('PUT', '/session/password', { password: wrong }),
        400,
        'invalid-field',
        'password',
      )
  })

  it('cannot be changed from an open session alone, and its change ends the others', async () => {
    const { email, ask } = await newLogin()
    await ask('PUT', '/session/password', { password })
    const mine = as(sessionIn(await post('/password', { email, password })))
    const change = (current?: string) =>
      mine.ask('PUT', '/session/password', { password: 'another long one', current })
    expectRefusal(await change(), 400, 'missing-field', 'current')
    expectRefusal(await change('guessed'), 400, 'invalid-field', 'current')
    expect((await change(password)).status).toBe(204)
    expect((await ask('GET', '/session')).status).toBe(401)
    expect((await mine.ask('GET', '/session')).status).toBe(200)
  })

  it('opens nothing once another one is set, even if it was looked at before', async () => {
    const [{ email, ask }, other] = [await newLogin(), await newLogin()]
    await ask('PUT', '/session/password', { password })
    await other.ask('PUT', '/session/password', { password: 'another long one' })
    const answer = await whileWaiting(
      holdfast,
      {
        before: rival =>
          rival.query(
            `update console_user set password_hash = (select password_hash from console_user where email = $2)
            where email = $1`,
            [email, other.email],
          ),
      },
      () => post('/password', { email, password }),
    )
    expectRefusal(answer, 401, 'login-failed')
    expect((await post('/password', { email, password: 'another long one' })).status).toBe(204)
  })
})

describe('a second factor', () => {
  async function withTotp() {
    const person = await newLogin()
    await person.ask('PUT', '/session/password', { password })
    const { secret } = (await person.ask('POST', '/session/totp')).body
    const totp = new TOTP({ secret })
    const now = Date.now()
    const used = totp.generate({ timestamp: now })
    const confirmed = await person.ask('POST', '/session/totp/confirm', { code: used })
    expect(confirmed.status).toBe(200)
    const codes = confirmed.body.recoveryCodes as string[]
    /** A code that has not been used: that of the next half minute is taken as well. */
    const next = totp.generate({ timestamp: now + 30_000 })
    const logIn = (code?: string) => post('/password', { email: person.email, password, code })
    return { ...person, codes, next, used, logIn }
  }

  it('is required in addition to the password, and each code works once', async () => {
    const { logIn, next, used } = await withTotp()
    expectRefusal(await logIn(), 401, 'code-required', 'code')
    expectRefusal(await logIn('000000'), 401, 'login-failed', 'code')
    expectRefusal(await logIn(used), 401, 'login-failed', 'code')
    const both = await Promise.all([logIn(next), logIn(next)])
    expect(both.map(one => one.status).sort()).toEqual([204, 401])
  })

  it('can be replaced by ten codes for a lost device, each once', async () => {
    const { logIn, codes } = await withTotp()
    expect(codes).toHaveLength(10)
    expect((await logIn(codes[3]!.toUpperCase())).status).toBe(204)
    expectRefusal(await logIn(codes[3]), 401, 'login-failed', 'code')
  })

  it('counts only once a code has confirmed it, and ends with a code only', async () => {
    const { email, ask } = await newLogin()
    await ask('PUT', '/session/password', { password })
    await ask('POST', '/session/totp')
    expect((await post('/password', { email, password })).status).toBe(204)
    expectRefusal(await ask('POST', '/session/totp/confirm', { code: '123' }), 401, 'login-failed', 'code')
    const other = await withTotp()
    expectRefusal(
      await other.ask('POST', '/session/totp/end', { code: '000000' }),
      401,
      'login-failed',
      'code',
    )
    expect((await other.ask('POST', '/session/totp/end', { code: other.next })).status).toBe(204)
    expect((await other.logIn()).status).toBe(204)
  })

  it('is not readable in the database', async () => {
    const { email, ask } = await newLogin()
    const { secret } = (await ask('POST', '/session/totp')).body
    const rows = await holdfast.query('select totp_pending from console_user where email = $1', [email])
    expect(rows[0].totp_pending.toString('latin1')).not.toContain(secret)
  })
})

describe('sessions', () => {
  it('are listed, and end one by one or all but mine', async () => {
    const { email, ask } = await newLogin()
    await ask('PUT', '/session/password', { password })
    const agent = 'Firefox on a phone'
    const phone = as(sessionIn(await post('/password', { email, password }, { 'user-agent': agent })))
    const { sessions } = (await ask('GET', '/sessions')).body
    expect(sessions).toHaveLength(2)
    const other = sessions.find((one: { isThis: boolean }) => !one.isThis)
    expect(other).toMatchObject({ way: 'password', agent })
    expect((await ask('DELETE', `/sessions/${other.uuid}`)).status).toBe(204)
    expect((await phone.ask('GET', '/session')).status).toBe(401)
    const third = as(sessionIn(await post('/password', { email, password })))
    expect((await ask('DELETE', '/sessions')).status).toBe(204)
    expect((await third.ask('GET', '/session')).status).toBe(401)
    expect((await ask('GET', '/session')).status).toBe(200)
  })

  it('of others are not mine to end', async () => {
    const [mine, other] = [await newLogin(), await newLogin()]
    const [{ uuid }] = (await other.ask('GET', '/sessions')).body.sessions
    expectRefusal(await mine.ask('DELETE', `/sessions/${uuid}`), 404, 'not-found')
    expect((await other.ask('GET', '/session')).status).toBe(200)
  })

  it('end with the logout, which other pages cannot call', async () => {
    const { session, ask } = await newLogin()
    const cookie = `holdfast_session=${session}`
    expectRefusal(await post('/logout', {}, { cookie, origin: 'https://evil.org' }), 401, 'login-required')
    expect((await ask('GET', '/session')).status).toBe(200)
    expect((await post('/logout', {}, { cookie })).status).toBe(204)
    expect((await ask('GET', '/session')).status).toBe(401)
  })
})

it('my name and language are mine to change, and the second of two browsers hears of the first', async () => {
  const { ask } = await newLogin()
  const { etag } = (await ask('GET', '/session')).headers
  const change = (body: object) => ask('PATCH', '/session', body, { 'if-match': String(etag) })
  expect((await change({ name: 'Ann', language: 'fr' })).body.me).toMatchObject({
    name: 'Ann',
    language: 'fr',
  })
  expectRefusal(await change({ name: 'Bea' }), 409, 'changed', 'If-Match')
  expect((await ask('GET', '/session')).body.me).toMatchObject({ name: 'Ann', language: 'fr' })
})

describe('a login that is taken away', () => {
  /** Removed during the request. */
  const whileItGoes = <T>(email: string, work: () => Promise<T>) =>
    whileWaiting(
      holdfast,
      { before: rival => rival.query('delete from console_user where email = $1', [email]) },
      work,
    )

  it.each([
    ['PATCH', '/session', { name: 'New' }],
    ['PUT', '/session/password', { password }],
    ['POST', '/session/totp', {}],
    ['POST', '/session/totp/confirm', { code: '123456' }],
  ])('changes nothing any more: %s %s', async (method, path, body) => {
    const { email, ask } = await newLogin()
    expectRefusal(await whileItGoes(email, () => ask(method, path, body)), 401, 'login-required')
  })

  it('opens nothing for a person who logs in at that moment, and reveals nothing', async () => {
    const mailed = await newLogin()
    await whileItGoes(mailed.email, () => mailLoginLink(holdfast.service, mailed.email))
    expect(await linksIn(mailed.email)).toEqual([])
    const vouched = await newLogin()
    const opening = () => logInByEmail(holdfast.service, vouched.email, 'oidc', null)
    expect(await whileItGoes(vouched.email, opening)).toBeNull()
  })
})

it('an invitation never opens a login that another person with this address gets at the same moment', async () => {
  const inviting = whileWaiting(
    holdfast,
    {
      before: rival =>
        rival.query(
          `insert into console_user (email, name, role, language) values ('boss@example.org', 'Boss', 'operator', 'en')`,
        ),
    },
    () => inviteAdministrator(holdfast.service, 'crm', 'boss@example.org'),
  )
  const token = (await inviting).split('/').at(-1)!
  await expect(logInByLink(holdfast.service, token)).rejects.toThrow('email-exists invitation')
})
