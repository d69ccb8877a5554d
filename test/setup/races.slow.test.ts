// Twenty concurrent requests over real connections: each gets a correct response, and there is one row.

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  makeAccount,
  makeConsumer,
  makePractice,
  makeProduct,
  makeProvider,
  makeResource,
  makeTimeslot,
  makeUser,
  type Practice,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, overHttp, slotsOf } from '../support/consumer.ts'
import { type Answer, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const origin = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
const provider = await makeProvider(holdfast.crm)

const callers = 20
type Reply = Pick<Answer, 'status' | 'body'>

async function send(method: string, path: string, body?: object): Promise<Reply> {
  const response = await fetch(`${origin}/crms/crm${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-service-client-id': holdfast.crm.key },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: response.status === 204 ? null : await response.json() }
}

/** Sends all at once and returns the responses in order. */
const allAtOnce = (path: string, bodyOf: (number: number) => object) =>
  Promise.all(Array.from({ length: callers }, (_, number) => send('POST', path, bodyOf(number))))

function expectStatuses(replies: Reply[], wanted: Record<number, number>) {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  expect(counts).toEqual(wanted)
}

const codesOf = (replies: Reply[], status: number) => [
  ...new Set(replies.filter(reply => reply.status === status).map(reply => reply.body.errors[0].errorCode)),
]

async function count(what: string, ...values: unknown[]): Promise<number> {
  const rows = await holdfast.query(`select count(*)::int as count from ${what}`, values)
  return rows[0].count
}

describe('concurrent Create User', () => {
  const person = (fields: object = {}) => {
    const reference = unique('user')
    const name = reference.replace('@', '.')
    return { reference, email: `${name}@example.org`, username: name, lastName: 'Berg', ...fields }
  }

  it('with the same body creates one User and one email', async () => {
    const body = person()
    expectStatuses(await allAtOnce('/user', () => body), { 201: 1, 200: 19 })
    expect(await count('app_user where reference = $1', body.reference)).toBe(1)
    expect(await count('mail where recipient = $1', body.email)).toBe(1)
  })

  it('with the same reference creates one User', async () => {
    const reference = unique('same')
    const replies = await allAtOnce('/user', () => person({ reference }))
    expectStatuses(replies, { 201: 1, 200: 19 })
    expect(await count('app_user where reference = $1', reference)).toBe(1)
    expect(new Set(replies.map(({ body }) => body.user.email)).size).toBe(1)
  })

  it('with the same reference and username, but different emails, refuses none', async () => {
    for (let round = 0; round < 3; round++) {
      const { reference, username } = person()
      expectStatuses(await allAtOnce('/user', () => person({ reference, username })), { 201: 1, 200: 19 })
    }
  })

  it('finds a User with the same reference created before the username check', async () => {
    const { reference, username } = person()
    const rival = beforeFirst(/lower\(username\)/, () =>
      send('POST', '/user', person({ reference, username })),
    )
    const first = await send('POST', '/user', person({ reference, username }))
    expectStatuses([first, await rival()], { 201: 1, 200: 1 })
  })

  it('takes the next variant if another request takes the chosen one', async () => {
    await makeUser(holdfast.crm, { email: 'chosen@example.org' })
    const rival = beforeFirst(/insert into app_user/, () =>
      send('POST', '/user', person({ email: 'chosen+1@example.org' })),
    )
    const first = await send('POST', '/user', person({ email: 'chosen@example.org' }))
    const replies = [await rival(), first]
    expectStatuses(replies, { 201: 2 })
    expect(replies.map(({ body }) => body.user.email)).toEqual([
      'chosen+1@example.org',
      'chosen+2@example.org',
    ])
  })

  describe('works beside a booking with the same address', () => {
    let practice: Practice
    beforeAll(async () => {
      practice = await makePractice(holdfast.crm)
      await makeTimeslot(holdfast.crm, practice)
    })
    const consumer = () => asConsumer(overHttp(origin))
    const book = async (email: string) => {
      const slot = slotsOf(await consumer().list(practice.resource))[0]!
      return consumer().complete(practice.resource, bookingOf(slot, { email }))
    }
    const people = (email: string) => count('app_user where lower(email) = $1', email)

    it('takes the next variant if a consumer takes the chosen one', async () => {
      await makeUser(holdfast.crm, { email: 'wanted@example.org' })
      const rival = beforeFirst(/insert into app_user/, () => book('wanted+1@example.org'))
      const { status, body } = await send('POST', '/user', person({ email: 'wanted@example.org' }))
      expect((await rival()).status).toBe(201)
      expect([status, body.user.email]).toEqual([201, 'wanted+2@example.org'])
      expect(await people('wanted+1@example.org')).toBe(1)
    })

    it('attaches the reference to a consumer created before its write', async () => {
      const rival = beforeFirst(/insert into app_user/, () => book('sudden@example.org'))
      const { status } = await send('POST', '/user', person({ email: 'sudden@example.org' }))
      expect([(await rival()).status, status]).toEqual([201, 200])
      expect(await people('sudden@example.org')).toBe(1)
    })

    it('is found by a booking that was about to create the same person', async () => {
      const user = person({ email: 'twice@example.org' })
      const rival = beforeFirst(/insert into app_user/, () => send('POST', '/user', user))
      expect((await book('twice@example.org')).status).toBe(201)
      expect((await rival()).status).toBe(201)
      expect(await people('twice@example.org')).toBe(1)
    })
  })

  it('with the same email gives each its own variant', async () => {
    const replies = await allAtOnce('/user', () => person({ email: 'crowd@example.org' }))
    expectStatuses(replies, { 201: 20 })
    const variants = Array.from({ length: 19 }, (_, number) => `crowd+${number + 1}@example.org`)
    expect(replies.map(({ body }) => body.user.email).sort()).toEqual(
      ['crowd@example.org', ...variants].sort(),
    )
  })

  it('with an email and its variant gives each its own email', async () => {
    const emails = ['cross@example.org', 'cross+1@example.org']
    const replies = await allAtOnce('/user', number => person({ email: emails[number % 2] }))
    expectStatuses(replies, { 201: 20 })
    expect(new Set(replies.map(({ body }) => body.user.email)).size).toBe(20)
  })

  it("with a consumer's email attaches one and gives the others variants", async () => {
    await makeConsumer(holdfast, 'guest@example.org')
    const replies = await allAtOnce('/user', () => person({ email: 'guest@example.org' }))
    expectStatuses(replies, { 200: 1, 201: 19 })
    expect(new Set(replies.map(({ body }) => body.user.email)).size).toBe(20)
  })

  it('with the same username, in any case, creates one User and refuses the others', async () => {
    const username = unique('name').replace('@', '.')
    const replies = await allAtOnce('/user', number =>
      person({ username: number % 2 ? username : username.toUpperCase() }),
    )
    expectStatuses(replies, { 201: 1, 409: 19 })
    expect(codesOf(replies, 409)).toEqual(['username-exists'])
    expect(await count('app_user where lower(username) = lower($1)', username)).toBe(1)
  })
})

it('concurrent Create Account with the same reference creates one', async () => {
  const { reference: ownerReference } = await makeUser(holdfast.crm)
  const accountReference = unique('account')
  const replies = await allAtOnce('/account', number => ({
    ownerReference,
    accountReference,
    branch: 'misc',
    invoiceTaxId: `DE${number}`,
  }))
  expectStatuses(replies, { 201: 1, 200: 19 })
  const winner = replies.find(({ status }) => status === 201)!.body
  for (const { body } of replies) expect(body).toEqual(winner)
  expect(await count('account where reference = $1', accountReference)).toBe(1)
})

it('concurrent Create Provider with the same reference creates one, with one Staff member', async () => {
  const { reference: ownerReference } = await makeUser(holdfast.crm)
  const accountReference = await makeAccount(holdfast.crm, ownerReference)
  const reference = unique('provider')
  const replies = await allAtOnce('/provider', number => ({
    reference,
    ownerReference,
    accountReference,
    name: `Practice ${number}`,
  }))
  expectStatuses(replies, { 201: 1, 200: 19 })
  expect(new Set(replies.map(({ body }) => body.provider.uuid)).size).toBe(1)
  expect((await holdfast.crm.get(`/provider/${encodeURIComponent(reference)}/staff`)).body).toHaveLength(1)
})

it('concurrent requests to add one Staff member add one', async () => {
  const { reference: userReference } = await makeUser(holdfast.crm)
  const path = `${provider.path}/staff`
  expectStatuses(await allAtOnce(path, () => ({ userReference })), { 201: 1, 200: 19 })
  const removals = Array.from({ length: callers }, () =>
    send('DELETE', `${path}/${encodeURIComponent(userReference)}`),
  )
  expectStatuses(await Promise.all(removals), { 204: 1, 404: 19 })
})

it('concurrent Create Product with the same reference creates one', async () => {
  const reference = unique('product')
  const replies = await allAtOnce(`${provider.path}/products`, number => ({
    reference,
    name: 'Talk',
    maxDuration: number + 1,
  }))
  expectStatuses(replies, { 201: 1, 200: 19 })
  expect(await count('product where reference = $1', reference)).toBe(1)
})

describe('concurrent Create Resource with the same reference', () => {
  const resource = (fields: object = {}) => ({ publicName: 'Room', internalName: 'R', ...fields })

  it('creates one, with four channels', async () => {
    const reference = unique('resource')
    const { reference: product } = await makeProduct(holdfast.crm, provider)
    const replies = await allAtOnce(`${provider.path}/resources`, () =>
      resource({ reference, products: [product] }),
    )
    expectStatuses(replies, { 201: 1, 200: 19 })
    for (const { body } of replies) expect(body.products).toEqual([product])
    expect(await count('resource where reference = $1', reference)).toBe(1)
    const channels = 'channel join resource on resource.id = resource_id where reference = $1'
    expect(await count(channels, reference)).toBe(4)
  })

  it('creates different ones as requested, and refuses only invalid ones', async () => {
    const { reference: product } = await makeProduct(holdfast.crm, provider)
    const references = Array.from({ length: callers }, () => unique('resource'))
    const isWrong = (number: number) => number % 5 === 0
    const replies = await allAtOnce(`${provider.path}/resources`, number =>
      resource({
        reference: references[number],
        publicName: `Room ${number}`,
        products: [isWrong(number) ? 'nothing@crm' : product],
        contact: number % 2 ? provider.owner : null,
      }),
    )
    expectStatuses(replies, { 201: 16, 404: 4 })
    for (const [number, { body }] of replies.entries()) {
      if (isWrong(number)) continue
      const path = `${provider.path}/resources/${encodeURIComponent(references[number]!)}`
      expect(body).toMatchObject({ reference: references[number], publicName: `Room ${number}` })
      expect((await holdfast.crm.get(path, { whole: true })).body).toEqual(body)
    }
    expect(await count('resource where reference = any ($1)', references)).toBe(16)
    const events = `event where kind = 'resource.created' and subject in (select id from resource where reference = any ($1))`
    expect(await count(events, references)).toBe(16)
  })

  it('creates one and refuses the others with onDuplicateRaise', async () => {
    const reference = unique('resource')
    const path = `${provider.path}/resources?onDuplicateRaise=true`
    const replies = await allAtOnce(path, () => resource({ reference }))
    expectStatuses(replies, { 201: 1, 400: 19 })
    expect(codesOf(replies, 400)).toEqual(['duplicate-reference'])
  })
})

it('concurrent renames of Resources to one reference: one succeeds', async () => {
  const resources = await Promise.all(
    Array.from({ length: callers }, () => makeResource(holdfast.crm, provider)),
  )
  const reference = unique('wanted')
  const replies = await Promise.all(
    resources.map(one =>
      send('POST', `${provider.path}/resources/${encodeURIComponent(one.reference)}`, { reference }),
    ),
  )
  expectStatuses(replies, { 202: 1, 409: 19 })
  expect(codesOf(replies, 409)).toEqual(['reference-exists'])
})

it('concurrent Delete Resource deletes it once', async () => {
  const { reference } = await makeResource(holdfast.crm, provider)
  const path = `${provider.path}/resources/${encodeURIComponent(reference)}`
  const replies = await Promise.all(Array.from({ length: callers }, () => send('DELETE', path)))
  expectStatuses(replies, { 204: 1, 404: 19 })
})

it('concurrent changes to Products, profiles and Resources never deadlock', async () => {
  const { reference: product } = await makeProduct(holdfast.crm, provider)
  const fields = { products: [product], contact: provider.owner }
  const { reference: resource } = await makeResource(holdfast.crm, provider, fields)
  const path = `${provider.path}/resources/${encodeURIComponent(resource)}`
  const profile = {
    reference: unique('profile'),
    userReference: provider.owner,
    providerReference: provider.reference,
    contactChannels: [],
  }
  const changes = [
    (name: string) => send('POST', `${provider.path}/products`, { reference: product, name }),
    (name: string) => send('POST', path, { ...fields, publicName: name }),
    (name: string) => send('POST', `${provider.path}/contactProfile`, { ...profile, name }),
  ]
  await changes[2]!('first')
  const tries = countTransactions()
  const replies = await Promise.all(
    Array.from({ length: 3 * callers }, (_, number) => changes[number % 3]!(`name ${number}`)),
  )
  expectStatuses(replies, { 200: 2 * callers, 202: callers })
  // A deadlock would show as an extra attempt.
  expect(tries()).toBe(3 * callers)
})

/**
 * Runs a concurrent request right before the first matching statement, until it has finished or waits for our
 * lock. Returns a function for its response.
 */
function beforeFirst(statement: RegExp, act: () => Promise<Reply>): () => Promise<Reply> {
  const { db } = holdfast.service
  const { transaction } = db
  let rival: Promise<Reply> | null = null
  db.transaction = (work, isRival) =>
    transaction(
      tx =>
        work({
          ...tx,
          async query(sql) {
            if (!rival && statement.test(sql.text)) {
              rival = act()
              await Promise.race([rival, somebodyWaits()])
            }
            return tx.query(sql)
          },
        }),
      isRival,
    )
  onTestFinished(() => {
    db.transaction = transaction
  })
  return () => rival!
}

function somebodyWaits() {
  const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return eventually(async () => (await count(waiting)) > 0)
}

function countTransactions() {
  const { db } = holdfast.service
  const { transaction } = db
  let count = 0
  db.transaction = work =>
    transaction(tx => {
      count++
      return work(tx)
    })
  onTestFinished(() => {
    db.transaction = transaction
  })
  return () => count
}

describe('concurrent profiles', () => {
  const contactChannels = [{ type: 'email', value: 'ann@example.org' }]

  it('with the same reference are created once', async () => {
    const body = {
      reference: unique('profile'),
      userReference: provider.owner,
      providerReference: provider.reference,
      name: 'Ann',
      contactChannels,
    }
    expectStatuses(await allAtOnce(`${provider.path}/contactProfile`, () => body), { 201: 1, 200: 19 })
    expect(await count('contact_profile where reference = $1', body.reference)).toBe(1)
  })

  it('with the same reference for different Users belong to the first', async () => {
    const reference = unique('profile')
    const users = [provider.owner, (await makeUser(holdfast.crm)).reference]
    const replies = await allAtOnce(`${provider.path}/contactProfile`, number => ({
      reference,
      userReference: users[number % 2],
      providerReference: provider.reference,
      name: 'Ann',
      contactChannels,
    }))
    expectStatuses(replies, { 201: 1, 200: 9, 409: 10 })
  })

  it('that are general exist once per User, with one channel per type', async () => {
    const { reference } = await makeUser(holdfast.crm)
    const path = `/user/${encodeURIComponent(reference)}/generalContactProfile`
    const replies = await Promise.all(
      Array.from({ length: callers }, (_, number) =>
        send('PUT', path, { name: `Ann ${number}`, contactChannels: number % 2 ? contactChannels : [] }),
      ),
    )
    expectStatuses(replies, { 200: 20 })
    const profiles = 'contact_profile join app_user on app_user.id = user_id where app_user.reference = $1'
    expect(await count(profiles, reference)).toBe(1)
  })
})
