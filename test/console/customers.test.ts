// Customers as staff see them: found while typing, changed, erased with a look before.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makePractice, makeTimeslot, makeUser, type Practice } from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { asStaff } from '../support/logins.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

const as = (user: string) => asStaff(holdfast, user)

async function practiceOf(...people: object[]) {
  const practice = await makePractice(holdfast.crm)
  const owner = await as(practice.owner)
  for (const person of people)
    expect((await owner('POST', `/providers/${practice.uuid}/customers`, person)).status).toBe(201)
  const search = async (text: string) =>
    (
      await owner('GET', `/providers/${practice.uuid}/customers?search=${encodeURIComponent(text)}`)
    ).body.customers.map((one: { name: string }) => one.name)
  return { practice, owner, search }
}

it('a corrected name also applies to upcoming appointments; past ones stay unchanged', async () => {
  const { practice, owner } = await practiceOf({ name: 'Ana Wynter', email: 'ana@example.org' })
  const found = await owner('GET', `/providers/${practice.uuid}/customers?search=ana`)
  const [{ uuid }] = found.body.customers
  const book = async (day: string) =>
    (
      await owner('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true&sendMails=false`, {
        resourceUuid: practice.resourceUuid,
        productUuid: practice.productUuid,
        start: `${day}T09:00`,
        end: `${day}T09:30`,
        customerUuid: uuid,
      })
    ).body.uuid
  const [past, coming] = [await book('2020-01-07'), await book('2030-01-07')]
  const change = { name: 'Anna Winter', email: 'anna@example.org' }
  expect((await owner('PATCH', `/customers/${uuid}`, change)).status).toBe(200)
  const personIn = async (appointment: string) =>
    (await owner('GET', `/appointments/${appointment}`)).body.entry.people[0]
  expect(await personIn(coming)).toMatchObject(change)
  expect(await personIn(past)).toMatchObject({ name: 'Ana Wynter', email: 'ana@example.org' })
})

async function withBooking(practice: Practice) {
  await makeTimeslot(holdfast.crm, practice)
  const consumer = asConsumer(overApp(holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  const person = newPerson()
  expect((await consumer.complete(practice.resourceUuid, bookingOf(slot!, person))).status).toBe(201)
  return person
}

it('a person who booked is found by their full generated reference, once', async () => {
  const { practice, owner } = await practiceOf({ name: 'Someone Else', email: 'else@example.org' })
  const person = await withBooking(practice)
  const find = async (text: string) =>
    (await owner('GET', `/providers/${practice.uuid}/customers?search=${encodeURIComponent(text)}`)).body
      .customers
  const [found] = await find(person.email)
  expect(found.reference).toMatch(/^[0-9a-f-]{36}@consumer$/)
  expect(await find(found.reference)).toEqual([found])
  expect(await find(found.reference.split('@')[0])).toEqual([found])
  expect(await find(`${found.name} ${found.reference}`)).toEqual([found])
})

it('Customers are sorted by name, address or next visit, and by newest without an order', async () => {
  const { practice, owner } = await practiceOf(
    { name: 'Bea Able', email: 'a@example.org' },
    { name: 'adam Able', email: 'm@example.org' },
    { name: 'Cleo Able' },
  )
  const path = `/providers/${practice.uuid}/customers`
  const found = (await owner('GET', path)).body.customers
  const uuidOf = (name: string) => found.find((one: { name: string }) => one.name === name).uuid
  for (const [name, day] of [
    ['Bea Able', '2030-01-08'],
    ['Cleo Able', '2030-01-07'],
    ['adam Able', '2020-01-07'],
  ] as const)
    await owner('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true&sendMails=false`, {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: `${day}T09:00`,
      end: `${day}T09:30`,
      customerUuid: uuidOf(name),
    })
  const sorted = async (query: string) =>
    (await owner('GET', `${path}?${query}`)).body.customers.map((one: { name: string }) => one.name[0])
  for (const search of ['', 'search=able&']) {
    expect(await sorted(`${search}order=name`)).toEqual(['a', 'B', 'C'])
    expect(await sorted(`${search}order=-name`)).toEqual(['C', 'B', 'a'])
    expect(await sorted(`${search}order=email`)).toEqual(['B', 'a', 'C'])
    expect(await sorted(`${search}order=next`)).toEqual(['C', 'B', 'a'])
  }
  expect(await sorted('')).toEqual(['C', 'a', 'B'])
  expect(await sorted('order=next&limit=1')).toEqual(['C'])
  expect((await owner('GET', `${path}?order=age`)).status).toBe(400)
})

describe('a Customer is found', () => {
  it.each([
    ['the beginning of any word of the name', 'berg', ['Ann van den Bergh']],
    ['several words in any order', 'bergh an', ['Ann van den Bergh']],
    ['the email', 'zoe@exam', ['Zoë O’Neil']],
    ['the number as one dials it in the country', '0171/23', ['Ann van den Bergh']],
    ['the number as one dials it from abroad', '0049 171 23', ['Ann van den Bergh']],
    ['a number that was noted without its country', '+49 172 99', ['Noah Noted']],
    ['the number as it stands', '+49 171', ['Ann van den Bergh']],
    ['a name with an apostrophe', 'o’n', ['Zoë O’Neil']],
    ['signs that mean something to a database', `a' & !b:* \\`, []],
  ])('by %s', async (_, text, names) => {
    const { search } = await practiceOf(
      { name: 'Ann van den Bergh', mobile: '+49 171 2345678' },
      { name: 'Zoë O’Neil', email: 'zoe@example.org' },
      { name: 'Noah Noted', mobile: '0172 991122' },
    )
    expect(await search(text)).toEqual(names)
  })

  it('by their own Provider only', async () => {
    const { search } = await practiceOf({ name: 'Ann' })
    const other = await practiceOf({ name: 'Anna' })
    expect(await search('ann')).toEqual(['Ann'])
    expect(await other.search('ann')).toEqual(['Anna'])
  })
})

describe('the page of a Customer', () => {
  it('shows upcoming appointments, and changes the fields that are sent', async () => {
    const { practice, owner } = await practiceOf()
    const person = await withBooking(practice)
    const [found] = (await owner('GET', `/providers/${practice.uuid}/customers?search=${person.email}`)).body
      .customers
    const page = await owner('GET', `/customers/${found.uuid}`)
    expect(page.body.history).toMatchObject([{ state: 'BOOKED' }])
    const changed = await owner('PATCH', `/customers/${found.uuid}`, { note: 'Prefers mornings' })
    expect(changed.body).toMatchObject({ note: 'Prefers mornings', email: person.email })
  })

  it('is not there for strangers', async () => {
    const { practice, owner } = await practiceOf({ name: 'Ann' })
    const [found] = (await owner('GET', `/providers/${practice.uuid}/customers`)).body.customers
    const stranger = await as((await makePractice(holdfast.crm)).owner)
    for (const [method, path] of [
      ['GET', `/customers/${found.uuid}`],
      ['PATCH', `/customers/${found.uuid}`],
      ['DELETE', `/customers/${found.uuid}`],
      ['GET', `/customers/${found.uuid}/erasure`],
      ['GET', `/providers/${practice.uuid}/customers`],
    ] as const)
      expect([path, (await stranger(method, path, method === 'PATCH' ? {} : undefined)).status]).toEqual([
        path,
        404,
      ])
  })
})

describe('erasing', () => {
  it('is for the owner only: it first counts, then deletes everything about the person', async () => {
    const { practice, owner } = await practiceOf()
    const person = await withBooking(practice)
    const [found] = (await owner('GET', `/providers/${practice.uuid}/customers?search=${person.email}`)).body
      .customers
    const member = await makeUser(holdfast.crm)
    await holdfast.crm.post(`${practice.path}/staff`, { userReference: member.reference })
    const staff = await as(member.reference)
    expect((await staff('GET', `/customers/${found.uuid}`)).status).toBe(200)
    expect((await staff('DELETE', `/customers/${found.uuid}`)).status).toBe(403)
    expect((await owner('GET', `/customers/${found.uuid}/erasure`)).body).toMatchObject({
      participations: 1,
      future: 1,
    })
    expect((await owner('DELETE', `/customers/${found.uuid}`)).status).toBe(204)
    expect((await owner('GET', `/customers/${found.uuid}`)).status).toBe(404)
  })
})

it('shows some of many matches, without collecting all of them', async () => {
  const { practice, owner } = await practiceOf()
  await holdfast.query(
    `insert into customer (provider_id, reference, name, email, mobile, mobile_key)
    select provider.id, 'kd-' || n, 'Zoe' || lpad(n::text, 3, '0') || case when n % 2 = 0 then ' Adam,Ruiz' else ' Berg' end,
      'mail' || n || '@example.org', '+49 151 ' || n, '+49151' || n
    from provider, generate_series(1, 500) as n where uuid = $1`,
    [practice.uuid],
  )
  const query = vi.spyOn(holdfast.service.db, 'query')
  onTestFinished(() => query.mockRestore())
  const found = async (text: string) => {
    const path = `/providers/${practice.uuid}/customers?limit=5&search=${encodeURIComponent(text)}`
    return (await owner('GET', path)).body.customers.map((one: { name: string }) => one.name)
  }
  expect(await found('zoe')).toEqual([
    'Zoe001 Berg',
    'Zoe002 Adam,Ruiz',
    'Zoe003 Berg',
    'Zoe004 Adam,Ruiz',
    'Zoe005 Berg',
  ])
  for (const text of [
    'Berg',
    'RUIZ',
    'mail',
    'kd-',
    '0151',
    '+49 151',
    '+4915',
    'zoe b',
    'Berg, Zoe',
    'z berg',
  ])
    expect(await found(text), text).toHaveLength(5)
  expect(query.mock.calls.filter(([{ text }]) => text.includes('tsquery')).length).toBe(0)
  // Few of them match, so all are collected.
  expect(await found('be zoe09')).toEqual([
    'Zoe091 Berg',
    'Zoe093 Berg',
    'Zoe095 Berg',
    'Zoe097 Berg',
    'Zoe099 Berg',
  ])
  expect(await found('zoe099 mail')).toEqual(['Zoe099 Berg'])
  expect(await found('zoe099 m')).toEqual(['Zoe099 Berg'])
  expect(await found('zoe099 100%')).toEqual([])
  expect(await found('oe')).toEqual([])
})
