// The console's own API: who I am, the day's diary, who waits for an answer. And the page that the console runs in.

import { describe, expect, it } from 'vitest'
import { inviteOperator, inviteStaff } from '../../src/actions/console/login.ts'
import { makePractice, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { asInvited, asStaff } from '../support/logins.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()

async function logInWith(link: string) {
  const ask = await asInvited(holdfast, link)
  return (path: string) => ask('GET', path)
}
const asOperator = async () => logInWith(await inviteOperator(holdfast.service, 'op@example.org'))
const asOwner = async ({ owner }: Practice) => logInWith(await inviteStaff(holdfast.service, 'crm', owner))

async function practiceWith(process: 'IMMEDIATE' | 'REQUESTED', message: string) {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
  await setChannel(holdfast, practice.resourceUuid, { bookingProcess: process })
  const consumer = asConsumer(overApp(holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const person = { ...newPerson(), message }
  expect((await consumer.complete(practice.resource, bookingOf(slot!, person))).status).toBe(201)
  return { practice, slot: slot!, person }
}

/** The Provider of the practice, as its owner's session shows it. */
async function providerOf(ask: Awaited<ReturnType<typeof logInWith>>, { reference }: Practice) {
  const { body } = await ask('/session')
  return body.providers.find((one: { reference: string }) => one.reference === reference)
}

describe('the session', () => {
  it('lists the Providers a person has access to, with their role', async () => {
    const mine = await makePractice(holdfast.crm)
    const other = await makePractice(holdfast.crm)
    const owner = await asOwner(mine)
    const { status, body } = await owner('/session')
    expect(status).toBe(200)
    expect(body.me).toMatchObject({ role: 'staff', crm: 'crm', hasPassword: false })
    expect(body.providers.map((one: { reference: string }) => one.reference)).toEqual([mine.reference])
    expect(body.providers[0]).toMatchObject({ role: 'owner', timeZone: 'Europe/Berlin' })
    const operator = await asOperator()
    expect(await providerOf(operator, other)).toMatchObject({ role: 'operator', crm: 'crm' })
  })

  it('is refused without a login', async () => {
    expect((await call(holdfast.app, 'GET', '/console/api/session')).status).toBe(401)
  })
})

describe('the diary', () => {
  it('shows the day with all participants, to those with access', async () => {
    const { practice, slot, person } = await practiceWith('IMMEDIATE', 'Is the lift working?')
    const owner = await asOwner(practice)
    const { uuid } = await providerOf(owner, practice)
    const day = slot.start.slice(0, 10)
    const { status, body } = await owner(`/providers/${uuid}/diary?from=${day}`)
    expect(status).toBe(200)
    expect(body.entries).toHaveLength(1)
    expect(Date.parse(body.entries[0].start)).toBe(Date.parse(slot.start))
    expect(body.entries[0].people).toMatchObject([
      { state: 'BOOKED', email: person.email, note: 'Is the lift working?' },
    ])
    const stranger = await asOwner(await makePractice(holdfast.crm))
    expect((await stranger(`/providers/${uuid}/diary?from=${day}`)).status).toBe(404)
  })

  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-03-04&to=2026-03-04', 'to'],
    ['from=2026-03-04&to=2026-06-04', 'to'],
  ])('refuses %s', async (query, field) => {
    const practice = await makePractice(holdfast.crm)
    const owner = await asOwner(practice)
    const { uuid } = await providerOf(owner, practice)
    const { status, body } = await owner(`/providers/${uuid}/diary?${query}`)
    expect([status, body.errors[0].field]).toEqual([400, field])
  })
})

it('counts who waits for an answer', async () => {
  const { practice } = await practiceWith('REQUESTED', '')
  const owner = await asOwner(practice)
  const { uuid } = await providerOf(owner, practice)
  expect((await owner(`/providers/${uuid}/requests/count`)).body).toEqual({ count: 1 })
})

describe('the page', () => {
  it('is the same for every address of the console, and takes nothing from elsewhere', async () => {
    for (const path of ['/console', '/console/calendar?date=2026-03-04']) {
      const page = await call(holdfast.app, 'GET', path)
      expect(page.status).toBe(200)
      expect(String(page.headers['content-security-policy'])).toContain("script-src 'self'")
      expect(String(page.headers['content-security-policy'])).not.toContain('unsafe')
      const [script] = page.text.match(/\/console\/assets\/console-[\w-]+\.js/)!
      expect((await call(holdfast.app, 'GET', script)).headers['content-type']).toContain('javascript')
    }
    expect((await call(holdfast.app, 'GET', '/console/assets/..%2fmanifest.json')).status).toBe(404)
  })
})

describe('requests', () => {
  async function waiting() {
    const { practice, person } = await practiceWith('REQUESTED', 'Please call me')
    const ask = await asStaff(holdfast, practice.owner)
    const list = () => ask('GET', `/providers/${practice.uuid}/requests`)
    return { practice, person, ask, list }
  }

  it('are listed with the customer and their message', async () => {
    const { list, person } = await waiting()
    const { body } = await list()
    expect(body).toMatchObject({
      count: 1,
      requests: [{ email: person.email, note: 'Please call me', booked: 0 }],
    })
  })

  it('are accepted once: a second answer is refused as too late', async () => {
    const { list, ask } = await waiting()
    const [{ uuid }] = (await list()).body.requests
    expect((await ask('POST', `/participations/${uuid}/decide`, { answer: 'accept' })).body.state).toBe(
      'BOOKED',
    )
    const late = await ask('POST', `/participations/${uuid}/decide`, { answer: 'decline' })
    expect([late.status, late.body.errors[0].errorCode]).toEqual([409, 'transition-not-allowed'])
    expect((await list()).body.requests).toEqual([])
  })

  it('cannot be answered by others', async () => {
    const { list } = await waiting()
    const [{ uuid }] = (await list()).body.requests
    const stranger = await waiting()
    expect((await stranger.ask('POST', `/participations/${uuid}/decide`, { answer: 'accept' })).status).toBe(
      404,
    )
  })
})
