import { describe, expect, it } from 'vitest'
import { makeProfile, makeProvider, makeUser, unique } from '../support/build.ts'
import { awkwardReferences, keepsHostileText, wrongReferences } from '../support/hostile.ts'
import { expectRefusal } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { call, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
const provider = await makeProvider(holdfast.crm)
const user = (await makeUser(holdfast.crm)).reference

const email = { label: 'Mail', type: 'email', value: 'ann@example.org' }
const phone = { label: 'Office', type: 'phone', value: '+49 30 1' }
const mobile = { label: null, type: 'mobile', value: '+49 170 1' }

describe('the General Profile', () => {
  const pathOf = (reference: string) => `/user/${encodeURIComponent(reference)}/generalContactProfile`
  const get = (reference = user) => holdfast.crm.get(pathOf(reference))
  const put = (body: object, reference = user) => holdfast.crm.put(pathOf(reference), body)
  const profile = (fields: object = {}) => ({
    name: 'Dr. Ann Berg',
    contactChannels: [email, phone],
    ...fields,
  })

  it("defaults to the User's name, email, phone and mobile", async () => {
    const { reference, email } = await makeUser(holdfast.crm, { firstName: 'Ann', phone: '1', mobile: '2' })
    const { status, body } = await get(reference)
    expect(status).toBe(200)
    expect(body).toEqual({
      name: 'Ann Berg',
      contactChannels: [
        { label: null, type: 'email', value: email },
        { label: null, type: 'phone', value: '1' },
        { label: null, type: 'mobile', value: '2' },
      ],
    })
  })

  it('leaves out numbers and a first name that the User does not have', async () => {
    const { reference, email } = await makeUser(holdfast.crm)
    expect((await get(reference)).body).toEqual({
      name: 'Berg',
      contactChannels: [{ label: null, type: 'email', value: email }],
    })
  })

  it('is set with 200 and returned as sent', async () => {
    const { reference } = await makeUser(holdfast.crm)
    const { status, body } = await put(profile(), reference)
    expect(status).toBe(200)
    expect(body).toEqual(profile())
    expect((await get(reference)).body).toEqual(profile())
  })

  it('updates known channel types, adds new ones and removes absent ones', async () => {
    const { reference } = await makeUser(holdfast.crm)
    await put(profile({ contactChannels: [email, phone] }), reference)
    const contactChannels = [mobile, { ...phone, label: 'Home', value: '+49 40 2' }]
    expect((await put(profile({ contactChannels }), reference)).body.contactChannels).toEqual(contactChannels)
    expect((await get(reference)).body.contactChannels).toEqual(contactChannels)
    expect((await put(profile({ contactChannels: [] }), reference)).body.contactChannels).toEqual([])
  })

  it('accepts all seven types at once', async () => {
    const contactChannels = [
      email,
      phone,
      mobile,
      { label: 'Call', type: 'video', value: 'https://video.example.org/ann' },
      { label: null, type: 'messenger', value: '@ann' },
      { label: null, type: 'link', value: 'https://example.org' },
      { label: null, type: 'location', value: 'Room 4' },
    ]
    expect((await put(profile({ contactChannels }))).body.contactChannels).toEqual(contactChannels)
  })

  it('ignores unknown fields, also inside channels', async () => {
    const { status, body } = await put({
      ...profile({ contactChannels: [{ ...email, id: 'x' }] }),
      user_id: 'y',
    })
    expect([status, body]).toEqual([200, profile({ contactChannels: [email] })])
  })

  describe('refuses', () => {
    requires({ name: 'text', contactChannels: 'array' }, profile, put)
    requires({ 'contactChannels[1].type': 'text', 'contactChannels[1].value': 'text' }, profile, put)

    it('a type twice', async () => {
      const contactChannels = [phone, email, { ...phone, value: '2' }]
      expectRefusal(await put(profile({ contactChannels })), 400, 'invalid-field', 'contactChannels[2].type')
    })

    it.each(['fax', 'EMAIL', 'email '])('the type %j', async type => {
      const contactChannels = [{ type, value: 'x' }]
      expectRefusal(await put(profile({ contactChannels })), 400, 'invalid-field', 'contactChannels[0].type')
    })

    it.each(['text', 7, null, ['a']])('%j as a channel', async channel => {
      const refused = await put(profile({ contactChannels: [channel] }))
      const code = channel === null ? 'missing-field' : 'invalid-field'
      expectRefusal(refused, 400, code, 'contactChannels[0]')
    })

    it.each(['javascript:alert(1)', 'ftp://example.org', 'example.org', 'http://', 'https://a b'])(
      'a link channel to %j',
      async value => {
        const refused = await put(profile({ contactChannels: [{ type: 'link', value }] }))
        expectRefusal(refused, 400, 'invalid-field', 'contactChannels[0].value')
      },
    )

    it.each(['video', 'messenger', 'location', 'phone'])('a %s channel that runs something', async type => {
      const contactChannels = [{ type, value: ' java\nscript:alert(1)' }]
      expectRefusal(await put(profile({ contactChannels })), 400, 'invalid-field', 'contactChannels[0].value')
    })

    it.each(['ann', 'a@b..de', '.a@b.de', 'a@-b.de'])('an email channel with %j', async value => {
      const contactChannels = [{ ...email, value }]
      expectRefusal(await put(profile({ contactChannels })), 400, 'invalid-field', 'contactChannels[0].value')
    })

    it('and changes nothing', async () => {
      const { reference } = await makeUser(holdfast.crm)
      await put(profile(), reference)
      await put({ name: 'Other', contactChannels: [mobile, mobile] }, reference)
      expect((await get(reference)).body).toEqual(profile())
    })

    it('an unknown User, and one of another CRM', async () => {
      const stranger = await makeUser(holdfast.otherCrm)
      for (const reference of ['nobody@plat', stranger.reference]) {
        expectRefusal(await get(reference), 404, 'not-found')
        expectRefusal(await put(profile(), reference), 404, 'not-found')
      }
    })
  })

  describe('optional fields', () => {
    allows({ 'contactChannels[0].label': 'text' }, profile, put)
  })

  it.each(awkwardReferences)('is found by a reference with %s', async (_, reference) => {
    await makeUser(holdfast.crm, { reference })
    expect((await put(profile(), reference)).status).toBe(200)
    expect((await get(reference)).body).toEqual(profile())
  })
})

describe('a Provider Profile', () => {
  const profile = (fields: object = {}) => ({
    reference: unique('profile'),
    userReference: user,
    providerReference: provider.reference,
    name: 'Ann at the practice',
    contactChannels: [email, phone],
    ...fields,
  })
  const save = (body: object) => holdfast.crm.post(`${provider.path}/contactProfile`, body)
  const get = (reference: string) =>
    holdfast.crm.get(`${provider.path}/contactProfile/${encodeURIComponent(reference)}`)

  it('is created with 201 and returned as sent', async () => {
    const body = profile()
    const { status, body: answer } = await save(body)
    expect(status).toBe(201)
    expect(answer).toEqual(body)
    const found = await get(body.reference)
    expect([found.status, found.body]).toEqual([200, body])
  })

  it('is updated with 200: name and channels, by the merge rule', async () => {
    const body = profile()
    await save(body)
    const change = { name: 'New', contactChannels: [mobile, { ...email, value: 'new@example.org' }] }
    const { status, body: answer } = await save({ ...body, ...change })
    expect(status).toBe(200)
    expect(answer).toEqual({ ...body, ...change })
    expect((await get(body.reference)).body).toEqual(answer)
  })

  it('is created again if it is deleted concurrently', async () => {
    const body = profile()
    await save(body)
    const { status } = await whileWaiting(
      holdfast,
      {
        before: rival =>
          rival.query('select from contact_profile where reference = $1 for update', [body.reference]),
        async meanwhile(rival) {
          const which = '(select id from contact_profile where reference = $1)'
          await rival.query(`delete from contact_channel where profile_id = ${which}`, [body.reference])
          await rival.query('delete from contact_profile where reference = $1', [body.reference])
        },
      },
      () => save(body),
    )
    expect(status).toBe(201)
    expect((await get(body.reference)).body).toEqual(body)
  })

  it('is separate for each Provider', async () => {
    const other = await makeProvider(holdfast.crm)
    const body = profile()
    await save(body)
    const twin = { ...body, providerReference: other.reference, name: 'Elsewhere' }
    expect((await holdfast.crm.post(`${other.path}/contactProfile`, twin)).status).toBe(201)
    expect((await get(body.reference)).body.name).toBe(body.name)
  })

  it('raises the revision of the Resources that show its User', async () => {
    const { reference: contact } = await makeUser(holdfast.crm)
    const resource = { reference: unique('resource'), publicName: 'R', internalName: 'R', contact }
    const { uuid } = (await holdfast.crm.post(`${provider.path}/resources`, resource)).body
    const revision = async () =>
      Number(
        (await holdfast.service.db.pool.query('select revision from resource where uuid = $1', [uuid]))
          .rows[0].revision,
      )
    const before = await revision()
    await save(profile({ userReference: contact }))
    expect(await revision()).toBeGreaterThan(before)
  })

  describe('refuses', () => {
    requires(
      {
        reference: 'text',
        userReference: 'text',
        providerReference: 'text',
        name: 'text',
        contactChannels: 'array',
        'contactChannels[0].type': 'text',
        'contactChannels[0].value': 'text',
      },
      profile,
      save,
    )

    it.each(wrongReferences)('a reference with %s', async (_, reference) => {
      expectRefusal(await save(profile({ reference })), 400, 'invalid-field', 'reference')
    })

    it('an unknown User, and one of another CRM', async () => {
      const stranger = await makeUser(holdfast.otherCrm)
      for (const userReference of ['nobody@plat', stranger.reference])
        expectRefusal(await save(profile({ userReference })), 404, 'not-found', 'userReference')
    })

    it('a providerReference that differs from the path', async () => {
      const other = await makeProvider(holdfast.crm)
      for (const providerReference of [other.reference, 'nothing@plat'])
        expectRefusal(await save(profile({ providerReference })), 400, 'invalid-field', 'providerReference')
    })

    it('the reference of another User’s profile', async () => {
      const body = profile()
      await save(body)
      const refused = await save({ ...body, userReference: provider.owner, name: 'Mine now' })
      expectRefusal(refused, 409, 'reference-exists', 'reference')
      expect((await get(body.reference)).body).toEqual(body)
    })

    it('a type twice', async () => {
      const contactChannels = [phone, phone]
      expectRefusal(await save(profile({ contactChannels })), 400, 'invalid-field', 'contactChannels[1].type')
    })

    it('an unknown Provider, and one of another CRM', async () => {
      const theirs = await makeProvider(holdfast.otherCrm)
      for (const { path, reference } of [{ path: '/provider/nothing', reference: 'nothing' }, theirs]) {
        const refused = await holdfast.crm.post(
          `${path}/contactProfile`,
          profile({ providerReference: reference }),
        )
        expectRefusal(refused, 404, 'not-found')
      }
    })
  })

  describe('hostile text', () => {
    keepsHostileText(
      ['name'],
      fields => save(profile(fields)),
      async ({ body }) => (await get(body.reference)).body,
    )

    it('is stored unchanged in labels and values', async () => {
      const contactChannels = [
        {
          label: `<b>"'\\ 🙂\u202e`,
          type: 'messenger',
          value: `alert("1")'); drop table app_user; --`,
        },
        { label: '{a,"b",NULL}', type: 'location', value: 'NULL' },
      ]
      expect((await save(profile({ contactChannels }))).body.contactChannels).toEqual(contactChannels)
    })
  })

  it.each(awkwardReferences)('is found by a reference with %s', async (_, reference) => {
    expect((await save(profile({ reference }))).status).toBe(201)
    const { status, body } = await get(reference)
    expect([status, body.reference]).toEqual([200, reference])
  })

  it('returns 404 if unknown, or of another Provider or CRM', async () => {
    const elsewhere = await makeProfile(holdfast.crm, await makeProvider(holdfast.crm), user)
    expectRefusal(await get('nothing@plat'), 404, 'not-found')
    expectRefusal(await get(elsewhere.reference), 404, 'not-found')
    const theirProvider = await makeProvider(holdfast.otherCrm)
    const theirs = await makeProfile(holdfast.otherCrm, theirProvider, theirProvider.owner)
    const path = `${theirProvider.path}/contactProfile/${encodeURIComponent(theirs.reference)}`
    expectRefusal(await holdfast.crm.get(path), 404, 'not-found')
  })
})

it('profiles are served under the older prefix', async () => {
  const headers = { 'x-service-client-id': holdfast.crm.key }
  const base = '/rest/1/crms/crm'
  const general = { name: 'Ann', contactChannels: [email] }
  const generalPath = `${base}/user/${encodeURIComponent(user)}/generalContactProfile`
  expect((await call(holdfast.app, 'PUT', generalPath, general, { headers })).body).toEqual(general)
  expect((await call(holdfast.app, 'GET', generalPath, undefined, { headers })).body).toEqual(general)

  const reference = unique('profile')
  const body = { ...general, reference, userReference: user, providerReference: provider.reference }
  const path = `${base}${provider.path}/contactProfile`
  expect((await call(holdfast.app, 'POST', path, body, { headers })).status).toBe(201)
  const one = await call(holdfast.app, 'GET', `${path}/${encodeURIComponent(reference)}`, undefined, {
    headers,
  })
  expect(one.body).toEqual(body)
})
