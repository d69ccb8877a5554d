import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeProvider, makeUser, type TestProvider, unique } from '../support/build.ts'
import { awkwardReferences, keepsHostileText, wrongReferences } from '../support/hostile.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()
const owner = await makeUser(holdfast.crm)
const accountReference = await makeAccount(holdfast.crm, owner.reference)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const provider = (fields: object = {}) => ({
  reference: unique('provider'),
  ownerReference: owner.reference,
  accountReference,
  name: 'Practice',
  ...fields,
})

const create = (body: object) => holdfast.crm.post('/provider', body)
const get = (reference: string) => holdfast.crm.get(`/provider/${encodeURIComponent(reference)}`)

async function row(reference: string) {
  const rows = await holdfast.query('select * from provider where reference = $1', [reference])
  return rows[0]
}

describe('Create Provider', () => {
  it('returns 201 for a new Provider, with null for unset fields', async () => {
    const body = provider()
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      provider: {
        uuid: expect.stringMatching(uuid),
        reference: body.reference,
        name: 'Practice',
        slug: null,
        email: null,
        mobile: null,
        phone: null,
        website: null,
        impressum: null,
        timeZone: 'Europe/Berlin',
        language: 'en',
        branch: null,
        subbranch: null,
      },
    })
  })

  it('stores everything that is sent', async () => {
    const details = {
      email: 'hello@example.org',
      mobile: '+49 170 1',
      phone: '+49 30 1',
      website: 'https://practice.example.org',
      impressum: 'Practice GmbH\nBerlin',
      branch: 'facilities',
      subbranch: 'gardens',
      timeZone: 'Asia/Tokyo',
      language: 'fr',
    }
    const { body } = await create(provider(details))
    expect(body.provider).toMatchObject(details)
    expect((await get(body.provider.reference)).body).toEqual(body)
  })

  it('makes the owner the first Staff member', async () => {
    const { reference } = (await create(provider())).body.provider
    const { body: staff } = await holdfast.crm.get(`/provider/${encodeURIComponent(reference)}/staff`)
    expect(staff).toEqual([owner])
  })

  it('defaults time zone and language to the settings and the CRM', async () => {
    const { reference } = (await create(provider())).body.provider
    expect(await row(reference)).toMatchObject({ time_zone: 'Europe/Berlin', language: 'en' })
  })

  it('returns 200 for a known reference and overwrites nothing', async () => {
    const body = provider({ email: 'old@example.org' })
    const { body: first } = await create(body)
    const other = await makeUser(holdfast.crm)
    const change = { ownerReference: other.reference, name: 'Other', email: null, branch: 'misc' }
    const { status, body: again } = await create({ ...body, ...change })
    expect(status).toBe(200)
    expect(again).toEqual(first)
    expect((await get(body.reference)).body).toEqual(first)
    const { body: staff } = await holdfast.crm.get(`/provider/${encodeURIComponent(body.reference)}/staff`)
    expect(staff).toEqual([owner])
  })

  it('checks no other field of a known reference', async () => {
    const body = provider()
    const { body: first } = await create(body)
    const unknown = [
      { ownerReference: 'nobody@plat' },
      { accountReference: 'none@plat' },
      { branch: 'bakery' },
    ]
    for (const change of unknown) {
      const { status, body: again } = await create({ ...body, ...change })
      expect([status, again]).toEqual([200, first])
    }
  })

  it('accepts the same reference in two CRMs for two Providers', async () => {
    const theirs = await makeProvider(holdfast.otherCrm)
    const { status, body } = await create(provider({ reference: theirs.reference }))
    expect(status).toBe(201)
    expect(body.provider.uuid).not.toBe(theirs.uuid)
  })

  it('refuses an unknown time zone or language', async () => {
    expectRefusal(await create(provider({ timeZone: 'Mars/Base' })), 400, 'invalid-field', 'timeZone')
    expectRefusal(await create(provider({ language: 'xx' })), 400, 'invalid-field', 'language')
  })

  it('ignores unknown fields', async () => {
    const body = provider({ uuid: 'mine', zone: 'Mars', owner_id: 1 })
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer.provider.uuid).toMatch(uuid)
  })

  describe('refuses', () => {
    requires(
      { reference: 'text', ownerReference: 'text', accountReference: 'text', name: 'text' },
      provider,
      create,
    )

    it('an unknown owner, and one of another CRM', async () => {
      const stranger = await makeUser(holdfast.otherCrm)
      for (const ownerReference of ['nobody@plat', stranger.reference])
        expectRefusal(await create(provider({ ownerReference })), 404, 'not-found', 'ownerReference')
    })

    it('an unknown Account, and one of another CRM', async () => {
      const stranger = await makeUser(holdfast.otherCrm)
      const theirs = await makeAccount(holdfast.otherCrm, stranger.reference)
      for (const accountReference of ['nothing@plat', theirs])
        expectRefusal(await create(provider({ accountReference })), 404, 'not-found', 'accountReference')
    })

    it('an unknown branch, with the message of Create Account', async () => {
      const refused = await create(provider({ branch: 'bakery' }))
      expectRefusal(refused, 404, 'unknown-branch', 'branch')
      expect(messageOf(refused)).toMatch(/^Unable to find specified branch\. Was bakery/)
    })

    it.each(['  '])('the branch %j', async branch => {
      expectRefusal(await create(provider({ branch })), 400, 'invalid-field', 'branch')
    })

    it.each(wrongReferences)('a reference with %s', async (_, reference) => {
      expectRefusal(await create(provider({ reference })), 400, 'invalid-field', 'reference')
    })

    it.each(['no-at-sign', 'a@b@c', 'a@b..de'])('the email %j', async email => {
      expectRefusal(await create(provider({ email })), 400, 'invalid-field', 'email')
    })
  })

  describe('optional fields', () => {
    allows(
      { email: 'text', mobile: 'text', phone: 'text', impressum: 'text', branch: 'text', subbranch: 'text' },
      provider,
      create,
    )
  })

  describe('hostile text', () => {
    keepsHostileText(
      ['name', 'impressum', 'subbranch'],
      fields => create(provider(fields)),
      async ({ body }) => (await get(body.provider.reference)).body.provider,
    )

    it('stores an impressum of 10,000 characters', async () => {
      const impressum = 'ä'.repeat(10_000)
      expect((await create(provider({ impressum }))).body.provider.impressum).toBe(impressum)
    })
  })
})

describe('Update Provider', () => {
  it('moves updatedAt when the slug changes, and only then', async () => {
    const { path } = await makeProvider(holdfast.crm)
    // Support code leaves updatedAt out of bodies.
    const put = async (slug: string | null): Promise<string> =>
      JSON.parse((await holdfast.crm.put(path, { slug })).text).provider.updatedAt
    const first = await put('moved-on-1')
    expect(await put('moved-on-1')).toBe(first)
    const second = await put('moved-on-2')
    expect(second > first).toBe(true)
    expect((await put(null)) > second).toBe(true)
  })

  it('keeps the latest 20 former slugs', async () => {
    const { path, uuid } = await makeProvider(holdfast.crm)
    for (let number = 1; number <= 23; number++)
      await holdfast.crm.put(path, { slug: `many-names-${number}` })
    const other = await makeProvider(holdfast.crm)
    const claim = async (number: number) =>
      (await holdfast.crm.put(other.path, { slug: `many-names-${number}` })).status
    expect([await claim(3), await claim(22), await claim(2)]).toEqual([409, 409, 200])
    const rows = await holdfast.query('select former_slugs from provider where uuid = $1', [uuid])
    expect(rows[0].former_slugs).toEqual(Array.from({ length: 20 }, (_, index) => `many-names-${index + 3}`))
  })
})

describe('Get Provider', () => {
  it('returns 404 for an unknown reference', async () => {
    expectRefusal(await get('nothing@plat'), 404, 'not-found')
  })

  it('does not return the Provider of another CRM', async () => {
    expectRefusal(await get((await makeProvider(holdfast.otherCrm)).reference), 404, 'not-found')
  })

  it.each(awkwardReferences)('finds a reference with %s, and resources below it', async (_, reference) => {
    expect((await create(provider({ reference }))).status).toBe(201)
    const { status, body } = await get(reference)
    expect(status).toBe(200)
    expect(body.provider.reference).toBe(reference)
    expect((await holdfast.crm.get(`/provider/${encodeURIComponent(reference)}/staff`)).body).toEqual([owner])
  })
})

describe('Staff', () => {
  let practice: TestProvider
  beforeAll(async () => {
    practice = await makeProvider(holdfast.crm)
  })
  const add = (body: object) => holdfast.crm.post(`${practice.path}/staff`, body)
  const remove = (reference: string) =>
    holdfast.crm.delete(`${practice.path}/staff/${encodeURIComponent(reference)}`)
  const list = async () => (await holdfast.crm.get(`${practice.path}/staff`)).body

  it('are listed as a bare array of Users, the owner first, then in order of joining', async () => {
    const first = await makeUser(holdfast.crm, { phone: '1' })
    const second = await makeUser(holdfast.crm)
    for (const { reference } of [second, first]) await add({ userReference: reference })
    const { status, body } = await holdfast.crm.get(`${practice.path}/staff`)
    expect(status).toBe(200)
    expect(body.map((user: { reference: string }) => user.reference)).toEqual([
      practice.owner,
      second.reference,
      first.reference,
    ])
    expect(body[2]).toEqual(first)
  })

  it('are added with 201, or 200 if already there', async () => {
    const user = await makeUser(holdfast.crm)
    for (const expected of [201, 200]) {
      const { status, body } = await add({ userReference: user.reference })
      expect([status, body]).toEqual([expected, user])
    }
    expect(
      (await list()).filter((one: { reference: string }) => one.reference === user.reference),
    ).toHaveLength(1)
  })

  it('are removed with 204, once', async () => {
    const { reference } = await makeUser(holdfast.crm)
    await add({ userReference: reference })
    const { status, text } = await remove(reference)
    expect([status, text]).toEqual([204, ''])
    expect((await list()).map((one: { reference: string }) => one.reference)).not.toContain(reference)
    expectRefusal(await remove(reference), 404, 'not-found')
  })

  it('are removed by a reference that needs encoding', async () => {
    const reference = 'a/b ?#%ü🙂@plat'
    await makeUser(holdfast.crm, { reference })
    expect((await add({ userReference: reference })).status).toBe(201)
    expect((await remove(reference)).status).toBe(204)
  })

  it('always include the owner', async () => {
    expectRefusal(await remove(practice.owner), 409, 'owner', 'userRef')
    expect((await list())[0].reference).toBe(practice.owner)
  })

  it('must be Users of the same CRM', async () => {
    const stranger = await makeUser(holdfast.otherCrm)
    for (const userReference of ['nobody@plat', stranger.reference])
      expectRefusal(await add({ userReference }), 404, 'not-found', 'userReference')
    expectRefusal(await remove(stranger.reference), 404, 'not-found')
  })

  describe('refuse', () => {
    requires({ userReference: 'text' }, () => ({ userReference: owner.reference }), add)
  })

  it('return 404 for an unknown Provider, or one of another CRM', async () => {
    const theirs = await makeProvider(holdfast.otherCrm)
    for (const path of ['/provider/nothing', theirs.path]) {
      expectRefusal(await holdfast.crm.get(`${path}/staff`), 404, 'not-found')
      expectRefusal(
        await holdfast.crm.post(`${path}/staff`, { userReference: owner.reference }),
        404,
        'not-found',
      )
      expectRefusal(
        await holdfast.crm.delete(`${path}/staff/${encodeURIComponent(owner.reference)}`),
        404,
        'not-found',
      )
    }
  })
})

it('Providers and Staff are served under the older prefix', async () => {
  const headers = { 'x-service-client-id': holdfast.crm.key }
  const body = provider()
  const made = await call(holdfast.app, 'POST', '/rest/1/crms/crm/provider', body, { headers })
  expect(made.status).toBe(201)
  const path = `/rest/1/crms/crm/provider/${encodeURIComponent(body.reference)}`
  expect((await call(holdfast.app, 'GET', path, undefined, { headers })).body).toEqual(made.body)
  expect((await call(holdfast.app, 'GET', `${path}/staff`, undefined, { headers })).body).toEqual([owner])
})
