import { TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inviteAdministrator, inviteOperator, logInByLink } from '../../src/actions/console/login.ts'
import { buildApp } from '../../src/app.ts'
import { cookieOf, inSession, sessionOf, tokenOf } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, call, consoleCall, eventually, useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: '127.0.0.1' })
const otherInstance = await buildApp(holdfast.service)

const password = 'correct horse battery'
const from = (address: string) => ({ 'x-forwarded-for': address })
let people = 0

async function newLogin() {
  const email = `login${++people}@example.org`
  const session = await sessionOf(holdfast, await inviteOperator(holdfast.service, email))
  const ask = inSession(holdfast, session)
  expect((await ask('PUT', '/session/password', { password })).status).toBe(204)
  return { email, session, ask }
}

const logIn = (email: string, given: object, headers: Record<string, string>, app = holdfast.app) =>
  call(app, 'POST', '/console/api/session/password', { email, password, ...given }, { headers })

const askForLink = (email: string, headers: Record<string, string>) =>
  call(holdfast.app, 'POST', '/console/api/session/link', { email }, { headers })

const linksTo = async (email: string) =>
  (await mailsTo(holdfast, email)).map(mail => /console\/login\/([\w-]+)/.exec(mail.text)![1]!)

const linksOnceSent = (email: string, count: number) =>
  eventually(async () => {
    const links = await linksTo(email)
    return links.length >= count && links
  })

const cookiesOf = ({ headers }: Answer) =>
  [headers['set-cookie']].flat().map(one => String(one).split(';')[0]!)

function shiftClock(minutes: number) {
  holdfast.clock.shiftMs = minutes * 60_000
  onTestFinished(() => {
    holdfast.clock.shiftMs = 0
  })
}

describe('asking for a link', () => {
  it('answers before anything about the address is read or written, and the email goes out afterwards', async () => {
    const { email } = await newLogin()
    const rival = await holdfast.service.db.pool.connect()
    try {
      await rival.query('begin')
      await rival.query('lock table console_user in access exclusive mode')
      for (const candidate of [email, 'unknown@example.org'])
        expect((await askForLink(candidate, from('203.0.113.90'))).status).toBe(202)
      await rival.query('commit')
    } finally {
      rival.release()
    }
    await linksOnceSent(email, 1)
  })
})

describe('a stranger who knows an address', () => {
  it('does not lock its owner out with wrong passwords', async () => {
    const { email } = await newLogin()
    const stranger = from('203.0.113.1')
    for (let times = 0; times < 11; times++) await logIn(email, { password: 'wrong' }, stranger)
    expectRefusal(await logIn(email, {}, stranger), 429, 'too-many-requests')
    expectRefusal(await logIn(email, {}, stranger, otherInstance), 429, 'too-many-requests')
    expect((await logIn(email, {}, from('198.51.100.7'))).status).toBe(204)
  })

  it('does not lock out a device that logged in before from the same address', async () => {
    const { email } = await newLogin()
    const office = from('203.0.113.2')
    const device = cookiesOf(await logIn(email, {}, office)).find(one => one.includes('device'))!
    const limit = holdfast.service.config.rateLimitPublic
    for (let times = 0; times <= limit + 11; times++) await logIn(email, { password: 'wrong' }, office)
    expectRefusal(await logIn(email, {}, office), 429, 'too-many-requests')
    expect((await logIn(email, {}, { ...office, cookie: device })).status).toBe(204)
    const forged = { ...office, cookie: `${device.slice(0, -3)}abc` }
    expectRefusal(await logIn(email, {}, forged), 429, 'too-many-requests')
  })

  it('gets no more attempts by guessing passwords of many logins', async () => {
    const stranger = from('203.0.113.3')
    // From the start of an hour on, so that no other window begins in between.
    const hour = 3_600_000
    holdfast.clock.shiftMs = hour - (Date.now() % hour)
    let refused = 0
    for (let times = 0; times < 60; times++) {
      const { status } = await logIn(`unknown${times}@example.org`, {}, stranger)
      if (status === 429) refused++
      if (times % 8 === 7) holdfast.clock.shiftMs += 60_000
    }
    holdfast.clock.shiftMs = 0
    expect(refused).toBeGreaterThan(0)
  })

  it('does not stop login emails: the same link is sent again, and a new one once it is old', async () => {
    const { email } = await newLogin()
    for (let times = 0; times < 30; times++)
      expect((await askForLink(email, from(`203.0.113.${50 + times}`))).status).toBe(202)
    const links = await linksOnceSent(email, 6)
    expect([links.length, new Set(links).size]).toEqual([6, 1])
    shiftClock(16)
    await askForLink(email, from('198.51.100.8'))
    const [newest] = (await linksOnceSent(email, 7)).slice(-1)
    expect(newest).not.toBe(links[0])
    shiftClock(31)
    expect(await logInByLink(holdfast.service, links[0]!)).toBeNull()
    expect(await logInByLink(holdfast.service, newest!)).not.toBeNull()
  })

  it('does not end the link that was sent', async () => {
    const { email } = await newLogin()
    await askForLink(email, from('198.51.100.9'))
    const [mine] = await linksOnceSent(email, 1)
    await askForLink(email, from('203.0.113.99'))
    await linksOnceSent(email, 2)
    expect(await logInByLink(holdfast.service, mine!)).not.toBeNull()
  })
})

describe('a second factor', () => {
  async function withTotp() {
    const person = await newLogin()
    const { secret } = (await person.ask('POST', '/session/totp')).body
    const totp = new TOTP({ secret })
    const now = Date.now()
    const code = totp.generate({ timestamp: now })
    const { recoveryCodes } = (await person.ask('POST', '/session/totp/confirm', { code })).body
    return { ...person, recoveryCodes, next: totp.generate({ timestamp: now + 30_000 }) }
  }

  const attempt: Record<string, (person: Awaited<ReturnType<typeof withTotp>>) => Promise<Answer>> = {
    'the end of the factor': ({ ask }) => ask('POST', '/session/totp/end', { code: '000000' }),
    'the end of the factor, under names that make it repeatable': ({ ask }) =>
      ask('POST', '/session/totp/end', { code: '000000' }, { 'idempotency-key': crypto.randomUUID() }),
    'the login': ({ email }) => logIn(email, { code: '000000' }, from('198.51.100.20')),
    'the login at another instance': ({ email }) =>
      logIn(email, { code: '000000' }, from('198.51.100.21'), otherInstance),
  }

  it.each(Object.keys(attempt))('takes at most five tries a minute: %s', async name => {
    const person = await withTotp()
    shiftClock(2)
    const answers: number[] = []
    for (let times = 0; times < 7; times++) answers.push((await attempt[name]!(person)).status)
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  it('takes at most 20 tries an hour', async () => {
    const { ask } = await newLogin()
    // From the start of an hour on, so that no other window begins in between.
    const hour = 3_600_000
    const start = hour - (Date.now() % hour)
    onTestFinished(() => {
      holdfast.clock.shiftMs = 0
    })
    const answers: number[] = []
    for (let times = 0; times < 22; times++) {
      holdfast.clock.shiftMs = start + Math.floor(times / 5) * 60_000
      answers.push((await ask('POST', '/session/totp/confirm', { code: '000000' })).status)
    }
    expect(answers.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(answers.slice(20)).toEqual([429, 429])
  })

  it('limits guesses at the current password in an open session', async () => {
    const { email } = await newLogin()
    const cookie = cookiesOf(await logIn(email, {}, from('198.51.100.22'))).join('; ')
    shiftClock(2)
    const statuses: number[] = []
    for (let times = 0; times < 6; times++) {
      const body = { password: 'another long one', current: 'guessed' }
      const headers = { cookie, 'idempotency-key': crypto.randomUUID() }
      const answer = await call(holdfast.app, 'PUT', '/console/api/session/password', body, { headers })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })

  it('is not replaced by an open session without a code', async () => {
    const { ask } = await withTotp()
    expectRefusal(await ask('POST', '/session/totp'), 401, 'code-required', 'code')
  })

  it('is required before an email link opens a session', async () => {
    const { email, next, recoveryCodes } = await withTotp()
    const open = (token: string, code?: string) =>
      call(
        holdfast.app,
        'POST',
        `/console/login/${token}`,
        code && new URLSearchParams({ code }).toString(),
        {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      )
    for (const [round, code] of [next, recoveryCodes[0]!].entries()) {
      await askForLink(email, from('198.51.100.23'))
      const [token] = (await linksOnceSent(email, round + 1)).slice(-1)
      const page = await call(holdfast.app, 'GET', `/console/login/${token}`)
      expect(page.text).toContain('name="code"')
      for (const wrong of [undefined, '000000']) {
        const refused = await open(token!, wrong)
        expect(refused.headers['set-cookie']).toBeUndefined()
        expect(refused.text).toContain('name="code"')
      }
      const opened = await open(token!, code)
      expect([opened.status, opened.headers.location]).toEqual([303, '/console'])
      shiftClock(20)
    }
  })

  it('is reset by an operator alone, and its owner hears of it', async () => {
    const { email } = await withTotp()
    const { logins } = (await consoleCall(holdfast.app, 'GET', '/logins')).body
    const { uuid } = logins.find((one: { email: string }) => one.email === email)
    const administrator = await sessionOf(
      holdfast,
      await inviteAdministrator(holdfast.service, 'crm', 'admin@example.org'),
    )
    const headers = cookieOf(administrator)
    const path = `/console/api/logins/${uuid}/totp`
    expectRefusal(await call(holdfast.app, 'DELETE', path, undefined, { headers }), 404, 'not-found')
    expect((await logIn(email, {}, from('198.51.100.24'))).status).toBe(401)
    expect((await consoleCall(holdfast.app, 'DELETE', `/logins/${uuid}/totp`)).status).toBe(204)
    expect((await logIn(email, {}, from('198.51.100.24'))).status).toBe(204)
    expect((await mailsTo(holdfast, email)).map(mail => mail.kind)).toEqual(['factor-reset'])
    expectRefusal(await consoleCall(holdfast.app, 'DELETE', `/logins/${uuid}/totp`), 404, 'not-found')
  })

  it('of an administrator is reset with an event', async () => {
    const link = await inviteAdministrator(holdfast.service, 'crm', 'factor@example.org')
    await logInByLink(holdfast.service, tokenOf(link))
    await holdfast.query(`update console_user set totp_secret = 'x' where email = 'factor@example.org'`)
    const { logins } = (await consoleCall(holdfast.app, 'GET', '/logins')).body
    const { uuid } = logins.find((one: { email: string }) => one.email === 'factor@example.org')
    await consoleCall(holdfast.app, 'DELETE', `/logins/${uuid}/totp`)
    const rows = await holdfast.query(
      `select actor_kind from event where kind = 'settings.changed' and detail = 'second-factor'`,
    )
    expect(rows).toEqual([{ actor_kind: 'console' }])
  })
})
