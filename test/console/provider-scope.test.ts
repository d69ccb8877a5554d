// Staff and owners of one Provider at the closures, holidays, blocks and logo of another one in the same CRM.

import { expect, it } from 'vitest'
import { makePractice, setProvider } from '../support/build.ts'
import { asStaff } from '../support/logins.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const [mine, theirs] = [await makePractice(holdfast.crm), await makePractice(holdfast.crm)]
const ask = await asStaff(holdfast, mine.owner)

const closed = { from: '2030-01-07', to: '2030-01-08', reason: 'Closed' }
const closuresOf = async ({ uuid }: typeof mine) =>
  (await consoleCall(holdfast.app, 'GET', `/providers/${uuid}/closures`)).body.closures.length

it.each<[string, string, object]>([
  ['a closure', `/providers/${theirs.uuid}/closures`, closed],
  ['public holidays', `/providers/${theirs.uuid}/holidays`, { country: 'DE', year: 2030 }],
  ['a block', `/resources/${theirs.resourceUuid}/blocks`, closed],
  [
    'a closure of a foreign Resource',
    `/providers/${mine.uuid}/closures`,
    { ...closed, resources: [theirs.resourceUuid] },
  ],
])('an owner cannot add %s at another business', async (_, path, body) => {
  const { status } = await ask('POST', path, body)
  expect([400, 404]).toContain(status)
  expect([await closuresOf(mine), await closuresOf(theirs)]).toEqual([0, 0])
})

it('an owner cannot change or delete a closure of another business, under either path', async () => {
  const path = `/providers/${theirs.uuid}/closures`
  const { body } = await consoleCall(holdfast.app, 'POST', path, closed)
  for (const provider of [mine, theirs])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await ask(method, `/providers/${provider.uuid}/closures/${body.closure.uuid}`, closed)).status,
      ).toBe(404)
  expect(await closuresOf(theirs)).toBe(1)
})

it('a picture that is also a page is served as a picture that can do nothing', async () => {
  const script = '<html><script>alert(document.domain)</script>'
  const save = (text: string) =>
    ask('PUT', `/providers/${mine.uuid}/logo`, { data: Buffer.from(text, 'latin1').toString('base64') })
  expect((await save(script)).status).toBe(400)
  expect((await save(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)).status).toBe(400)
  const saved = await save(`GIF89a/*${script}*/=1;`)
  expect(saved.status).toBe(200)
  const served = await call(holdfast.app, 'GET', new URL(saved.body.logoUrl).pathname)
  expect(served.headers).toMatchObject({
    'content-type': 'image/gif',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
})

it('finds businesses by the beginnings of words in their name, reference or CRM, and only visible ones', async () => {
  await setProvider(holdfast, mine.uuid, { name: 'Praxis Dr. Möller-Lindt' })
  await setProvider(holdfast, theirs.uuid, { name: 'Salon Möller' })
  const names = async (search: string, as = ask) => {
    const { status, body } = await as('GET', `/session?search=${encodeURIComponent(search)}`)
    expect(status).toBe(200)
    return body.providers.map((one: { name: string }) => one.name)
  }
  const asOperator: typeof ask = (method, path) => consoleCall(holdfast.app, method, path)
  expect(await names('möl', asOperator)).toEqual(['Praxis Dr. Möller-Lindt', 'Salon Möller'])
  expect(await names('lin prax', asOperator)).toEqual(['Praxis Dr. Möller-Lindt'])
  expect(await names("'; & | :* \\", asOperator)).toHaveLength(2)
  expect(await names('öller', asOperator)).toEqual([])
  expect(await names('crm', asOperator)).toHaveLength(2)
  expect([await names('möl'), await names('salon'), await names('crm')]).toEqual([
    ['Praxis Dr. Möller-Lindt'],
    [],
    ['Praxis Dr. Möller-Lindt'],
  ])
  const { body } = await ask('GET', `/session?search=salon&provider=${theirs.uuid}`)
  expect(body.providers).toEqual([])
  const own = await ask('GET', `/session?search=salon&provider=${mine.uuid}`)
  expect(own.body.providers).toMatchObject([{ uuid: mine.uuid }])
  const crms = (await asOperator('GET', '/crms?search=cr')).body.crms
  expect(crms.map((one: { name: string }) => one.name)).toEqual(['crm'])
})
