import { describe, expect, it } from 'vitest'
import { makeAccount, makeUser, unique } from '../support/build.ts'
import { awkwardReferences, keepsHostileText, wrongReferences } from '../support/hostile.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()
const owner = (await makeUser(holdfast.crm)).reference

const invoiceAddress = { city: 'Berlin', zip: '10115', street: 'Hauptstr.', number: '5a', countryCode: 'DE' }
const unset = {
  invoiceAddress: null,
  invoiceContactName: null,
  invoiceCompanyName: null,
  invoiceTaxId: null,
  email: null,
}

const account = (fields: object = {}) => ({
  ownerReference: owner,
  accountReference: unique('account'),
  branch: 'real-estate',
  ...fields,
})

const create = (body: object) => holdfast.crm.post('/account', body)
const get = (reference: string) => holdfast.crm.get(`/account/${encodeURIComponent(reference)}`)

describe('Create Account', () => {
  it('returns 201 for a new Account, with null for unset fields', async () => {
    const body = account()
    const { status, body: answer } = await create(body)
    expect(status).toBe(201)
    expect(answer).toEqual({ 'api-info': { version: '1' }, account: { ...body, ...unset } })
  })

  it('stores everything that is sent', async () => {
    const body = account({
      invoiceAddress,
      invoiceContactName: 'Anna Berg',
      invoiceCompanyName: 'Berg GmbH',
      invoiceTaxId: 'DE123',
      email: 'invoice@example.org',
    })
    expect((await create(body)).body.account).toEqual(body)
    expect((await get(body.accountReference)).body.account).toEqual(body)
  })

  it('returns 200 for a known reference and overwrites nothing', async () => {
    const body = account({ invoiceAddress, email: 'old@example.org' })
    const { body: first } = await create(body)
    const otherOwner = (await makeUser(holdfast.crm)).reference
    const change = { ownerReference: otherOwner, branch: 'misc', invoiceTaxId: 'new', invoiceAddress: null }
    const { status, body: again } = await create({ ...body, ...change })
    expect(status).toBe(200)
    expect(again).toEqual(first)
    expect((await get(body.accountReference)).body).toEqual(first)
  })

  it('checks no other field of a known reference', async () => {
    const body = account()
    const { body: first } = await create(body)
    for (const change of [{ ownerReference: 'nobody@plat' }, { branch: 'bakery' }]) {
      const { status, body: again } = await create({ ...body, ...change })
      expect([status, again]).toEqual([200, first])
    }
  })

  it('accepts the same reference in two CRMs for two Accounts', async () => {
    const body = account()
    await create(body)
    const { reference } = await makeUser(holdfast.otherCrm)
    const { status, body: theirs } = await holdfast.otherCrm.post('/account', {
      ...body,
      ownerReference: reference,
    })
    expect(status).toBe(201)
    expect(theirs.account.ownerReference).toBe(reference)
  })

  it.each(['real-estate', 'facilities', 'handyman', 'sports-and-leisure', 'misc'])(
    'accepts the branch %s',
    async branch => {
      expect((await create(account({ branch }))).status).toBe(201)
    },
  )

  it('ignores unknown fields, also inside the address', async () => {
    const body = account({ invoiceAddress })
    const odd = {
      ...body,
      id: 7,
      archived: 'x',
      invoiceAddress: { ...invoiceAddress, planet: { name: 'Earth' } },
    }
    const { status, body: answer } = await create(odd)
    expect(status).toBe(201)
    expect(answer.account).toEqual({ ...unset, ...body })
    const rows = await holdfast.query('select invoice_address from account where reference = $1', [
      body.accountReference,
    ])
    expect(rows[0].invoice_address).toEqual(invoiceAddress)
  })

  describe('refuses', () => {
    requires({ ownerReference: 'text', accountReference: 'text', branch: 'text' }, account, create)
    requires(
      {
        'invoiceAddress.city': 'text',
        'invoiceAddress.zip': 'text',
        'invoiceAddress.street': 'text',
        'invoiceAddress.number': 'text',
        'invoiceAddress.countryCode': 'text',
      },
      () => account({ invoiceAddress }),
      create,
    )

    it('an unknown owner', async () => {
      const refused = await create(account({ ownerReference: 'nobody@plat' }))
      expectRefusal(refused, 404, 'not-found', 'ownerReference')
      expect(messageOf(refused)).toBe('no user found for ownerReference')
    })

    it('an owner of another CRM', async () => {
      const { reference } = await makeUser(holdfast.otherCrm)
      expectRefusal(await create(account({ ownerReference: reference })), 404, 'not-found', 'ownerReference')
    })

    it.each(['bakery', 'MISC', ' misc'])('the branch %j', async branch => {
      const refused = await create(account({ branch }))
      expectRefusal(refused, 404, 'unknown-branch', 'branch')
      expect(messageOf(refused)).toMatch(new RegExp(`^Unable to find specified branch\\. Was ${branch}`))
    })

    it.each(['account', 'account@', '@plat', 'a b@plat', 'a@pl at', ' a@plat'])(
      'the reference %j, which has another form',
      async accountReference => {
        const refused = await create(account({ accountReference }))
        expectRefusal(refused, 404, 'invalid-reference', 'accountReference')
        expect(
          messageOf(refused).startsWith(`Unable to parse account reference. Was ${accountReference}`),
        ).toBe(true)
      },
    )

    it.each(wrongReferences)('a reference with %s', async (_, accountReference) => {
      expectRefusal(await create(account({ accountReference })), 400, 'invalid-field', 'accountReference')
    })

    it.each(['D', 'DEUT', '12', 'D-'])('the country code %j', async countryCode => {
      const body = account({ invoiceAddress: { ...invoiceAddress, countryCode } })
      expectRefusal(await create(body), 400, 'invalid-field', 'invoiceAddress.countryCode')
    })

    it.each([' ', 'no-at-sign', 'a b@c.d', 'a@b..de'])('the email %j', async email => {
      expectRefusal(await create(account({ email })), 400, 'invalid-field', 'email')
    })

    it('and stores nothing', async () => {
      const body = account({ branch: 'bakery' })
      await create(body)
      expectRefusal(await get(body.accountReference), 404, 'not-found')
    })
  })

  describe('optional fields', () => {
    allows(
      {
        invoiceAddress: 'object',
        invoiceContactName: 'text',
        invoiceCompanyName: 'text',
        invoiceTaxId: 'text',
        email: 'text',
      },
      account,
      create,
    )
  })

  describe('hostile text', () => {
    keepsHostileText(
      ['invoiceContactName', 'invoiceCompanyName', 'invoiceTaxId'],
      fields => create(account(fields)),
      async ({ body }) => (await get(body.account.accountReference)).body.account,
    )

    it('is refused inside an address, at any depth', async () => {
      const depth = 100_000
      const body = JSON.stringify(account({ invoiceAddress: { ...invoiceAddress, deep: 0 } }))
      const deep = body.replace('"deep":0', `"deep":${'['.repeat(depth)}${']'.repeat(depth)}`)
      const { status } = await holdfast.crm.post('/account', deep)
      expect([201, 400]).toContain(status)
    })
  })
})

describe('Get Account', () => {
  it('returns 404 for an unknown reference', async () => {
    expectRefusal(await get('nothing@plat'), 404, 'not-found')
  })

  it('does not return the Account of another CRM', async () => {
    const { reference } = await makeUser(holdfast.otherCrm)
    expectRefusal(await get(await makeAccount(holdfast.otherCrm, reference)), 404, 'not-found')
  })

  const ofTheForm = awkwardReferences.filter(([_key, reference]) => /^\S+@\S+$/.test(reference))
  it.each(ofTheForm)('finds a reference with %s', async (_, accountReference) => {
    expect((await create(account({ accountReference }))).status).toBe(201)
    const { status, body } = await get(accountReference)
    expect(status).toBe(200)
    expect(body.account.accountReference).toBe(accountReference)
  })
})

it('Accounts are served under the older prefix', async () => {
  const headers = { 'x-service-client-id': holdfast.crm.key }
  const body = account()
  const made = await call(holdfast.app, 'POST', '/rest/1/crms/crm/account', body, { headers })
  expect(made.status).toBe(201)
  const path = `/rest/1/crms/crm/account/${encodeURIComponent(body.accountReference)}`
  expect((await call(holdfast.app, 'GET', path, undefined, { headers })).body).toEqual(made.body)
})
