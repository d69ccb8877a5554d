import { describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeConsumer,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  makeUser,
  type Practice,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { asStaff } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, useService } from '../support/service.ts'

// Anyone can book with any email address. The details they enter are stored, but shown to no one until confirmed.

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))

const lie = { firstname: 'Hacked', lastname: 'Mallory', mobile: '+49 171 6660666' }
const traces = /Hacked|Mallory|6660666/

async function roomOf(contact?: string) {
  const room = await makeRoom(holdfast.crm, practice, contact ? { contact } : {})
  await makeTimeslot(holdfast.crm, room)
  return room
}
const book = async (where: Practice, fields: object) => {
  const body = bookingOf(slotsOf(await consumer.list(where.resource))[0]!, { ...fields })
  expect((await consumer.complete(where.resource, body)).status).toBe(201)
  return body.email
}
const publicContact = async ({ resource }: Practice) =>
  (await consumer.send('POST', `/resources/public_data?ref=${encodeURIComponent(resource)}`)).body.contact

/** What is published about the contact of this Resource. */
async function published(where: Practice, userReference: string) {
  const path = `/user/${encodeURIComponent(userReference)}/generalContactProfile`
  const [slot] = slotsOf(await consumer.list(where.resource))
  const [mail] = await mailsTo(holdfast, await book(where, {}))
  return JSON.stringify([
    await publicContact(where),
    slot!.contact_channel,
    mail,
    (await holdfast.crm.get(path)).body,
  ])
}

it('data a stranger entered about a contact stays hidden until the CRM sends it', async () => {
  const user = await makeUser(holdfast.crm)
  const where = await roomOf(user.reference)
  await book(where, { ...lie, email: user.email })
  const { body } = await holdfast.crm.get(`/user/${encodeURIComponent(user.reference)}`)
  expect(body.user).toMatchObject({ firstName: 'Hacked', lastName: 'Berg', mobile: lie.mobile })
  expect(await published(where, user.reference)).not.toMatch(traces)

  await holdfast.crm.post('/user', { ...user, lastName: 'Berg', mobile: '+49 171 1' })
  expect(await publicContact(where)).toMatchObject({ name: 'Berg', mobile: '+49 171 1' })
  await holdfast.crm.post('/user', { ...user, lastName: 'Berg', firstName: 'Ada' })
  expect((await publicContact(where)).name).toBe('Ada Berg')
})

it('the CRM hears what a booking filled in about its own people, once', async () => {
  const user = await makeUser(holdfast.crm)
  const { customerReference } = await makeCustomer(holdfast.crm, practice, { email: user.email })
  const where = await roomOf()
  const heard = async () => {
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    await book(where, { firstname: 'Ada', lastname: 'Berg', mobile: '+49 171 5550555', email: user.email })
    const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
    return events
      .filter((one: { kind: string }) => one.kind.endsWith('.changed'))
      .map((one: Told) => [one.kind, one.data.reference, one.provider, one.actor.kind])
  }
  expect(await heard()).toEqual([
    ['user.changed', user.reference, null, 'consumer'],
    ['customer.changed', customerReference, practice.reference, 'consumer'],
  ])
  expect(await heard()).toEqual([])
})

type Told = {
  kind: string
  provider: string | null
  actor: { kind: string }
  data: { reference: string | null }
}

it('nor what they said before the CRM made the contact of them', async () => {
  const email = `${unique('early').replace('@plat', '')}@example.org`
  await makeConsumer(holdfast, email)
  await holdfast.query(
    `update app_user set first_name = 'Hacked', last_name = 'Mallory', mobile = '6660666' where email = $1`,
    [email],
  )
  const user = await makeUser(holdfast.crm, { email, phone: '030 1' })
  expect(JSON.stringify(await mailsTo(holdfast, email))).not.toMatch(traces)
  const where = await roomOf(user.reference)
  expect(await published(where, user.reference)).not.toMatch(traces)
})

it('a number that a stranger gave a Customer goes into no booking of theirs until the CRM says it', async () => {
  const { customerReference, email } = await makeCustomer(holdfast.crm, practice, { mobile: null })
  await book(await roomOf(), { ...lie, email })
  const take = async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const { reference: name } = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', {
      customerReference,
    })
    const { body } = await holdfast.crm.get(`${practice.path}/appointments`)
    const { participations } = body.find((one: { reference: string }) => one.reference === reference)
    return participations.find((one: { reference: string }) => one.reference === name).mobile
  }
  expect(await take()).toBeNull()
  const where = await roomOf()
  const {
    email: _,
    firstname,
    lastname,
    ...rest
  } = bookingOf(slotsOf(await consumer.list(where.resource))[0]!)
  expect((await consumer.complete(where.resource, { ...rest, customer_id: customerReference })).status).toBe(
    201,
  )
  expect((await mailsTo(holdfast, practice.ownerEmail)).at(-1)!.text).not.toMatch(traces)

  const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
  await holdfast.crm.put(path, { mobile: '+49 171 2' })
  expect(await take()).toBe('+49 171 2')
})

describe('the page that only mails to the person’s own address lead to', () => {
  const linkIn = async (email: string) => {
    const [mail] = (await mailsTo(holdfast, email)).filter(({ kind }) => kind === 'booked').slice(-1)
    return /https?:[^\s]+\/details\/([\w.-]+)/.exec(mail!.text)?.[1] ?? null
  }
  const open = (token: string) => call(holdfast.app, 'GET', `/details/${token}`)
  const markIn = (text: string) => /name="mark" value="([\w-]+)"/.exec(text)?.[1] ?? ''
  const settle = (token: string, answer: string, mark: string) =>
    call(holdfast.app, 'POST', `/details/${token}`, new URLSearchParams({ answer, mark }).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('shows what was said, and publishes it once they say that it is right', async () => {
    const user = await makeUser(holdfast.crm)
    const where = await roomOf(user.reference)
    const body = bookingOf(slotsOf(await consumer.list(where.resource))[0]!, { ...lie, email: user.email })
    const booked = await consumer.complete(where.resource, body)
    expect(JSON.stringify(booked.body)).not.toContain('/details/')
    const token = (await linkIn(user.email))!
    const { text } = await open(token)
    expect(text).toContain('Hacked')
    expect(text).toContain(lie.mobile)
    expect(text).not.toContain('Mallory')
    expect(JSON.stringify(await publicContact(where))).not.toMatch(traces)

    // What was not shown is not confirmed.
    const again = await settle(token, 'keep', 'another-mark')
    expect(markIn(again.text)).toBe(markIn(text))
    expect(JSON.stringify(await publicContact(where))).not.toMatch(traces)

    expect((await settle(token, 'keep', markIn(text))).status).toBe(200)
    expect(await publicContact(where)).toMatchObject({ name: 'Hacked Berg', mobile: lie.mobile })
    expect(markIn((await open(token)).text)).toBe('')
  })

  it('deletes it when they say that it is not', async () => {
    const user = await makeUser(holdfast.crm)
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice, {
      email: user.email,
      mobile: null,
    })
    await book(await roomOf(user.reference), { ...lie, email })
    const token = (await linkIn(email))!
    expect((await settle(token, 'drop', markIn((await open(token)).text))).status).toBe(200)
    const { body } = await holdfast.crm.get(`/user/${encodeURIComponent(user.reference)}`)
    expect(body.user).toMatchObject({ firstName: null, lastName: 'Berg', mobile: null })
    const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
    expect((await holdfast.crm.get(path)).body.customer.mobile).toBeNull()
  })

  it('is not offered to a booker with that person’s number and another address', async () => {
    await makeUser(holdfast.crm, { mobile: '+49 171 9990001' })
    const email = await book(await roomOf(), { ...lie, mobile: '+49 171 9990001' })
    expect(await linkIn(email)).toBeNull()
  })

  it('is not offered without unconfirmed data, and opens with no other token', async () => {
    const email = await book(await roomOf(), {})
    expect(await linkIn(email)).toBeNull()
    expect((await open('no-token')).status).toBe(404)
    expect((await settle('no-token', 'keep', '')).status).toBe(404)
  })
})

type Person = { reference: string; uuid: string; name: string; unconfirmed: { mark: string } }

describe('in the console', () => {
  let number = 0
  /** A number that is not in use yet. */
  const anotherLie = () => ({ ...lie, mobile: `+49 171 66606${70 + number++}` })
  const traces = /Hacked|Mallory|66606\d\d/
  const asOwner = () => asStaff(holdfast, practice.owner)

  it('the owner sees what was said of one of the staff, and publishes or deletes it', async () => {
    const owner = await asOwner()
    const people = `/providers/${practice.uuid}/people`
    for (const keep of [true, false]) {
      const user = await makeUser(holdfast.crm)
      await holdfast.crm.post(`${practice.path}/staff`, { userReference: user.reference })
      const where = await roomOf(user.reference)
      const details = anotherLie()
      await book(where, { ...details, email: user.email })
      const find = (list: { people: Person[] }) => list.people.find(one => one.reference === user.reference)!
      const { uuid, name, unconfirmed } = find((await owner('GET', people)).body)
      expect(name).toBe('Berg')
      const { mark, ...said } = unconfirmed
      expect(said).toEqual({ firstName: 'Hacked', lastName: null, mobile: details.mobile })

      const answer = (fields: object) => owner('POST', `${people}/${uuid}/details`, { keep, mark, ...fields })
      expectRefusal(await answer({ mark: 'another' }), 409, 'changed', 'mark')
      expect(await published(where, user.reference)).not.toMatch(traces)
      const settled = await answer({})
      expect(find(settled.body)).toMatchObject({ name: keep ? 'Hacked Berg' : 'Berg', unconfirmed: null })
      expect(traces.test(await published(where, user.reference))).toBe(keep)
      expect((await answer({})).status).toBe(200)
    }
  })

  it('leaves what was said of them as a Customer to those whose Customer they are', async () => {
    const owner = await asOwner()
    const other = await makePractice(holdfast.crm)
    const user = await makeUser(holdfast.crm)
    await holdfast.crm.post(`${practice.path}/staff`, { userReference: user.reference })
    const { customerReference } = await makeCustomer(holdfast.crm, other, { email: user.email, mobile: null })
    await makeTimeslot(holdfast.crm, other)
    const details = anotherLie()
    await book(other, { ...details, email: user.email })
    const people = `/providers/${practice.uuid}/people`
    const { uuid, unconfirmed } = (await owner('GET', people)).body.people.at(-1)
    const answer = { keep: false, mark: unconfirmed.mark }
    expect((await owner('POST', `${people}/${uuid}/details`, answer)).status).toBe(200)
    const path = `${other.path}/customers/${encodeURIComponent(customerReference)}`
    expect((await holdfast.crm.get(path)).body.customer.mobile).toBe(details.mobile)
  })

  it('staff confirm the number on the page of a Customer', async () => {
    const owner = await asOwner()
    const { email } = await makeCustomer(holdfast.crm, practice, { mobile: null })
    const details = anotherLie()
    await book(await roomOf(), { ...details, email })
    const { customers } = (await owner('GET', `/providers/${practice.uuid}/customers?search=${email}`)).body
    const path = `/customers/${customers[0].uuid}`
    const { mobile, unconfirmed } = (await owner('GET', path)).body
    expect([mobile, unconfirmed]).toEqual([details.mobile, ['mobile']])
    expect((await owner('PATCH', path, { note: 'Something else' })).body.unconfirmed).toEqual(['mobile'])
    expect((await owner('PATCH', path, { mobile })).body.unconfirmed).toEqual([])
  })
})

it('one number in two spellings is one person, who takes part once', async () => {
  const where = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, where, { defaultCapacity: 5 })
  const join = async (mobile: string) => {
    const body = bookingOf(slotsOf(await consumer.list(where.resource))[0]!, { mobile })
    return consumer.complete(where.resource, body)
  }
  expect((await join('+49 171 7654321')).status).toBe(201)
  for (const spelling of ['0049 (0)171/7654321', '0171 765 43 21'])
    expectRefusal(await join(spelling), 412, '202')
  expect((await join('0171 765 43 22')).status).toBe(201)
  const { body } = await holdfast.crm.get(`${practice.path}/appointments?resourceRef=${where.resource}`)
  expect(body[0].participations.map((one: { mobile: string }) => one.mobile)).toEqual([
    '+49 171 7654321',
    '0171 765 43 22',
  ])
})
