import { describe, expect, it } from 'vitest'
import { eventCount, makeProduct, makeProvider, unique } from '../support/build.ts'
import { awkwardReferences, keepsHostileText, wrongReferences } from '../support/hostile.ts'
import { expectRefusal } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()
const provider = await makeProvider(holdfast.crm)

const product = (fields: object = {}) => ({ reference: unique('product'), name: 'Talk', ...fields })
const create = (body: object) => holdfast.crm.post(`${provider.path}/products`, body)
const list = async (of = provider) => (await holdfast.crm.get(`${of.path}/products`)).body
const find = async (reference: string) =>
  (await list()).find((one: { reference: string }) => one.reference === reference)

describe('Create Product', () => {
  it('returns 201 for a new Product, with null for unset fields', async () => {
    const body = product()
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      product: {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...body,
        description: null,
        minDuration: null,
        maxDuration: null,
        leadTimeMinutes: null,
        followUpTimeMinutes: null,
        questions: [],
        ownQuestions: false,
        answersRequired: false,
        maxPlaces: 1,
        placeNamesRequired: false,
        priceText: null,
        imageUrl: null,
      },
    })
  })

  it('stores everything that is sent', async () => {
    const shown = { priceText: '€45', imageUrl: 'https://example.org/talk.jpg' }
    const body = product({ description: 'Bring papers.', minDuration: 30, maxDuration: 60, ...shown })
    expect((await create(body)).body.product).toMatchObject(body)
    expect(await find(body.reference)).toMatchObject(body)
  })

  it('returns 200 for a known reference and updates the given fields', async () => {
    const body = product({ description: 'old', minDuration: 30, maxDuration: 60 })
    const { uuid } = (await create(body)).body.product
    const { status, body: answer } = await create({
      reference: body.reference,
      name: 'New name',
      maxDuration: 90,
    })
    expect(status).toBe(200)
    expect(answer.product).toMatchObject({ ...body, uuid, name: 'New name', maxDuration: 90 })
    expect(await find(body.reference)).toEqual(answer.product)
  })

  it('clears fields of a known reference that are null', async () => {
    const body = product({ description: 'old', minDuration: 30, maxDuration: 60 })
    await create(body)
    const cleared = { description: null, minDuration: null, maxDuration: null }
    expect((await create({ ...body, ...cleared })).body.product).toMatchObject({ ...body, ...cleared })
  })

  it('never changes the buffers, which are set in the console', async () => {
    const buffers = { leadTimeMinutes: 10, followUpTimeMinutes: 'x' }
    const body = product()
    expect((await create({ ...body, ...buffers })).body.product).toMatchObject({ leadTimeMinutes: null })
    await holdfast.query('update product set lead_minutes = 5, follow_up_minutes = 6 where reference = $1', [
      body.reference,
    ])
    const kept = { leadTimeMinutes: 5, followUpTimeMinutes: 6 }
    expect((await create({ ...body, ...buffers })).body.product).toMatchObject(kept)
  })

  it('ignores unknown fields and buffers of a batch, and reports no change for them', async () => {
    const body = product({ leadTimeMinutes: 10, followUpTimeMinutes: 'x', price: 1 })
    const [made] = (await create({ products: [body] })).body.products
    expect(made).toMatchObject({ leadTimeMinutes: null, followUpTimeMinutes: null })
    const events = await eventCount(holdfast)
    expect(await create({ products: [body] })).toMatchObject({ status: 200, body: { products: [made] } })
    expect(await eventCount(holdfast)).toBe(events)
  })

  it('ignores unknown fields', async () => {
    const body = product({ uuid: 'mine', provider_id: 'x', price: { value: 1 } })
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer.product.uuid).not.toBe('mine')
  })

  it('accepts the same reference at two Providers for two Products', async () => {
    const other = await makeProvider(holdfast.crm)
    const { reference, uuid } = await makeProduct(holdfast.crm, provider)
    const twin = await makeProduct(holdfast.crm, other, { reference })
    expect(twin.uuid).not.toBe(uuid)
    expect(await list(other)).toHaveLength(1)
  })

  it('accepts one length for both durations', async () => {
    expect((await create(product({ minDuration: 30, maxDuration: 30 }))).status).toBe(201)
  })

  describe('refuses', () => {
    requires({ reference: 'text', name: 'text' }, product, create)

    it('a minimum longer than the maximum', async () => {
      expectRefusal(
        await create(product({ minDuration: 60, maxDuration: 30 })),
        400,
        'invalid-field',
        'minDuration',
      )
    })

    it('a minimum longer than the stored maximum, and vice versa', async () => {
      const body = product({ minDuration: 30, maxDuration: 60 })
      await create(body)
      const { reference, name } = body
      for (const change of [{ minDuration: 61 }, { maxDuration: 29 }])
        expectRefusal(await create({ reference, name, ...change }), 400, 'invalid-field', 'minDuration')
      expect(await find(reference)).toMatchObject({ minDuration: 30, maxDuration: 60 })
    })

    it.each([
      ['priceText', 'x'.repeat(61)],
      ['priceText', '€45\nor more'],
      ['imageUrl', 'http://example.org/talk.jpg'],
      ['imageUrl', 'javascript:alert(1)'],
      ['imageUrl', 'https://example.org/a"onerror="b'],
    ])('%s %j', async (field, value) => {
      expectRefusal(await create(product({ [field]: value })), 400, 'invalid-field', field)
    })

    it.each([0, -5, 1.5, 1e12])('%s minutes', async minutes => {
      for (const field of ['minDuration', 'maxDuration'])
        expectRefusal(await create(product({ [field]: minutes })), 400, 'invalid-field', field)
    })

    it('minutes written as text', async () => {
      for (const field of ['minDuration', 'maxDuration'])
        expectRefusal(await create(product({ [field]: '30' })), 400, 'invalid-field', field)
    })

    it.each(wrongReferences)('a reference with %s', async (_, reference) => {
      expectRefusal(await create(product({ reference })), 400, 'invalid-field', 'reference')
    })

    it('an unknown Provider, and one of another CRM', async () => {
      const theirs = await makeProvider(holdfast.otherCrm)
      for (const path of ['/provider/nothing', theirs.path])
        expectRefusal(await holdfast.crm.post(`${path}/products`, product()), 404, 'not-found')
      expect((await holdfast.otherCrm.get(`${theirs.path}/products`)).body).toEqual([])
    })
  })

  describe('optional fields', () => {
    allows({ description: 'text', minDuration: 'number', maxDuration: 'number' }, product, create)
  })

  describe('hostile text', () => {
    keepsHostileText(
      ['name', 'description'],
      fields => create(product(fields)),
      ({ body }) => find(body.product.reference),
    )

    it('stores a description of 10,000 characters', async () => {
      const description = 'ä'.repeat(10_000)
      expect((await create(product({ description }))).body.product.description).toBe(description)
    })

    it.each(awkwardReferences)('stores a reference with %s', async (_, reference) => {
      expect((await create(product({ reference }))).status).toBe(201)
      expect((await create(product({ reference }))).status).toBe(200)
      expect(await find(reference)).toMatchObject({ reference })
    })
  })
})

describe('Get Products', () => {
  it('returns a bare array, oldest first, of this Provider only', async () => {
    const own = await makeProvider(holdfast.crm)
    expect(await list(own)).toEqual([])
    const first = await makeProduct(holdfast.crm, own)
    const second = await makeProduct(holdfast.crm, own)
    const { status, body } = await holdfast.crm.get(`${own.path}/products`)
    expect(status).toBe(200)
    expect(body).toEqual([first, second])
  })

  it('returns 404 for an unknown Provider, and for one of another CRM', async () => {
    const theirs = await makeProvider(holdfast.otherCrm)
    for (const path of ['/provider/nothing', theirs.path])
      expectRefusal(await holdfast.crm.get(`${path}/products`), 404, 'not-found')
  })
})

it('Products are served under the older prefix', async () => {
  const headers = { 'x-service-client-id': holdfast.crm.key }
  const path = `/rest/1/crms/crm${provider.path}/products`
  const { status, body } = await call(holdfast.app, 'POST', path, product(), { headers })
  expect(status).toBe(201)
  expect((await call(holdfast.app, 'GET', path, undefined, { headers })).body).toContainEqual(body.product)
})
