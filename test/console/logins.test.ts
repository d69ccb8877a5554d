import { describe, expect, it, onTestFinished } from 'vitest'
import { inviteOperator, inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { makeProvider, makeUser } from '../support/build.ts'
import { inSession, tokenOf } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

const useLink = (link: string) => logInByLink(holdfast.service, tokenOf(link))
const asSession = (session: string, method: string, path: string, body?: object, headers = {}) =>
  inSession(holdfast, session)(method, path, body, headers)

/** Moves the clock until the test ends. */
function shiftClock(hours: number) {
  holdfast.clock.shiftMs = hours * 3_600_000
  onTestFinished(() => {
    holdfast.clock.shiftMs = 0
  })
}

describe('an invitation', () => {
  it('opens a session once', async () => {
    const link = await inviteOperator(holdfast.service, 'once@example.org')
    expect(link).toMatch(/^http:\/\/holdfast\.test\/console\/login\/\S{30,}$/)
    expect(await useLink(link)).toMatch(/^\S{40,}$/)
    expect(await useLink(link)).toBeNull()
  })

  it('opens one session, however many use it at once', async () => {
    const link = await inviteOperator(holdfast.service, 'crowd@example.org')
    const sessions = await Promise.all(Array.from({ length: 10 }, () => useLink(link)))
    expect(sessions.filter(session => session !== null)).toHaveLength(1)
  })

  it('ends after a day', async () => {
    const link = await inviteOperator(holdfast.service, 'late@example.org')
    shiftClock(25)
    expect(await useLink(link)).toBeNull()
  })

  it('can be repeated, and is for the same login', async () => {
    const provider = await makeProvider(holdfast.crm)
    for (let times = 0; times < 2; times++) {
      await inviteStaff(holdfast.service, 'crm', provider.owner)
      await inviteOperator(holdfast.service, 'Again@example.org')
    }
    const rows = await holdfast.query(
      'select role from console_user where lower(email) in ($1, $2) order by role',
      [provider.ownerEmail, 'again@example.org'],
    )
    expect(rows).toEqual([{ role: 'operator' }, { role: 'staff' }])
  })

  it('keeps nothing that could be used to log in', async () => {
    const token = tokenOf(await inviteOperator(holdfast.service, 'secret@example.org'))
    const session = await logInByLink(holdfast.service, token)
    for (const table of ['login_link', 'console_session']) {
      const rows = await holdfast.query(`select ${table}::text as text from ${table}`)
      for (const { text } of rows) for (const secret of [token, session!]) expect(text).not.toContain(secret)
    }
  })

  it('as staff never opens the login of an operator who has the same email', async () => {
    await inviteOperator(holdfast.service, 'Root@example.org')
    const { reference } = await makeUser(holdfast.crm, { email: 'root@example.org' })
    const link = await inviteStaff(holdfast.service, 'crm', reference)
    await expect(useLink(link)).rejects.toThrow('email-exists invitation')
  })

  it('as an operator never upgrades a staff login', async () => {
    const provider = await makeProvider(holdfast.crm)
    await inviteStaff(holdfast.service, 'crm', provider.owner)
    await expect(inviteOperator(holdfast.service, provider.ownerEmail)).rejects.toThrow(
      'email-exists invitation',
    )
  })

  it('is refused for a CRM or User that does not exist', async () => {
    await expect(inviteStaff(holdfast.service, 'nothing', 'x')).rejects.toMatchObject({
      code: 'not-found',
      data: { noun: 'CRM' },
    })
    await expect(inviteStaff(holdfast.service, 'crm', 'nobody@plat')).rejects.toMatchObject({
      code: 'not-found',
      data: { noun: 'User' },
    })
  })
})

describe('a session', () => {
  const operator = async () => (await useLink(await inviteOperator(holdfast.service, 'boss@example.org')))!

  it('of an operator shows everything', async () => {
    await makeUser(holdfast.crm)
    const { status, body } = await asSession(await operator(), 'GET', '/mails')
    expect(status).toBe(200)
    expect(body.mails.length).toBeGreaterThan(0)
  })

  it('of staff shows only the emails of their own Providers', async () => {
    const [own, other] = [await makeProvider(holdfast.crm), await makeProvider(holdfast.crm)]
    const [mine, foreign] = [await firstMailOf(own), await firstMailOf(other)]
    const session = (await useLink(await inviteStaff(holdfast.service, 'crm', own.owner)))!
    const { body } = await asSession(session, 'GET', '/mails')
    expect(body.mails.map((mail: { uuid: string }) => mail.uuid)).toEqual([mine])
    expect((await asSession(session, 'GET', `/mails/${mine}`)).status).toBe(200)
    expectRefusal(await asSession(session, 'GET', `/mails/${foreign}`), 404, 'not-found')
    expectRefusal(await asSession(session, 'GET', `/mails?before=${foreign}`), 404, 'not-found')
  })

  it('of staff ends when they leave a Provider', async () => {
    const provider = await makeProvider(holdfast.crm)
    const { reference } = await makeUser(holdfast.crm)
    await holdfast.crm.post(`${provider.path}/staff`, { userReference: reference })
    const mail = await firstMailOf(provider)
    const session = (await useLink(await inviteStaff(holdfast.service, 'crm', reference)))!
    expect((await asSession(session, 'GET', `/mails/${mail}`)).status).toBe(200)
    await holdfast.crm.delete(`${provider.path}/staff/${encodeURIComponent(reference)}`)
    expectRefusal(await asSession(session, 'GET', `/mails/${mail}`), 401, 'login-required')
  })

  it('ends after two weeks', async () => {
    const session = await operator()
    shiftClock(13 * 24)
    expect((await asSession(session, 'GET', '/mails')).status).toBe(200)
    shiftClock(15 * 24)
    expectRefusal(await asSession(session, 'GET', '/mails'), 401, 'login-required')
  })

  it.each(['https://evil.org', 'null', 'nonsense', 'http://holdfast.test.evil.org'])(
    'changes nothing for a page of %s',
    async origin => {
      const { uuid } = await makeProvider(holdfast.crm)
      const session = await operator()
      const answer = await asSession(session, 'PATCH', `/providers/${uuid}`, { name: 'Mine' }, { origin })
      expectRefusal(answer, 401, 'login-required')
      expect((await asSession(session, 'GET', '/mails', undefined, { origin })).status).toBe(200)
    },
  )

  it('changes things for our own pages, and for programs, which name no origin', async () => {
    const { uuid } = await makeProvider(holdfast.crm)
    const session = await operator()
    for (const headers of [{ origin: 'http://holdfast.test' }, {}]) {
      const { status } = await asSession(session, 'PATCH', `/providers/${uuid}`, { name: 'New' }, headers)
      expect(status).toBe(200)
    }
  })
})

/** A mail that belongs to the Provider: that of its owner. */
async function firstMailOf({ reference, ownerEmail }: { reference: string; ownerEmail: string }) {
  const { uuid } = (await mailsTo(holdfast, ownerEmail))[0]!
  await holdfast.query(
    'update mail set provider_id = (select id from provider where reference = $2) where uuid = $1',
    [uuid, reference],
  )
  return uuid
}
