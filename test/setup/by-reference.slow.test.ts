import { expect, it } from 'vitest'
import { eventCount, makeAccount, makeCustomer, makePractice, makeUser } from '../support/build.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

// Users, Accounts and Providers are changed and deleted by reference.

const holdfast = await useService()
const { crm } = holdfast
const practice = await makePractice(crm)
const at = (what: string, reference: string) => `/${what}/${encodeURIComponent(reference)}`
const stale = { headers: { 'if-match': '"old"' } }

/** The records before and after a change with its ETag, which the second of two changes fails. */
async function changeOnce(path: string, noun: string, change: object) {
  const { headers, body } = await crm.get(path)
  const fresh = { headers: { 'if-match': String(headers.etag) } }
  const both = await Promise.all([
    crm.put(path, change, fresh),
    crm.put(path, { ...change, email: null }, stale),
  ])
  expect(both.map(one => one.status)).toEqual([200, 412])
  expect(both[0]!.body[noun]).toMatchObject({ ...body[noun], ...change })
  const before = await eventCount(holdfast)
  expect((await crm.put(path, change)).status).toBe(200)
  expect(await eventCount(holdfast)).toBe(before)
  expectRefusal(await crm.put(path.replace(/[^/]+$/, 'missing'), change), 404, 'not-found')
}

it('changes names and numbers of a User, and nothing of the login', async () => {
  const { reference, email, username } = await makeUser(crm)
  await changeOnce(at('user', reference), 'user', { firstName: 'Mia', lastName: 'Lund', mobile: '+49 170 1' })
  await crm.put(at('user', reference), { email: 'other@example.org', username: 'other' })
  expect((await crm.get(at('user', reference))).body.user).toMatchObject({
    email,
    username,
    lastName: 'Lund',
  })
})

it('changes an Account and its owner', async () => {
  const path = at('account', await makeAccount(crm, practice.owner))
  const { reference: ownerReference } = await makeUser(crm)
  await changeOnce(path, 'account', { ownerReference, invoiceCompanyName: 'Harbour' })
  expectRefusal(await crm.put(path, { branch: 'nonsense' }), 404, 'unknown-branch', 'branch')
  expectRefusal(await crm.put(path, { ownerReference: 'missing' }), 404, 'not-found', 'ownerReference')
})

it('changes a Provider', async () => {
  const path = at('provider', practice.reference)
  await changeOnce(path, 'provider', { name: 'Harbour', phone: '+49 40 1', timeZone: 'Europe/Paris' })
  expectRefusal(await crm.put(path, { timeZone: 'Mars/Olympus' }), 400, 'invalid-field', 'timeZone')
  expectRefusal(await crm.put(path, { branch: 'nonsense' }), 404, 'unknown-branch', 'branch')
})

it('deletes an Account without Providers, and names them otherwise', async () => {
  const refused = await crm.delete(at('account', practice.account))
  expectRefusal(refused, 409, 'in-use')
  expect(messageOf(refused)).toContain(practice.reference)
  const path = at('account', await makeAccount(crm, practice.owner))
  expectRefusal(await crm.delete(path, undefined, stale), 412, 'precondition-failed', 'If-Match')
  expect((await crm.delete(path)).status).toBe(204)
  expectRefusal(await crm.get(path), 404, 'not-found')
})

it('deletes a Provider without Resources and Customers, with staff and Products', async () => {
  const leaver = await makePractice(crm)
  const { path, reference, account, owner, resource, product } = leaver
  const itself = at('provider', reference)
  const { customerReference } = await makeCustomer(crm, leaver)
  const refused = await crm.delete(itself)
  expectRefusal(refused, 409, 'in-use')
  expect(messageOf(refused)).toContain(`Resource ${resource}, 1 Customer.`)
  await crm.delete(`${path}/resources/${encodeURIComponent(resource)}`)
  await crm.delete(`${path}/customers/${encodeURIComponent(customerReference)}`)
  expectRefusal(await crm.delete(itself, undefined, stale), 412, 'precondition-failed', 'If-Match')
  expect((await crm.delete(itself)).status).toBe(204)
  expectRefusal(await crm.delete(itself), 404, 'not-found')
  expectRefusal(await crm.get(`${path}/products`), 404, 'not-found')
  expect((await crm.get('/provider')).body).not.toContainEqual(expect.objectContaining({ reference }))
  const { body } = await crm.get('/events?kinds=staff.removed,product.deleted,provider.deleted')
  const told = body.events.filter((one: { provider: string }) => one.provider === reference)
  expect(told.slice(-3)).toMatchObject([
    { kind: 'staff.removed', data: { reference: owner } },
    { kind: 'product.deleted', data: { reference: product, product: null } },
    { kind: 'provider.deleted', data: { reference, provider: null } },
  ])
  // Account, owner and reference are free again.
  const again = { reference, ownerReference: owner, accountReference: account, name: 'Again' }
  const created = await crm.post('/provider', again)
  expect(created.status).toBe(201)
  expect((await crm.get(`${path}/products`)).body).toEqual([])
  expect((await crm.delete(itself)).status).toBe(204)
  expect((await crm.delete(at('account', account))).status).toBe(204)
  expect((await crm.delete(at('user', owner))).status).toBe(204)
})

it('a Provider that gets a Resource or Customer while being deleted keeps both or has neither', async () => {
  for (let round = 0; round < 4; round++) {
    const { path, reference, resource } = await makePractice(crm)
    await crm.delete(`${path}/resources/${encodeURIComponent(resource)}`)
    const record = { reference: 'late', publicName: 'Late', internalName: 'Late' }
    const person = { customerReference: 'late', providerReference: reference, userName: 'Late' }
    const [added, deleted] = await Promise.all([
      round % 2 ? crm.post(`${path}/resources`, record) : crm.post(`${path}/customers`, person),
      crm.delete(at('provider', reference)),
    ])
    expect([added.status, deleted.status]).toEqual(added.status === 201 ? [201, 409] : [404, 204])
  }
})

it('deletes a User that nothing depends on; the last owner stays', async () => {
  expectRefusal(await crm.delete(at('user', practice.owner)), 409, 'owner')
  const { reference, email } = await makeUser(crm)
  const path = at('user', reference)
  await crm.post(`${practice.path}/staff`, { userReference: reference })
  const refused = await crm.delete(path)
  expectRefusal(refused, 409, 'in-use')
  expect(messageOf(refused)).toContain(`staff of the Provider ${practice.reference}`)
  await crm.delete(`${practice.path}/staff/${encodeURIComponent(reference)}`)
  expect((await crm.delete(path)).status).toBe(204)
  expectRefusal(await crm.get(path), 404, 'not-found')
  const rows = await holdfast.query('select from app_user where email = $1', [email])
  expect(rows).toEqual([])
})

it('a User who is made staff or owner while being deleted is one of both', async () => {
  for (let round = 0; round < 3; round++) {
    const { reference } = await makeUser(crm)
    const [added, deleted] = await Promise.all([
      crm.post(`${practice.path}/staff`, { userReference: reference }),
      crm.delete(at('user', reference)),
    ])
    expect([added.status, deleted.status]).toEqual(added.status === 201 ? [201, 409] : [404, 204])
  }
})
