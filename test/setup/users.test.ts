import { describe, expect, it } from 'vitest'
import { makeConsumer, makeUser, unique } from '../support/build.ts'
import { awkwardReferences, keepsHostileText, unstorable, wrongReferences } from '../support/hostile.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()

const person = (fields: object = {}) => {
  const reference = unique('user')
  return {
    reference,
    email: `${reference}.example.org`,
    username: reference.replace('@', '.'),
    lastName: 'Berg',
    ...fields,
  }
}

const create = (body: object) => holdfast.crm.post('/user', body)
const get = (reference: string) => holdfast.crm.get(`/user/${encodeURIComponent(reference)}`)

async function row(reference: string) {
  const rows = await holdfast.query('select * from app_user where reference = $1', [reference])
  expect(rows).toHaveLength(1)
  return rows[0]
}

describe('Create User', () => {
  it('returns 201 for a new User, with null for unset fields', async () => {
    const body = person()
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      user: { ...body, firstName: null, phone: null, mobile: null },
    })
  })

  it('stores everything that is sent', async () => {
    const body = person({ firstName: 'Anna', phone: '+49 30 1', mobile: '+49 170 1' })
    expect((await create(body)).body.user).toEqual(body)
    expect((await get(body.reference)).body.user).toEqual(body)
  })

  it('ignores unknown fields', async () => {
    const body = person()
    const { status, body: answer } = await create({ ...body, id: 1, crm_id: 2, uuid: 'x', verified: true })
    expect(status).toBe(201)
    expect(answer.user).toEqual({ ...body, firstName: null, phone: null, mobile: null })
  })

  it('accepts the same reference in two CRMs for two Users', async () => {
    const body = person()
    expect((await create(body)).status).toBe(201)
    const other = await holdfast.otherCrm.post('/user', { ...person(), reference: body.reference })
    expect(other.status).toBe(201)
    expect(other.body.user.email).not.toBe(body.email)
  })

  it('treats references as case-sensitive', async () => {
    const body = person({ reference: unique('Case') })
    expect((await create(body)).status).toBe(201)
    expect((await create({ ...person(), reference: body.reference.toLowerCase() })).status).toBe(201)
  })

  describe('with a known reference', () => {
    it('returns 200 and updates names and numbers', async () => {
      const body = person({ firstName: 'Anna', phone: '1', mobile: '2' })
      await create(body)
      const change = { firstName: 'Ann', lastName: 'Hill', phone: '3', mobile: '4' }
      const { status, body: answer } = await create({ ...body, ...change })
      expect(status).toBe(200)
      expect(answer.user).toEqual({ ...body, ...change })
      expect((await get(body.reference)).body.user).toEqual({ ...body, ...change })
    })

    it('keeps fields that are not sent', async () => {
      const body = person({ firstName: 'Anna', phone: '1', mobile: '2' })
      await create(body)
      const { reference, email, username } = body
      const { body: answer } = await create({ reference, email, username, lastName: 'Hill' })
      expect(answer.user).toEqual({ ...body, lastName: 'Hill' })
    })

    it('clears null fields', async () => {
      const body = person({ firstName: 'Anna', phone: '1', mobile: '2' })
      await create(body)
      const cleared = { firstName: null, phone: null, mobile: null }
      expect((await create({ ...body, ...cleared })).body.user).toEqual({ ...body, ...cleared })
    })

    it('changes neither email nor username, even to those of other Users', async () => {
      const body = person()
      const other = person()
      await create(body)
      await create(other)
      const again = await create({ ...body, email: other.email, username: other.username })
      expect(again.status).toBe(200)
      expect(again.body.user).toMatchObject({ email: body.email, username: body.username })
    })
  })

  describe('with the email of another User', () => {
    it('creates a User with the first free variant of it', async () => {
      const { email } = (await create(person())).body.user
      const [local, domain] = email.split('@')
      for (const number of [1, 2, 3]) {
        const { status, body } = await create(person({ email }))
        expect(status).toBe(201)
        expect(body.user.email).toBe(`${local}+${number}@${domain}`)
      }
    })

    it('skips a variant used by a consumer of this CRM, who can be attached later', async () => {
      await create(person({ email: 'shared@example.org' }))
      await makeConsumer(holdfast, 'shared+1@example.org')
      await makeConsumer(holdfast, 'shared+2@example.org', 'other')
      const { body } = await create(person({ email: 'shared@example.org' }))
      expect(body.user.email).toBe('shared+2@example.org')
      expect((await create(person({ email: 'shared+1@example.org' }))).status).toBe(200)
    })

    it('fills a gap in the numbers', async () => {
      await create(person({ email: 'gap@example.org' }))
      await create(person({ email: 'gap+2@example.org' }))
      expect((await create(person({ email: 'gap@example.org' }))).body.user.email).toBe('gap+1@example.org')
      expect((await create(person({ email: 'gap@example.org' }))).body.user.email).toBe('gap+3@example.org')
    })

    it('appends the number to an existing tag', async () => {
      await create(person({ email: 'ann+shop@example.org' }))
      const { body } = await create(person({ email: 'ann+shop@example.org' }))
      expect(body.user.email).toBe('ann+shop1@example.org')
    })

    it('ignores case', async () => {
      await create(person({ email: 'Mixed@Example.org' }))
      const { status, body } = await create(person({ email: 'mixed@example.ORG' }))
      expect(status).toBe(201)
      expect(body.user.email).toBe('mixed+1@example.ORG')
    })

    it('applies across CRMs, because emails are unique across the service', async () => {
      const { email } = (await create(person())).body.user
      const { status, body } = await holdfast.otherCrm.post('/user', person({ email }))
      expect(status).toBe(201)
      expect(body.user.email).toBe(email.replace('@', '+1@'))
    })

    it('returns 409 if no variant can be stored', async () => {
      const email = `${'x'.repeat(242)}@example.org`
      expect(email).toHaveLength(254)
      expect((await create(person({ email }))).status).toBe(201)
      const refused = await create(person({ email }))
      expectRefusal(refused, 409, 'email-exists', 'email')
      expect(messageOf(refused)).toBe('User with given email already exists.')
    })
  })

  describe('with the email of a consumer', () => {
    it('returns 200 and attaches the reference and the fields', async () => {
      const uuid = await makeConsumer(holdfast, 'once@example.org')
      const body = person({ email: 'once@example.org', phone: '1' })
      const { status, body: answer } = await create(body)
      expect(status).toBe(200)
      expect(answer.user).toEqual({ ...body, firstName: 'Con', mobile: null })
      expect(await row(body.reference)).toMatchObject({ uuid, last_name: 'Berg' })
    })

    it('invalidates the verification', async () => {
      const uuid = await makeConsumer(holdfast, 'verified@example.org')
      const nonceOf = async () => {
        const rows = await holdfast.query('select * from app_user where uuid = $1', [uuid])
        return rows[0]
      }
      const before = await nonceOf()
      expect(before.verified_at).not.toBeNull()
      await create(person({ email: 'verified@example.org' }))
      const after = await nonceOf()
      expect(after.verified_at).toBeNull()
      expect(after.verification_nonce).not.toBe(before.verification_nonce)
    })

    it('ignores case', async () => {
      const uuid = await makeConsumer(holdfast, 'loud@example.org')
      const body = person({ email: 'LOUD@example.org' })
      expect((await create(body)).status).toBe(200)
      expect(await row(body.reference)).toMatchObject({ uuid, email: 'LOUD@example.org' })
    })

    it('creates a variant for the next User with this email', async () => {
      await makeConsumer(holdfast, 'twice@example.org')
      expect((await create(person({ email: 'twice@example.org' }))).status).toBe(200)
      const { status, body } = await create(person({ email: 'twice@example.org' }))
      expect(status).toBe(201)
      expect(body.user.email).toBe('twice+1@example.org')
    })

    it('does not affect consumers of another CRM', async () => {
      await makeConsumer(holdfast, 'theirs@example.org', 'other')
      const body = person({ email: 'theirs@example.org' })
      expect((await create(body)).status).toBe(201)
      const rows = await holdfast.query(
        `select count(*)::int as count from app_user where email = 'theirs@example.org'`,
      )
      expect(rows[0].count).toBe(2)
    })

    it('refuses a username that is taken, and attaches nothing', async () => {
      const { username } = (await create(person())).body.user
      await makeConsumer(holdfast, 'stays@example.org')
      expectRefusal(
        await create(person({ email: 'stays@example.org', username })),
        409,
        'username-exists',
        'username',
      )
      const rows = await holdfast.query(
        `select reference, verified_at from app_user where email = 'stays@example.org'`,
      )
      expect(rows[0]).toEqual({ reference: null, verified_at: expect.anything() })
    })
  })

  describe('the username', () => {
    it('is unique in any case, across CRMs', async () => {
      const { username } = (await create(person())).body.user
      for (const crm of [holdfast.crm, holdfast.otherCrm]) {
        const refused = await crm.post('/user', person({ username: username.toUpperCase() }))
        expectRefusal(refused, 409, 'username-exists', 'username')
        expect(messageOf(refused)).toBe('User with given username already exists.')
      }
    })

    it.each(['/', '?', ':', '&', '#', '\\'])('must not contain %s', async character => {
      const body = person({ username: `an${character}na${unique('x')}` })
      expectRefusal(await create(body), 400, 'invalid-field', 'username')
    })

    it('may contain all other characters', async () => {
      const username = `A@n.n-a_+*' "Ünï 🙂${unique('x')}`
      expect((await create(person({ username }))).body.user.username).toBe(username)
    })
  })

  describe('refuses', () => {
    requires({ reference: 'text', email: 'text', username: 'text', lastName: 'text' }, person, create)

    it.each([
      'ann',
      '@example.org',
      'ann@',
      'a b@example.org',
      'a@b@c',
      'a@b\u0001c',
      '<ann@example.org>',
      'a@b,c@d',
      'a@b..de',
      'a..b@c.de',
      '.a@b.de',
      'a.@b.de',
      'a@.de',
      'a@b.',
      'a@-b.de',
      'a@b_c.de',
      `${'x'.repeat(250)}@x.org`,
    ])('the email %j', async email => {
      expectRefusal(await create(person({ email })), 400, 'invalid-field', 'email')
    })

    it.each(wrongReferences)('a reference with %s', async (_, reference) => {
      expectRefusal(await create(person({ reference })), 400, 'invalid-field', 'reference')
    })

    it.each(unstorable)('email and username with %s', async (_, text) => {
      expectRefusal(await create(person({ email: `${text}@example.org` })), 400, 'invalid-field', 'email')
      expectRefusal(await create(person({ username: text })), 400, 'invalid-field', 'username')
    })

    it('and stores nothing', async () => {
      const count = async () => (await holdfast.query('select count(*)::int as users from app_user'))[0].users
      const before = await count()
      await create(person({ lastName: null }))
      await create(person({ username: 'a/b' }))
      expect(await count()).toBe(before)
    })
  })

  describe('optional fields', () => {
    allows({ firstName: 'text', phone: 'text', mobile: 'text' }, person, create)
  })

  describe('hostile text', () => {
    keepsHostileText(
      ['firstName', 'lastName'],
      fields => create(person(fields)),
      async ({ body }) => (await get(body.user.reference)).body.user,
    )
  })
})

describe('Get User', () => {
  it('returns the User with 200', async () => {
    const user = await makeUser(holdfast.crm)
    const { status, body } = await get(user.reference)
    expect(status).toBe(200)
    expect(body).toEqual({ 'api-info': { version: '1' }, user })
  })

  it('returns 404 for an unknown reference', async () => {
    expectRefusal(await get('nobody@plat'), 404, 'not-found')
  })

  it('does not return the User of another CRM', async () => {
    const { reference } = await makeUser(holdfast.otherCrm)
    expectRefusal(await get(reference), 404, 'not-found')
  })

  it.each(awkwardReferences)('finds a reference with %s', async (_, reference) => {
    const body = person({ reference })
    expect((await create(body)).status).toBe(201)
    const { status, body: answer } = await get(reference)
    expect(status).toBe(200)
    expect(answer.user.reference).toBe(reference)
  })

  it.each(['%00', 'a%00b%40plat'])('refuses the reference %s', async encoded => {
    expectRefusal(await holdfast.crm.get(`/user/${encoded}`), 400, 'invalid-field', 'reference')
  })
})

it('Users are served under the older prefix', async () => {
  const headers = { 'x-service-client-id': holdfast.crm.key }
  const body = person()
  const made = await call(holdfast.app, 'POST', '/rest/1/crms/crm/user', body, { headers })
  expect(made.status).toBe(201)
  const path = `/rest/1/crms/crm/user/${encodeURIComponent(body.reference)}`
  const { status, body: answer } = await call(holdfast.app, 'GET', path, undefined, { headers })
  expect(status).toBe(200)
  expect(answer).toEqual(made.body)
})
