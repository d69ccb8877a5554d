import { describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteOperator, logInByLink } from '../../src/actions/console/login.ts'
import { makeProvider, makeUser } from '../support/build.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const tokenOf = (link: string) => link.split('/').at(-1)!
const post = (path: string, body: object) => consoleCall(holdfast.app, 'POST', path, body)
const administrator = (email: string, crm: string) => post('/logins', { email, role: 'administrator', crm })
const logIn = (link: string) => logInByLink(holdfast.service, tokenOf(link))

async function latestToken(email: string) {
  const invitations = (await mailsTo(holdfast, email)).filter(mail => mail.kind === 'invitation')
  return /console\/login\/([\w-]+)/.exec(invitations.at(-1)!.text)![1]!
}

const open = (token: string) =>
  holdfast.app.inject({
    method: 'POST',
    url: `/console/login/${token}`,
    headers: { host: 'localhost', 'accept-language': 'en' },
  })

describe('limits', () => {
  it('an address gets at most ten invitations a day from a CRM, and others from another CRM', async () => {
    const email = 'outside@example.org'
    const provider = await makeProvider(holdfast.crm)
    for (let times = 0; times < 10; times++)
      expect((await administrator(times % 2 ? email : 'Outside+x@example.org', 'crm')).status).toBe(201)
    expectRefusal(await administrator(email, 'crm'), 429, 'too-many-requests')
    const person = { email: 'outside+y@example.org', lastName: 'Out' }
    expectRefusal(await post(`/providers/${provider.uuid}/people`, person), 429, 'too-many-requests')
    expect((await administrator(email, 'other')).status).toBe(201)
  })

  it('a CRM sends at most 100 invitations a day, and housekeeping does not reset the count', async () => {
    await post('/crms', { name: 'busy' })
    for (let times = 0; times < 100; times++)
      expect((await administrator(`many${times}@example.org`, 'busy')).status).toBe(201)
    await holdfast.query(`delete from rate_window where window_start < app_now() - interval '2 hours'`)
    expectRefusal(await administrator('last@example.org', 'busy'), 429, 'too-many-requests')
    expect((await administrator('last@example.org', 'other')).status).toBe(201)
  })
})

describe('an address that has a login elsewhere', () => {
  it('is not blocked by an invitation that was never used, which stays valid until one is accepted', async () => {
    const email = 'squatted@example.org'
    expect((await administrator(email, 'other')).status).toBe(201)
    const first = await latestToken(email)
    const provider = await makeProvider(holdfast.crm)
    const { status, body } = await post(`/providers/${provider.uuid}/people`, { email, lastName: 'S' })
    expect(status).toBe(201)
    expect(body.people[1]).toMatchObject({ email, hasLogin: true, lastLoginAt: null })
    const second = await latestToken(email)
    expect((await holdfast.app.inject(`/console/login/${second}`)).statusCode).toBe(200)
    expect(await logIn(second)).not.toBeNull()
    expect(await logIn(second)).toBeNull()
    const { people } = (await consoleCall(holdfast.app, 'GET', `/providers/${provider.uuid}/people`)).body
    expect(people[1]).toMatchObject({ email, hasLogin: true, lastLoginAt: expect.any(String) })
    const { logins } = (await consoleCall(holdfast.app, 'GET', '/logins')).body
    const mine = logins.filter((one: { email: string }) => one.email === email)
    expect(mine.map((one: { crm: string }) => one.crm).toSorted()).toEqual(['crm', 'other'])
    // The person has chosen: only they see that the older invitation is void.
    const refused = await open(first)
    expect([refused.statusCode, refused.body.includes('different address')]).toEqual([409, true])
  })

  it('gets the same answers as a new address, from an owner and an administrator', async () => {
    await logIn(await inviteOperator(holdfast.service, 'boss@example.org'))
    await logIn(await inviteAdministrator(holdfast.service, 'other', 'admin@other.example'))
    const { email: foreign } = await makeUser(holdfast.otherCrm)
    const provider = await makeProvider(holdfast.crm)
    const shape = (text: string, email: string) =>
      text
        .replaceAll(email, 'EMAIL')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|login\/[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'ONE')
    const answers = async (email: string) => {
      const invited = await post(`/providers/${provider.uuid}/people`, { email, lastName: 'X' })
      const { uuid } = invited.body.people.at(-1)
      const again = await post(`/providers/${provider.uuid}/people/${uuid}/invite`, {})
      await consoleCall(holdfast.app, 'DELETE', `/providers/${provider.uuid}/people/${uuid}`)
      const administers = await administrator(email, 'crm')
      const login = administers.body.logins.find(
        (one: { email: string; crm: string }) => one.email === email && one.crm === 'crm',
      )
      const removed = await consoleCall(holdfast.app, 'DELETE', `/logins/${login.uuid}`)
      const said = shape(invited.text + again.text + JSON.stringify(login), email)
      return { said, statuses: [invited.status, again.status, administers.status, removed.status] }
    }
    const fresh = await answers('fresh@example.org')
    expect(fresh.statuses).toEqual([201, 200, 201, 204])
    for (const email of ['boss@example.org', 'admin@other.example', foreign])
      expect(await answers(email)).toEqual(fresh)
  })

  it('keeps the login that its owner uses', async () => {
    const email = 'busy@other.example'
    await logIn(await inviteAdministrator(holdfast.service, 'other', email))
    await administrator(email, 'crm')
    expect((await open(await latestToken(email))).statusCode).toBe(409)
    const rows = await holdfast.query(
      `select crm.name from console_user join crm on crm.id = crm_id where email = $1`,
      [email],
    )
    expect(rows).toEqual([{ name: 'other' }])
  })

  it('is invited again under the address that was typed, by another Provider of the CRM too', async () => {
    const { email } = await makeUser(holdfast.otherCrm)
    const [one, two] = [await makeProvider(holdfast.crm), await makeProvider(holdfast.crm)]
    const first = await post(`/providers/${one.uuid}/people`, { email, lastName: 'Both' })
    const second = await post(`/providers/${two.uuid}/people`, { email, lastName: 'Both' })
    expect(second.body.people[1].uuid).toBe(first.body.people[1].uuid)
    expect((await mailsTo(holdfast, email)).filter(mail => mail.kind === 'invitation')).toHaveLength(2)
  })
})

it('leaving ends an invitation that waits beside a login elsewhere', async () => {
  const email = 'leaver@other.example'
  await inviteAdministrator(holdfast.service, 'other', email)
  const provider = await makeProvider(holdfast.crm)
  const { people } = (await post(`/providers/${provider.uuid}/people`, { email, lastName: 'L' })).body
  const token = await latestToken(email)
  await consoleCall(holdfast.app, 'DELETE', `/providers/${provider.uuid}/people/${people[1].uuid}`)
  expect((await holdfast.app.inject(`/console/login/${token}`)).statusCode).toBe(404)
  expect(await logInByLink(holdfast.service, token)).toBeNull()
})
