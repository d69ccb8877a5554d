import { expect, it } from 'vitest'
import { makeCustomer, makePractice, makeProvider, setProvider } from '../support/build.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()

it('the activity log shows who did what, newest first, in pages', async () => {
  const practice = await makePractice(holdfast.crm)
  await makeProvider(holdfast.crm)
  await makeCustomer(holdfast.crm, practice)
  await setProvider(holdfast, practice.uuid, { name: 'Other name' })
  const ask = async (query: string) => (await consoleCall(holdfast.app, 'GET', `/audit?${query}`)).body
  const first = await ask('limit=1')
  expect(first.events).toMatchObject([
    { kind: 'provider.changed', provider: practice.reference, actor: { kind: 'console', name: 'token' } },
  ])
  const second = await ask(`limit=1&before=${first.next}`)
  expect(second.events).toMatchObject([{ kind: 'customer.created', actor: { kind: 'key' } }])
  expect((await ask('limit=1&about=customer&actor=key')).entries).toEqual(second.entries)
  const all = await ask('limit=200')
  expect(all.next).toBeNull()
  expect(all.entries.slice(0, 2)).toEqual([...first.entries, ...second.entries])
  expect(all.events).toEqual(all.entries)
})
