// The console's first page: who waits for an answer, for those whom it concerns.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { inviteOperator, inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { makePractice, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, form, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { call, startTestService, type TestService } from '../support/service.ts'

let test: TestService
beforeAll(async () => {
  test = await startTestService()
})
afterAll(() => test.close())

async function pageFor(link: string): Promise<string> {
  const session = await logInByLink(test.service, link.split('/').at(-1)!)
  const page = await call(test.app, 'GET', '/console', undefined, {
    headers: { cookie: `holdfast_session=${session}` },
  })
  expect(page.status).toBe(200)
  return page.text
}
const asOperator = async () => pageFor(await inviteOperator(test.service, 'op@example.org'))
const asOwner = async ({ owner }: Practice) => pageFor(await inviteStaff(test.service, 'crm', owner))

async function practiceThatIsAsked(message: string) {
  const practice = await makePractice(test.crm)
  await makeTimeslot(test.crm, practice)
  await setChannel(test, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  const consumer = asConsumer(overApp(test.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const person = { ...newPerson(), firstname: '<b>Mara</b>', message }
  expect((await consumer.complete(practice.resource, bookingOf(slot!, person))).status).toBe(201)
  return practice
}

it('says so when nobody waits', async () => {
  expect(await asOperator()).toContain('Nobody waits for an answer.')
})

it('shows requests to the staff of their Provider and to operators, with links that decide', async () => {
  const mine = await practiceThatIsAsked('Is the lift working?')
  const other = await practiceThatIsAsked('Somebody else’s question')
  const page = await asOwner(mine)
  expect(page).toContain('Requests (1)')
  expect(page).toContain('Is the lift working?')
  expect(page).not.toContain('Somebody else’s question')
  expect(page).not.toContain('<b>Mara')
  expect(await asOperator()).toContain('Requests (2)')

  const accept = page.match(/href="([^"]+\/accept\/[^"]+)"/)![1]!
  expect((await call(test.app, 'GET', new URL(accept).pathname)).status).toBe(200)
  const done = await call(test.app, 'POST', new URL(accept).pathname, 'message=', { headers: form })
  expect(done.status).toBe(200)
  expect(await asOwner(mine)).toContain('Nobody waits for an answer.')
  expect(await asOwner(other)).toContain('Requests (1)')
})
