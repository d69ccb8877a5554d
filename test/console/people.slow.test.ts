// Who works where: people of a Provider, logins of a CRM, keys, the log, and what operators see.

import { describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteOperator, inviteStaff } from '../../src/actions/console/login.ts'
import { inviteLogin } from '../../src/actions/console/logins.ts'
import { serviceActor } from '../../src/rules/messages/events.ts'
import { makePractice, makeUser, type Practice } from '../support/build.ts'
import { asInvited, cookieOf, sessionOf } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, eventually, startTestService, useService } from '../support/service.ts'
import { transactionsOf, whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()

type Ask = (method: string, path: string, body?: object) => ReturnType<typeof call>

const as = (link: string): Promise<Ask> => asInvited(holdfast, link)

const asOperator = async () => as(await inviteOperator(holdfast.service, 'op@example.org'))
const asAdministrator = async () =>
  as(await inviteAdministrator(holdfast.service, 'crm', 'admin@example.org'))
const asOwner = async ({ owner }: Practice) => as(await inviteStaff(holdfast.service, 'crm', owner))

const linkIn = async (email: string) =>
  /console\/login\/([\w-]+)/.exec((await mailsTo(holdfast, email)).at(-1)!.text)![1]!

describe('people', () => {
  it('are invited by email, have access immediately, and lose it when removed', async () => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    const path = `/providers/${practice.uuid}/people`
    const body = { email: 'new@example.org', firstName: 'Nora', lastName: 'New', language: 'en' }
    const { status, body: list } = await owner('POST', path, body)
    expect(status).toBe(201)
    expect(list.people).toMatchObject([
      { role: 'owner', hasLogin: true },
      { name: 'Nora New', role: 'staff', hasLogin: true, lastLoginAt: null },
    ])
    const mail = (await mailsTo(holdfast, 'new@example.org')).at(-1)!
    expect(mail.kind).toBe('invitation')
    const nora = await as(`/${await linkIn('new@example.org')}`)
    expect((await nora('GET', '/session')).body.providers).toMatchObject([
      { uuid: practice.uuid, role: 'staff' },
    ])
    expect((await nora('GET', path)).status).toBe(403)
    expect((await owner('DELETE', `${path}/${list.people[1].uuid}`)).status).toBe(204)
    expect((await nora('GET', '/session')).status).toBe(401)
    await call(holdfast.app, 'POST', '/console/api/session/link', { email: 'new@example.org' })
    expect((await mailsTo(holdfast, 'new@example.org')).filter(one => one.kind === 'login')).toEqual([])
  })

  it('who work elsewhere keep their login', async () => {
    const [mine, other] = [await makePractice(holdfast.crm), await makePractice(holdfast.crm)]
    const { reference, email } = await makeUser(holdfast.crm)
    const owner = await asOwner(mine)
    await holdfast.crm.post(`${other.path}/staff`, { userReference: reference })
    await owner('POST', `/providers/${mine.uuid}/people`, { email, lastName: 'Known' })
    const person = await as(`/${await linkIn(email)}`)
    expect((await person('GET', '/session')).body.providers).toHaveLength(2)
    await holdfast.crm.delete(`${mine.path}/staff/${encodeURIComponent(reference)}`)
    expect((await person('GET', '/session')).body.providers).toHaveLength(1)
  })

  it('are found by their address: no person is added twice', async () => {
    const practice = await makePractice(holdfast.crm)
    const { email, reference } = await makeUser(holdfast.crm)
    const owner = await asOwner(practice)
    const body = { email: email.toUpperCase(), lastName: 'Other' }
    const { people } = (await owner('POST', `/providers/${practice.uuid}/people`, body)).body
    expect(people[1].reference).toBe(reference)
  })

  it('with another role in the same CRM are refused, and nothing is left behind', async () => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    await asAdministrator()
    const body = { email: 'admin@example.org', lastName: 'X' }
    const refused = await owner('POST', `/providers/${practice.uuid}/people`, body)
    expectRefusal(refused, 409, 'email-exists', 'email')
    expect(refused.text).not.toMatch(/administrator|login/)
    expect((await owner('GET', `/providers/${practice.uuid}/people`)).body.people).toHaveLength(1)
  })

  it('can become the owner; the previous owner stays on the staff', async () => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    const path = `/providers/${practice.uuid}/people`
    const { people } = (await owner('POST', path, { email: 'heir@example.org', lastName: 'Heir' })).body
    expectRefusal(await owner('DELETE', `${path}/${people[0].uuid}`), 409, 'owner', 'userRef')
    expect((await owner('POST', `${path}/${people[1].uuid}/owner`)).status).toBe(200)
    expect((await owner('GET', path)).status).toBe(403)
    const heir = await as(`/${await linkIn('heir@example.org')}`)
    expect((await heir('GET', path)).body.people.map((one: { role: string }) => one.role)).toEqual([
      'owner',
      'staff',
    ])
  })

  it('are not removed while they are handed the Provider', async () => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    const path = `/providers/${practice.uuid}/people`
    const { people } = (await owner('POST', path, { email: 'next@example.org', lastName: 'Next' })).body
    const { uuid } = people[1]
    const removed = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          const next = '(select id from app_user where uuid = $1)'
          await rival.query(`update provider set owner_id = ${next} where uuid = $2`, [uuid, practice.uuid])
          await rival.query(`select from staff where user_id = ${next} for key share`, [uuid])
        },
      },
      () => owner('DELETE', `${path}/${uuid}`),
    )
    expectRefusal(removed, 409, 'owner', 'userRef')
  })
})

describe('logins', () => {
  it('of operators and administrators come from their own kind, and go with all sessions', async () => {
    const [operator, administrator] = [await asOperator(), await asAdministrator()]
    const email = 'second@example.org'
    expectRefusal(
      await administrator('POST', '/logins', { email, role: 'operator' }),
      400,
      'invalid-field',
      'role',
    )
    const made = await administrator('POST', '/logins', { email, role: 'administrator', crm: 'crm' })
    expect(made.status).toBe(201)
    const second = await as(`/${await linkIn(email)}`)
    const { logins } = (await operator('GET', '/logins')).body
    const { uuid } = logins.find((one: { email: string }) => one.email === email)
    expect((await operator('POST', `/logins/${uuid}/logout`)).body).toEqual({ ended: 1 })
    expect((await second('GET', '/session')).status).toBe(401)
    expect((await administrator('DELETE', `/logins/${uuid}`)).status).toBe(204)
  })

  it('are invited in one transaction: either a login with its email, or nothing', async () => {
    const login = { email: 'whole@example.org', name: 'Whole', role: 'operator' } as const
    expect(await transactionsOf(holdfast, () => inviteLogin(holdfast.service, serviceActor, login))).toBe(1)
    expect(await as(`/${await linkIn('whole@example.org')}`)).toBeTruthy()
  })

  it('never lose the last operator, however many remove one at once', async () => {
    const own = await startTestService()
    const emails = ['a@example.org', 'b@example.org', 'c@example.org']
    const links = []
    for (const email of emails) links.push(await inviteOperator(own.service, email))
    const headers = cookieOf(await sessionOf(own, links[0]!))
    const { body } = await call(own.app, 'GET', '/console/api/logins', undefined, { headers })
    const gone = await Promise.all(
      body.logins.map(({ uuid }: { uuid: string }) =>
        call(own.app, 'DELETE', `/console/api/logins/${uuid}`, undefined, { headers }),
      ),
    )
    expect(gone.filter(one => one.status === 204).length).toBeLessThan(3)
    const rows = await own.query(`select count(*)::int as count from console_user where role = 'operator'`)
    expect(rows[0].count).toBeGreaterThan(0)
    await own.close()
  })
})

describe('API keys', () => {
  it('are shown once, changed over side by side, and revoked', async () => {
    const administrator = await asAdministrator()
    const path = '/crms/crm/keys'
    const made = await administrator('POST', path, { label: 'Website', scopes: ['read'] })
    expect(made.body).toMatchObject({ key: { label: 'Website', scopes: ['read'], state: 'valid' } })
    const works = async (key: string) =>
      (
        await call(holdfast.app, 'GET', '/crms/crm/events', undefined, {
          headers: { 'x-service-client-id': key },
        })
      ).status
    expect(await works(made.body.secret)).toBe(200)
    const newer = await administrator('POST', `${path}/${made.body.key.uuid}/rotate`, { hours: 1 })
    expect([await works(made.body.secret), await works(newer.body.secret)]).toEqual([200, 200])
    const list = await administrator('GET', path)
    expect(list.text).not.toContain(made.body.secret)
    const old = list.body.keys.find((one: { uuid: string }) => one.uuid === made.body.key.uuid)
    expect(Date.parse(old.expiresAt)).toBeLessThan(Date.now() + 3_700_000)
    expect((await administrator('DELETE', `${path}/${newer.body.key.uuid}`)).status).toBe(204)
    expectRefusal(await administrator('DELETE', `${path}/${newer.body.key.uuid}`), 404, 'not-found')
  })
})

describe('the log', () => {
  it('says who did what, newest first and page by page', async () => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    await owner('POST', `/providers/${practice.uuid}/people`, { email: 'log@example.org', lastName: 'Log' })
    await owner('PATCH', `/providers/${practice.uuid}`, { name: 'Renamed' })
    const path = `/providers/${practice.uuid}/audit`
    const { entries, next } = (await owner('GET', `${path}?limit=2`)).body
    expect(entries.map((one: { kind: string }) => one.kind)).toEqual(['provider.changed', 'staff.added'])
    const { me } = (await owner('GET', '/session')).body
    expect(entries[0]).toMatchObject({ by: me.name, actor: { kind: 'console' } })
    const before = (await owner('GET', `${path}?before=${next}`)).body.entries
    expect(before.length).toBeGreaterThan(0)
    expect(before.map((one: { id: string }) => one.id)).not.toContain(entries[0].id)
    const some = (await owner('GET', `${path}?about=staff&actor=console`)).body.entries
    expect(some.map((one: { kind: string }) => one.kind)).toEqual(['staff.added'])
    expectRefusal(await owner('GET', `${path}?before=nonsense`), 400, 'invalid-field', 'before')
  })

  it('of a CRM lists every invitation to one of its logins, also for a person who already has one', async () => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    const { people } = (await owner('GET', `/providers/${practice.uuid}/people`)).body
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    await inviteStaff(holdfast.service, 'crm', practice.owner)
    await inviteAdministrator(holdfast.service, 'crm', 'told@example.org')
    await inviteOperator(holdfast.service, 'untold@example.org')
    await owner('POST', `/providers/${practice.uuid}/people/${people[0].uuid}/invite`)
    const recorded = await eventually(async () => {
      const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
      return events.at(-1)?.actor.kind === 'console' && events.slice(-3)
    })
    const logins = { kind: 'settings.changed', data: { channelKey: 'logins' } }
    const commandLine = { ...logins, actor: { kind: 'service', name: 'command line' } }
    expect(recorded).toMatchObject([commandLine, commandLine, { ...logins, actor: { kind: 'console' } }])
  })

  it('of a CRM has what concerns no Provider', async () => {
    const administrator = await asAdministrator()
    const { key } = (await administrator('POST', '/crms/crm/keys', {})).body
    const { entries } = (await administrator('GET', '/crms/crm/audit?limit=1')).body
    expect(entries).toMatchObject([{ kind: 'key.created', data: { key: { uuid: key.uuid } } }])
  })
})

describe('operators', () => {
  it('see how the service is doing', async () => {
    const operator = await asOperator()
    const { status, body } = await operator('GET', '/operator')
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: expect.any(String), mails: { hasServer: false } })
    expect(body.database.bytes).toBeGreaterThan(1000)
  })

  it('run a job again that was given up', async () => {
    const operator = await asOperator()
    const rows = await holdfast.query(
      `select id from graphile_worker.add_job('deliver-mail', '{"mailIds":[]}', max_attempts => 1)`,
    )
    const id = String(rows[0].id)
    await holdfast.query(
      `update graphile_worker._private_jobs set attempts = 1, last_error = 'No route' where id = $1`,
      [id],
    )
    const listed = async () =>
      (await operator('GET', '/jobs')).body.jobs.find((one: { id: string }) => one.id === id)
    expect(await listed()).toMatchObject({ isGivenUp: true, error: 'No route', nextRunAt: null })
    expect((await operator('POST', `/jobs/${id}/run`)).status).toBe(204)
    expect((await listed())?.isGivenUp ?? false).toBe(false)
    expectRefusal(await operator('POST', '/jobs/999999999/run'), 404, 'not-found')
  })
})
