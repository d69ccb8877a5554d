import { describe, expect, it } from 'vitest'
import {
  makeProduct,
  makeProfile,
  makeProvider,
  makeResource,
  makeUser,
  type TestProvider,
  unique,
} from '../support/build.ts'
import { awkwardReferences, keepsHostileText, wrongReferences } from '../support/hostile.ts'
import { expectRefusal } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { call, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const provider = await makeProvider(holdfast.crm)

const address = { city: 'Berlin', zip: '10115', street: 'Hauptstr.', number: '5a', countryCode: 'AT' }
const resource = (fields: object = {}) => ({
  reference: unique('resource'),
  publicName: 'Room with a view',
  internalName: 'R1',
  ...fields,
})

const pathOf = (reference: string) => `${provider.path}/resources/${encodeURIComponent(reference)}`
const create = (body: object, query = '') => holdfast.crm.post(`${provider.path}/resources${query}`, body)
const update = (reference: string, body: object) => holdfast.crm.post(pathOf(reference), body)
const remove = (reference: string, query = '') => holdfast.crm.delete(`${pathOf(reference)}${query}`)
const list = async (of = provider) => (await holdfast.crm.get(`${of.path}/resources`)).body
const find = async (reference: string) =>
  (await list()).find((one: { reference: string }) => one.reference === reference)

async function rowOf(uuid: string) {
  const rows = await holdfast.query(
    `select resource.*, contact_profile.reference as profile
     from resource left join contact_profile on contact_profile.id = contact_profile_id where resource.uuid = $1`,
    [uuid],
  )
  return rows[0]
}

/** A User with a profile for the Provider. */
async function makeContact(of: TestProvider) {
  const { reference: contact } = await makeUser(holdfast.crm)
  const { reference: contactProfileReference } = await makeProfile(holdfast.crm, of, contact)
  return { contact, contactProfileReference }
}

describe('Create Resource', () => {
  it('returns 201 for a new Resource, with null for unset fields', async () => {
    const body = resource()
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer).toEqual({
      ...body,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider: provider.reference,
      description: null,
      contact: null,
      contactProfileReference: null,
      website: null,
      archived: false,
      products: [],
      address: null,
      imageUrl: null,
    })
  })

  it('stores everything that is sent', async () => {
    const products = [await makeProduct(holdfast.crm, provider), await makeProduct(holdfast.crm, provider)]
    const { contact, contactProfileReference } = await makeContact(provider)
    const shown = {
      description: 'Bright.',
      imageUrl: 'https://example.org/room.jpg',
      // Newest first, to show that the order is kept.
      products: products.map(one => one.reference).reverse(),
      contact,
      address,
    }
    const website = 'https://example.org/room'
    const { body } = await create(resource({ ...shown, website, contactProfileReference }))
    expect(body).toMatchObject(shown)
    expect(await find(body.reference)).toEqual(body)
    expect(await rowOf(body.uuid)).toMatchObject({ website, profile: contactProfileReference })
  })

  it('has all four channels from the start', async () => {
    const { uuid } = (await create(resource())).body
    const rows = await holdfast.query(
      `select key, visible, booking_process from channel join resource on resource.id = resource_id
       where resource.uuid = $1 order by channel.id`,
      [uuid],
    )
    expect(rows.map(row => row.key)).toEqual([
      'RESOURCE_PUBLIC',
      'RESOURCE_EXCLUSIVE',
      'RESOURCE_REFERENCE',
      'CALENDAR_PUBLIC',
    ])
    for (const row of rows) expect(row).toMatchObject({ visible: true, booking_process: 'IMMEDIATE' })
  })

  it('links a Product once, however often it is listed', async () => {
    const { reference } = await makeProduct(holdfast.crm, provider)
    expect((await create(resource({ products: [reference, reference] }))).body.products).toEqual([reference])
  })

  it('reads the country from countryCode, else from country, else DE', async () => {
    const { countryCode, ...place } = address
    const countryOf = async (more: object) =>
      (await create(resource({ address: { ...place, ...more } }))).body.address.countryCode
    expect(await countryOf({})).toBe('DE')
    expect(await countryOf({ country: 'CH' })).toBe('CH')
    expect(await countryOf({ countryCode: 'AT', country: 'CH' })).toBe('AT')
    expect(await countryOf({ countryCode: null, country: null })).toBe('DE')
  })

  it('ignores unknown fields, and archived, which only applies to existing ones', async () => {
    for (const archived of [true, null]) {
      const body = resource({ archived, uuid: 'mine', revision: -1, deleted_at: 'now' })
      const { status, body: answer } = await create(body)
      expect(status).toBe(201)
      expect(answer).toMatchObject({ archived: false })
      expect(answer.uuid).not.toBe('mine')
    }
  })

  it('accepts the same reference at two Providers for two Resources', async () => {
    const other = await makeProvider(holdfast.crm)
    const { reference, uuid } = await makeResource(holdfast.crm, provider)
    const { status, body } = await holdfast.crm.post(`${other.path}/resources`, resource({ reference }))
    expect(status).toBe(201)
    expect(body.uuid).not.toBe(uuid)
  })

  describe('with a known reference', () => {
    it('archives and activates; a new one is never archived', async () => {
      const body = resource({ archived: true })
      expect((await create(body)).body.archived).toBe(false)
      expect((await create(body)).body.archived).toBe(true)
      expect((await create({ ...body, archived: null })).body.archived).toBe(true)
      expect((await create({ ...body, archived: false })).body.archived).toBe(false)
    })

    it('returns 200 and updates the given fields', async () => {
      const { reference: known } = await makeProduct(holdfast.crm, provider)
      const body = resource({ description: 'old', address, products: [known], contact: provider.owner })
      const { body: first } = await create(body)
      const change = { publicName: 'New', internalName: 'N1', description: 'new' }
      const { status, body: again } = await create({ reference: body.reference, ...change })
      expect(status).toBe(200)
      expect(again).toEqual({ ...first, ...change })
    })

    it('clears null fields', async () => {
      const { reference: known } = await makeProduct(holdfast.crm, provider)
      const body = resource({ description: 'old', address, products: [known], contact: provider.owner })
      await create(body)
      const cleared = { description: null, address: null, products: null, contact: null }
      const { body: again } = await create({ ...body, ...cleared })
      expect(again).toMatchObject({ ...cleared, products: [] })
    })

    it('keeps archived if it is not sent', async () => {
      const { reference } = await makeResource(holdfast.crm, provider)
      await update(reference, { archived: true })
      expect((await create(resource({ reference }))).body.archived).toBe(true)
    })

    it.each(['=true', '=1', '', '='])('is refused with onDuplicateRaise%s', async value => {
      const body = resource()
      await create(body)
      const refused = await create({ ...body, publicName: 'New' }, `?onDuplicateRaise${value}`)
      expectRefusal(refused, 400, 'duplicate-reference', 'reference')
      expect(await find(body.reference)).toMatchObject(body)
    })

    it.each(['=false', '=0', '=undefined', '=null'])('is updated with onDuplicateRaise%s', async value => {
      const body = resource()
      await create(body)
      const { status } = await create({ ...body, publicName: 'New' }, `?onDuplicateRaise${value}`)
      expect(status).toBe(200)
      expect(await find(body.reference)).toMatchObject({ publicName: 'New' })
    })

    it.each(['yes', 'TRUE', '2', 'false%20', '%00'])(
      'is refused with onDuplicateRaise=%s, which is not a flag',
      async value => {
        const refused = await create(resource(), `?onDuplicateRaise=${value}`)
        expectRefusal(refused, 400, 'invalid-field', 'onDuplicateRaise')
      },
    )

    it('ignores unknown query parameters', async () => {
      expect((await create(resource(), '?debug=1&ignoreFutureAppointments=maybe')).status).toBe(201)
    })
  })

  it('creates a new one with onDuplicateRaise=true', async () => {
    expect((await create(resource(), '?onDuplicateRaise=true')).status).toBe(201)
  })

  describe('refuses', () => {
    requires({ reference: 'text', publicName: 'text', internalName: 'text' }, resource, create)
    requires(
      { 'address.city': 'text', 'address.zip': 'text', 'address.street': 'text', 'address.number': 'text' },
      () => resource({ address }),
      create,
    )
    requires({ 'products[0]': 'text' }, () => resource({ products: [] }), replaceMissingByNull)

    it('an unknown Product by name, and creates nothing', async () => {
      const body = resource({
        products: [(await makeProduct(holdfast.crm, provider)).reference, 'nothing@plat'],
      })
      const refused = await create(body)
      expectRefusal(refused, 404, 'not-found', 'products')
      expect(refused.body.errors[0].message).toContain('nothing@plat')
      expect(await find(body.reference)).toBeUndefined()
    })

    it('a Product of another Provider', async () => {
      const { reference } = await makeProduct(holdfast.crm, await makeProvider(holdfast.crm))
      expectRefusal(await create(resource({ products: [reference] })), 404, 'not-found', 'products')
    })

    it('an unknown contact, and one of another CRM', async () => {
      const stranger = await makeUser(holdfast.otherCrm)
      for (const contact of ['nobody@plat', stranger.reference])
        expectRefusal(await create(resource({ contact })), 404, 'not-found', 'contact')
    })

    const profileRefused = async (fields: object, status: number, code: string) =>
      expectRefusal(await create(resource(fields)), status, code, 'contactProfileReference')

    it('a profile without a contact', async () => {
      const { contactProfileReference } = await makeContact(provider)
      await profileRefused({ contactProfileReference }, 400, 'invalid-field')
    })

    it('the profile of another User', async () => {
      const { contactProfileReference } = await makeContact(provider)
      await profileRefused({ contact: provider.owner, contactProfileReference }, 400, 'invalid-field')
    })

    it('a profile of another Provider', async () => {
      await profileRefused(await makeContact(await makeProvider(holdfast.crm)), 400, 'invalid-field')
    })

    it('an unknown profile', async () => {
      const unknown = { contact: provider.owner, contactProfileReference: 'nothing@plat' }
      await profileRefused(unknown, 404, 'not-found')
    })

    it.each([
      'javascript:alert(1)',
      ' https://example.org',
      'data:text/html,x',
      '//example.org',
      'www.example.org',
      'https://',
      'https:///x',
      'https://a.de/"x',
      'HTTPS://example.org\\@evil',
    ])('the website %j', async website => {
      expectRefusal(await create(resource({ website })), 400, 'invalid-field', 'website')
    })

    it('an address that is plain text', async () => {
      expectRefusal(await create(resource({ address: 'Berlin' })), 400, 'invalid-field', 'address')
    })

    it.each(wrongReferences)('a reference with %s', async (_, reference) => {
      expectRefusal(await create(resource({ reference })), 400, 'invalid-field', 'reference')
    })

    it('an unknown Provider, and one of another CRM', async () => {
      const theirs = await makeProvider(holdfast.otherCrm)
      for (const path of ['/provider/nothing', theirs.path])
        expectRefusal(await holdfast.crm.post(`${path}/resources`, resource()), 404, 'not-found')
    })
  })

  describe('optional fields', () => {
    allows(
      {
        description: 'text',
        products: 'array',
        contact: 'text',
        contactProfileReference: 'text',
        website: 'text',
        address: 'object',
      },
      resource,
      create,
    )
    allows({ 'address.countryCode': 'text', 'address.country': 'text' }, () => resource({ address }), create)
  })

  describe('hostile text', () => {
    keepsHostileText(
      ['publicName', 'internalName', 'description'],
      fields => create(resource(fields)),
      ({ body }) => find(body.reference),
    )

    it('stores a description of 10,000 characters', async () => {
      const description = 'ä'.repeat(10_000)
      expect((await create(resource({ description }))).body.description).toBe(description)
    })
  })
})

describe('Update Resource', () => {
  it('returns 202 and changes only the given fields', async () => {
    const body = resource({ description: 'old', address, contact: provider.owner })
    const { body: first } = await create(body)
    const { status, body: answer } = await update(body.reference, { publicName: 'New' })
    expect(status).toBe(202)
    expect(answer).toEqual({ ...first, publicName: 'New' })
    expect(await find(body.reference)).toEqual(answer)
  })

  it('can change every field', async () => {
    const { reference } = await makeResource(holdfast.crm, provider)
    const product = await makeProduct(holdfast.crm, provider)
    const { contact, contactProfileReference } = await makeContact(provider)
    const change = {
      reference: unique('renamed'),
      publicName: 'P',
      internalName: 'I',
      description: 'D',
      products: [product.reference],
      contact,
      address,
      archived: true,
    }
    const { body } = await update(reference, { ...change, contactProfileReference, website: 'https://x.org' })
    expect(body).toMatchObject(change)
    expect(await rowOf(body.uuid)).toMatchObject({
      website: 'https://x.org',
      profile: contactProfileReference,
    })
    expect(await find(reference)).toBeUndefined()
  })

  it('clears an optional field with null', async () => {
    const product = await makeProduct(holdfast.crm, provider)
    const { contact, contactProfileReference } = await makeContact(provider)
    const { body } = await create(
      resource({
        description: 'D',
        products: [product.reference],
        contact,
        contactProfileReference,
        website: 'https://x.org',
        address,
      }),
    )
    const cleared = { description: null, contact: null, address: null }
    const { body: answer } = await update(body.reference, { ...cleared, products: null, website: null })
    expect(answer).toEqual({
      ...body,
      ...cleared,
      products: [],
      website: null,
      contactProfileReference: null,
    })
    expect(await rowOf(body.uuid)).toMatchObject({ website: null, profile: null })
  })

  it('changes nothing with an empty object', async () => {
    const { body } = await create(resource({ description: 'D' }))
    const { status, body: answer } = await update(body.reference, {})
    expect([status, answer]).toEqual([202, body])
  })

  it('archives and activates', async () => {
    const { reference } = await makeResource(holdfast.crm, provider)
    expect((await update(reference, { archived: true })).body.archived).toBe(true)
    expect(await find(reference)).toMatchObject({ archived: true })
    expect((await update(reference, { archived: false })).body.archived).toBe(false)
  })

  it('keeps the profile with the same contact, and drops it with another', async () => {
    const { contact, contactProfileReference } = await makeContact(provider)
    const { reference, uuid } = (await create(resource({ contact, contactProfileReference }))).body
    await update(reference, { publicName: 'New' })
    expect(await rowOf(uuid)).toMatchObject({ profile: contactProfileReference })
    await update(reference, { contact })
    expect(await rowOf(uuid)).toMatchObject({ profile: contactProfileReference })
    await update(reference, { contact: provider.owner })
    expect(await rowOf(uuid)).toMatchObject({ profile: null })
  })

  it("accepts a profile of the Resource's contact", async () => {
    const { contact, contactProfileReference } = await makeContact(provider)
    const { reference, uuid } = (await create(resource({ contact }))).body
    expect((await update(reference, { contactProfileReference })).status).toBe(202)
    expect(await rowOf(uuid)).toMatchObject({ profile: contactProfileReference })
  })

  it('raises the revision, so that readers see the change', async () => {
    const { reference, uuid } = await makeResource(holdfast.crm, provider)
    const { revision } = await rowOf(uuid)
    await update(reference, { publicName: 'New' })
    expect(Number((await rowOf(uuid)).revision)).toBeGreaterThan(Number(revision))
  })

  it('ignores unknown fields', async () => {
    const { reference, uuid } = await makeResource(holdfast.crm, provider)
    const { status, body } = await update(reference, { uuid: 'x', provider: 'y', deleted_at: 'now' })
    expect([status, body.uuid, body.provider]).toEqual([202, uuid, provider.reference])
  })

  it.each(awkwardReferences)('finds a reference with %s, and so does Delete', async (_, reference) => {
    expect((await create(resource({ reference }))).status).toBe(201)
    const { status, body } = await update(reference, { publicName: 'New' })
    expect([status, body.reference]).toEqual([202, reference])
    expect((await remove(reference)).status).toBe(204)
  })

  describe('refuses', () => {
    const blank = [null, '', '  ']
    const mustStay = ['reference', 'publicName', 'internalName'].flatMap(field =>
      blank.map(value => [field, value]),
    )
    it.each(mustStay)('to empty %s with %j', async (field, value) => {
      const body = resource()
      await create(body)
      expectRefusal(await update(body.reference, { [field!]: value }), 400, 'missing-field', field!)
      expect(await find(body.reference)).toMatchObject(body)
    })

    const wrongTypes = [
      'reference',
      'publicName',
      'description',
      'website',
      'contact',
      'products',
      'address',
      'archived',
    ]
    it.each(wrongTypes)('a number as %s', async field => {
      const { reference } = await makeResource(holdfast.crm, provider)
      expectRefusal(await update(reference, { [field]: 1 }), 400, 'invalid-field', field)
    })

    it('"true" as archived', async () => {
      const { reference } = await makeResource(holdfast.crm, provider)
      expectRefusal(await update(reference, { archived: 'true' }), 400, 'invalid-field', 'archived')
    })

    it('the reference of another Resource with 409', async () => {
      const { reference } = await makeResource(holdfast.crm, provider)
      const { reference: taken } = await makeResource(holdfast.crm, provider)
      expectRefusal(await update(reference, { reference: taken }), 409, 'reference-exists', 'reference')
      expect(await find(reference)).toBeDefined()
    })

    it('unknown Products, contacts and profiles, and changes nothing', async () => {
      const { body } = await create(resource({ contact: provider.owner }))
      for (const field of ['products', 'contact', 'contactProfileReference']) {
        const unknown = field === 'products' ? ['nothing@plat'] : 'nothing@plat'
        expectRefusal(
          await update(body.reference, { publicName: 'New', [field]: unknown }),
          404,
          'not-found',
          field,
        )
      }
      expect(await find(body.reference)).toEqual(body)
    })

    it('a profile whose contact is removed with it', async () => {
      const { contact, contactProfileReference } = await makeContact(provider)
      const { reference } = (await create(resource({ contact }))).body
      const refused = await update(reference, { contact: null, contactProfileReference })
      expectRefusal(refused, 400, 'invalid-field', 'contactProfileReference')
    })

    it('an unknown Resource, and one of another Provider or CRM', async () => {
      const other = await makeProvider(holdfast.crm)
      const elsewhere = await makeResource(holdfast.crm, other)
      const theirProvider = await makeProvider(holdfast.otherCrm)
      const theirs = await makeResource(holdfast.otherCrm, theirProvider)
      for (const reference of ['nothing@plat', elsewhere.reference, theirs.reference])
        expectRefusal(await update(reference, { publicName: 'New' }), 404, 'not-found')
      const path = `${theirProvider.path}/resources/${encodeURIComponent(theirs.reference)}`
      expectRefusal(await holdfast.crm.post(path, { publicName: 'New' }), 404, 'not-found')
    })
  })
})

describe('Get Resources', () => {
  it('returns a bare array, oldest first, including archived ones, of this Provider only', async () => {
    const own = await makeProvider(holdfast.crm)
    expect(await list(own)).toEqual([])
    const first = await makeResource(holdfast.crm, own)
    const second = await makeResource(holdfast.crm, own)
    await holdfast.crm.post(`${own.path}/resources/${encodeURIComponent(first.reference)}`, {
      archived: true,
    })
    const { status, body } = await holdfast.crm.get(`${own.path}/resources`)
    expect(status).toBe(200)
    expect(body).toEqual([{ ...first, archived: true }, second])
  })

  it('returns 404 for an unknown Provider, and for one of another CRM', async () => {
    const theirs = await makeProvider(holdfast.otherCrm)
    for (const path of ['/provider/nothing', theirs.path])
      expectRefusal(await holdfast.crm.get(`${path}/resources`), 404, 'not-found')
  })
})

describe('Delete Resource', () => {
  it('returns 204, and the Resource is gone', async () => {
    const { reference } = await makeResource(holdfast.crm, provider)
    const { status, text } = await remove(reference)
    expect([status, text]).toEqual([204, ''])
    expect(await find(reference)).toBeUndefined()
    expectRefusal(await remove(reference), 404, 'not-found')
    expectRefusal(await update(reference, { archived: false }), 404, 'not-found')
  })

  it('frees the reference for a new Resource', async () => {
    const { reference, uuid } = await makeResource(holdfast.crm, provider)
    await remove(reference)
    const { status, body } = await create(resource({ reference }), '?onDuplicateRaise=true')
    expect(status).toBe(201)
    expect(body.uuid).not.toBe(uuid)
  })

  it.each(['', '=', '=true', '=1', '=false', '=0', '=undefined', '=null'])(
    'reads ignoreFutureAppointments%s',
    async value => {
      const { reference } = await makeResource(holdfast.crm, provider)
      expect((await remove(reference, `?ignoreFutureAppointments${value}`)).status).toBe(204)
    },
  )

  it('refuses ignoreFutureAppointments=maybe and deletes nothing', async () => {
    const { reference } = await makeResource(holdfast.crm, provider)
    const refused = await remove(reference, '?ignoreFutureAppointments=maybe')
    expectRefusal(refused, 400, 'invalid-field', 'ignoreFutureAppointments')
    expect(await find(reference)).toBeDefined()
  })

  it('returns 404 for an unknown Resource, and for one of another CRM', async () => {
    expectRefusal(await remove('nothing@plat'), 404, 'not-found')
    const theirProvider = await makeProvider(holdfast.otherCrm)
    const { reference } = await makeResource(holdfast.otherCrm, theirProvider)
    const path = `${theirProvider.path}/resources/${encodeURIComponent(reference)}`
    expectRefusal(await holdfast.crm.delete(path), 404, 'not-found')
    expect((await holdfast.otherCrm.get(`${theirProvider.path}/resources`)).body).toHaveLength(1)
  })
})

it('Resources are served under the older prefix', async () => {
  const headers = { 'x-service-client-id': holdfast.crm.key }
  const path = `/rest/1/crms/crm${provider.path}/resources`
  const { status, body } = await call(holdfast.app, 'POST', path, resource(), { headers })
  expect(status).toBe(201)
  expect((await call(holdfast.app, 'GET', path, undefined, { headers })).body).toContainEqual(body)
  const one = `${path}/${encodeURIComponent(body.reference)}`
  expect((await call(holdfast.app, 'POST', one, { archived: true }, { headers })).status).toBe(202)
  expect((await call(holdfast.app, 'DELETE', one, undefined, { headers })).status).toBe(204)
})

// An array entry cannot be missing: JSON turns a gap into null.
function replaceMissingByNull(body: Record<string, unknown>) {
  const [first] = body.products as unknown[]
  return create({ ...body, products: [first ?? null] })
}

describe('Create Resources as a batch', () => {
  const createAll = (resources: object[], query = '') => create({ resources }, query)
  const revisionOf = async (reference: string) => {
    const text = 'select revision from resource where reference = $1'
    return (await holdfast.query(text, [reference]))[0].revision
  }
  const eventsOf = async (reference: string) => {
    const text = `select kind from event where kind like 'resource.%' and subject = (
      select id from resource where reference = $1) order by id`
    return (await holdfast.query(text, [reference])).map(row => row.kind)
  }

  it('creates new ones, updates changed ones and skips the rest', async () => {
    const { reference: product } = await makeProduct(holdfast.crm, provider)
    const [kept, other] = [resource({ products: [product], address }), resource()]
    await createAll([kept, other])
    const before = await revisionOf(kept.reference)
    const fresh = resource({ products: [product, product], contact: provider.owner, description: 'New' })
    const answer = await createAll([fresh, kept, { ...other, publicName: 'Other' }])
    expect(answer.status).toBe(201)
    const { resources } = answer.body
    expect(resources.map((one: { reference: string }) => one.reference)).toEqual([
      fresh.reference,
      kept.reference,
      other.reference,
    ])
    for (const one of resources) expect(await find(one.reference)).toEqual(one)
    expect(resources[0]).toMatchObject({ products: [product], contact: provider.owner, description: 'New' })
    expect(resources[2].publicName).toBe('Other')
    expect(await revisionOf(kept.reference)).toBe(before)
    expect(await eventsOf(kept.reference)).toEqual(['resource.created'])
    expect(await eventsOf(other.reference)).toEqual(['resource.created', 'resource.changed'])
    expect(await eventsOf(fresh.reference)).toEqual(['resource.created'])
  })

  it('returns 200 if none is new', async () => {
    const sent = [resource(), resource({ website: 'https://example.org/' })]
    const first = await createAll(sent)
    expect(first.status).toBe(201)
    const again = await createAll(sent)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
  })

  it('lists them and records their events in the order sent', async () => {
    const own = await makeProvider(holdfast.crm)
    const sent = ['r2', 'r10', 'r1'].map(name => resource({ reference: `${own.reference}-${name}` }))
    const { body } = await holdfast.crm.post(`${own.path}/resources`, { resources: sent })
    expect(await list(own)).toEqual(body.resources)
    const query = `?provider=${encodeURIComponent(own.reference)}&kinds=resource.created`
    // Events appear when no older transaction is open, and other test files have some.
    const events = await eventually(async () => {
      const found = (await holdfast.crm.get(`/events${query}`)).body.events
      return found.length === sent.length && found
    })
    const references = sent.map(one => one.reference)
    expect(body.resources.map((one: { reference: string }) => one.reference)).toEqual(references)
    expect(events.map((one: { data: { reference: string } }) => one.data.reference)).toEqual(references)
  })

  it('creates none if one is invalid, and reports the error of each', async () => {
    const [good, wrong, known] = [resource(), resource({ products: ['nothing@crm'] }), resource()]
    await create(known)
    const answer = await createAll([good, wrong, known], '?onDuplicateRaise=true')
    expect(answer.status).toBe(404)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([
      'resources[1].products',
      'resources[2].reference',
    ])
    expect(await find(good.reference)).toBeUndefined()
  })
})
