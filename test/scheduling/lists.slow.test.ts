// Reading lists and single records: pages, compression, caching, changedSince.

import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProduct,
  makeProfile,
  makeResource,
  makeRoom,
  makeSeries,
  makeTimeslot,
  unique,
} from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
for (let count = 0; count < 4; count++) {
  await makeProduct(holdfast.crm, practice)
  await makeResource(holdfast.crm, practice)
  await makeCustomer(holdfast.crm, practice)
}
await makeSeries(holdfast.crm, practice)
for (const day of ['14', '15', '16'])
  await makeTimeslot(holdfast.crm, practice, { start: `2030-01-${day}T08:00`, end: `2030-01-${day}T09:00` })

const get = (path: string, headers: Record<string, string> = {}) =>
  holdfast.crm.get(practice.path + path, { headers })
const at = (reference: string) => encodeURIComponent(reference)
const period = 'from=2030-01-01T00:00&to=2030-02-01T00:00'
const lists: [string, () => string][] = [
  ['Products', () => '/products?'],
  ['Resources', () => '/resources?'],
  ['Customers', () => '/customers?'],
  ['Appointments', () => '/appointments?'],
  ['Timeslots', () => `/resource/${at(practice.resource)}/timeslots?${period}`],
]

/** The next page's path from the Link header. */
function nextOf({ headers }: Answer): string | null {
  const link = headers.link as string | undefined
  if (!link) return null
  const [_match, url, rel] = link.match(/^<([^>]*)>; rel="(\w+)"$/)!
  expect(rel).toBe('next')
  expect(url).toMatch(/^http:\/\/holdfast\.test\/crms\/crm\/provider\//)
  return url!.slice(`http://holdfast.test/crms/crm${practice.path}`.length)
}

describe.each(lists)('Get %s', (_, path) => {
  it('is complete without a limit, and equal in pages', async () => {
    const whole = await get(path())
    expect([whole.status, whole.headers.link]).toEqual([200, undefined])
    expect(whole.body.length).toBeGreaterThan(2)
    const pages: unknown[] = []
    for (let next: string | null = `${path()}&limit=2`; next; ) {
      const answer: Answer = await get(next)
      expect(answer.body.length).toBeLessThanOrEqual(2)
      pages.push(...answer.body)
      next = nextOf(answer)
    }
    expect(pages).toEqual(whole.body)
  })

  it('returns 304 while nothing has changed', async () => {
    const first = await get(path())
    const { etag } = first.headers as { etag: string }
    expect([etag, first.headers['cache-control']]).toEqual([
      expect.stringMatching(/^W\/"/),
      'private, no-cache',
    ])
    const again = await get(path(), { 'if-none-match': `"other", ${etag}` })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect((await get(path(), { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(`${path()}&limit=1`)).headers.etag).not.toBe(etag)
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s', async (encoding, unpack) => {
    const url = `/crms/crm${practice.path}${path()}`
    const headers = { 'x-service-client-id': holdfast.crm.key, 'accept-encoding': encoding }
    const response = await holdfast.app.inject({ url, headers })
    const plain = await get(path())
    if (plain.text.length < 1000) return
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers.vary).toContain('Accept-Encoding')
    expect(unpack(response.rawPayload).toString()).toBe(plain.text)
  })

  it.each(['limit=0', 'limit=1001', 'limit=x', 'after=x', 'after=W10', 'after=WyJ4Il0'])(
    'refuses %s',
    async query => {
      expectRefusal(await get(`${path()}&${query}`), 400, 'invalid-field', query.split('=')[0])
    },
  )
})

it.each([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, -2.2e14, 8.64e15])(
  'an invalid page cursor (%d) returns 400',
  async place => {
    const after = (...keys: number[]) => `after=${Buffer.from(JSON.stringify(keys)).toString('base64url')}`
    const slots = `resource/${encodeURIComponent(practice.resource)}/timeslots?from=2030-01-01T00:00&to=2031-01-01T00:00`
    for (const url of [
      `appointments?limit=2&${after(place, 1)}`,
      `appointments?${after(place, 1)}`,
      `${slots}&limit=2&${after(place, 1)}`,
      `customers?limit=2&${after(place)}`,
    ])
      expectRefusal(await holdfast.crm.get(`${practice.path}/${url}`), 400, 'invalid-field', 'after')
  },
)

it('pages of Appointments from any moment contain all that end after it, of a Provider and of a Resource', async () => {
  const where = await makePractice(holdfast.crm)
  const other = await makeRoom(holdfast.crm, where)
  // The longest contains the shorter ones, several start at the same time, and some start where another ends.
  const hours = ['08-12', '09-10', '09-11', '09-12', '10-11', '10-12', '11-12', '12-13']
  for (const [index, [from, to]] of hours.map(one => one.split('-')).entries())
    await makeAppointment(holdfast.crm, index % 2 ? other : where, {
      start: `2030-01-07T${from}:00`,
      end: `2030-01-07T${to}:00`,
    })
  const ask = (query: string): Promise<Answer> => holdfast.crm.get(`${where.path}/appointments?${query}`)
  for (const whose of ['', `&resourceRef=${at(other.resource)}`]) {
    const whole: { end: string }[] = (await ask(whose)).body
    expect(whole).toHaveLength(whose ? 4 : 8)
    for (const from of ['06:00', '07:00', '08:00', '09:30', '10:00', '11:00', '12:00']) {
      const pages: unknown[] = []
      for (let next: string | null = `${whose}&from=2030-01-07T${from}Z&limit=2`; next; ) {
        const answer = await ask(next)
        pages.push(...answer.body)
        next = (answer.headers.link as string | undefined)?.match(/appointments\?([^>]*)>/)?.[1] ?? null
      }
      expect(pages, from).toEqual(whole.filter(one => one.end > `2030-01-07T${from}:00Z`))
    }
  }
})

it('a long list of Appointments is streamed, compressed and complete', async () => {
  const where = await makePractice(holdfast.crm)
  await holdfast.query(
    `insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from,
       blocked_to, capacity, accept_bookings, notes)
     select resource.provider_id, resource.id, product.id, 'many-' || n, 'provider', at, at + interval '5 minutes', at,
       at + interval '5 minutes', 1, false, repeat('x', 2000)
     from resource, product, generate_series(1, 3000) n, lateral (select timestamptz '2030-01-01Z' + n * interval '1 hour' as at)
     where resource.uuid = $1 and product.uuid = $2`,
    [where.resourceUuid, where.productUuid],
  )
  const url = `/crms/crm${where.path}/appointments`
  const headers = { 'x-service-client-id': holdfast.crm.key, 'accept-encoding': 'gzip' }
  const response = await holdfast.app.inject({ url, headers })
  expect(response.headers.etag).toBeUndefined()
  const list = JSON.parse(gunzipSync(response.rawPayload).toString())
  expect(list).toHaveLength(3000)
  expect(new Set(list.map((one: { reference: string }) => one.reference)).size).toBe(3000)
})

describe('changedSince', () => {
  /** A moment between earlier and later changes. */
  async function now() {
    await pause(5)
    const rows = await holdfast.query('select clock_timestamp() as now')
    await pause(5)
    return new Date(rows[0].now).toISOString()
  }
  const changed = async (path: string, since: string) =>
    (await get(`${path}?changedSince=${encodeURIComponent(since)}`)).body

  it('returns Appointments created or changed since, including their Participations', async () => {
    const old = await makeAppointment(holdfast.crm, practice)
    const joined = await makeAppointment(holdfast.crm, practice)
    const cancelled = await makeAppointment(holdfast.crm, practice)
    const since = await now()
    expect(await changed('/appointments', since)).toEqual([])
    const made = await makeAppointment(holdfast.crm, practice)
    await makeParticipation(holdfast.crm, practice, joined.reference, 'BOOKED')
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: cancelled.reference })
    const references = (await changed('/appointments', since)).map(
      (one: { reference: string }) => one.reference,
    )
    expect(references.sort()).toEqual([joined.reference, cancelled.reference, made.reference].sort())
    expect(references).not.toContain(old.reference)
  })

  it('returns Customers created or changed since', async () => {
    const old = await makeCustomer(holdfast.crm, practice)
    const since = await now()
    expect(await changed('/customers', since)).toEqual([])
    const made = await makeCustomer(holdfast.crm, practice)
    await holdfast.crm.put(`${practice.path}/customers/${at(old.customerReference)}`, { note: 'new' })
    const found = await changed('/customers', since)
    expect(found.map((one: { customerReference: string }) => one.customerReference)).toEqual([
      old.customerReference,
      made.customerReference,
    ])
  })

  it('checks each record after thousands of changes, and some pages are short', async () => {
    const own = await makePractice(holdfast.crm)
    const changedIn = async (path: string) => {
      const found: string[] = []
      let url: string | undefined = `${own.path}${path}?limit=2&changedSince=2020-01-01T00:00Z`
      while (url) {
        const { body, headers } = await holdfast.crm.get(url)
        found.push(...body.map((one: Record<string, string>) => one.reference ?? one.customerReference))
        url = /\/provider[^>]*/.exec(String(headers.link ?? ''))?.[0]
      }
      return found
    }
    const { appointments } = await makeSeries(holdfast.crm, own)
    const person = await makeParticipation(holdfast.crm, own, appointments[1]!.reference, 'BOOKED')
    const other = await makeCustomer(holdfast.crm, own)
    const { pool } = holdfast.service.db
    const { rows } = await pool.query('select id, crm_id from provider where uuid = $1', [own.uuid])
    // Everything else is older than the moment asked for.
    await pool.query(
      `update event set at = '2019-01-01' where provider_id = $1 and kind not in ('participation.booked', 'customer.created')`,
      [rows[0].id],
    )
    const few = [await changedIn('/appointments'), await changedIn('/customers')]
    expect(few).toEqual([[appointments[1]!.reference], [person.customerReference, other.customerReference]])
    await pool.query(
      `insert into event (crm_id, era, kind, provider_id, subject, actor_kind)
      select $1, 1, kind, $2, 0, 'key' from generate_series(1, 5001), unnest(array['appointment.changed', 'customer.changed']) as kind`,
      [rows[0].crm_id, rows[0].id],
    )
    expect([await changedIn('/appointments'), await changedIn('/customers')]).toEqual(few)
  })

  it('must be a date-time', async () => {
    for (const path of ['/appointments', '/customers'])
      expectRefusal(await get(`${path}?changedSince=lately`), 400, 'invalid-field', 'changedSince')
  })
})

describe('Get Customers', () => {
  it('finds by email, in any case, and by mobile', async () => {
    const email = 'Find.Me@example.org'
    const { customerReference } = await makeCustomer(holdfast.crm, practice, { email, mobile: '+4917012345' })
    for (const query of ['email=find.me@EXAMPLE.org', 'mobile=%2B4917012345']) {
      const { body } = await get(`/customers?${query}`)
      expect(body.map((one: { customerReference: string }) => one.customerReference)).toEqual([
        customerReference,
      ])
      expect(body[0]).toEqual((await get(`/customers/${at(customerReference)}`)).body.customer)
    }
    expect((await get('/customers?email=nobody@example.org')).body).toEqual([])
  })

  it('leaves out erased Customers and those of another Provider', async () => {
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice)
    const other = await makePractice(holdfast.crm)
    expect((await holdfast.crm.get(`${other.path}/customers?email=${email}`)).body).toEqual([])
    await holdfast.crm.delete(`${practice.path}/customers/${at(customerReference)}`)
    expect((await get(`/customers?email=${email}`)).body).toEqual([])
  })
})

describe('a single record by reference', () => {
  it('returns a Resource as in the list, with everything that was sent', async () => {
    const profile = await makeProfile(holdfast.crm, practice, practice.owner)
    const details = {
      website: 'https://example.org/',
      contact: practice.owner,
      contactProfileReference: profile.reference,
    }
    const { reference } = await makeResource(holdfast.crm, practice, details)
    const { status, body } = await get(`/resources/${at(reference)}`)
    expect([status, body]).toEqual([200, expect.objectContaining(details)])
    expect((await get('/resources')).body).toContainEqual(body)
    expectRefusal(await get('/resources/nothing'), 404, 'not-found')
  })

  it('returns an Appointment with the Customers of its Participations', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const participation = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const { status, body } = await get(`/appointments/${at(reference)}`)
    expect(status).toBe(200)
    expect(body.appointment.participations).toEqual([
      expect.objectContaining({
        reference: participation.reference,
        customerReference: participation.customerReference,
      }),
    ])
    expect((await get('/appointments')).body).toContainEqual(body.appointment)
    expectRefusal(await get('/appointments/nothing'), 404, 'not-found')
  })

  it('returns a Participation', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const made = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const { status, body } = await get(`/participations/${at(made.reference)}`)
    expect([status, body.participation]).toEqual([200, made])
    expectRefusal(await get('/participations/nothing'), 404, 'not-found')
  })

  it('returns a Timeslot with its Appointments', async () => {
    const made = await makeTimeslot(holdfast.crm, practice, {
      start: '2030-03-04T08:00',
      end: '2030-03-04T10:00',
    })
    const lies = await makeAppointment(holdfast.crm, practice, {
      start: '2030-03-04T08:00',
      end: '2030-03-04T09:00',
    })
    const { status, body } = await get(`/timeslots/${at(made.reference)}`)
    expect([status, body.timeslot.uuid]).toEqual([200, made.uuid])
    expect(body.timeslot.appointments.map((one: { uuid: string }) => one.uuid)).toEqual([lies.uuid])
    expectRefusal(await get('/timeslots/nothing'), 404, 'not-found')
  })
})

describe('batches', () => {
  type Body = Record<string, unknown>
  const kinds: [string, string, () => Body, Body][] = [
    [
      'resources',
      'reference',
      () => ({ reference: unique('resource'), publicName: 'Room', internalName: 'R' }),
      { publicName: 7 },
    ],
    ['products', 'reference', () => ({ reference: unique('product'), name: 'Talk' }), { minDuration: 0 }],
    [
      'customers',
      'customerReference',
      () => ({
        customerReference: unique('customer'),
        providerReference: practice.reference,
        userName: 'Ann',
      }),
      { email: 'ann' },
    ],
  ]
  const post = (kind: string, entries: Body[]) =>
    holdfast.crm.post(`${practice.path}/${kind}`, { [kind]: entries })
  const names = (kind: string, name: string, { body }: Answer) => body[kind].map((one: Body) => one[name])

  it.each(kinds)(
    'of %s are created in the order sent, and found when repeated',
    async (kind, name, entry) => {
      const sent = [entry(), entry(), entry()]
      const first = await post(kind, sent)
      expect([first.status, names(kind, name, first)]).toEqual([201, sent.map(one => one[name])])
      expect((await post(kind, sent)).status).toBe(200)
      expect((await post(kind, [...sent, entry()])).status).toBe(201)
    },
  )

  it.each(kinds)(
    'of %s are created completely or not at all, and each error has its index',
    async (kind, name, entry, wrong) => {
      const sent = [entry(), { ...entry(), ...wrong }, { ...entry(), [name]: '' }]
      const { status, body } = await post(kind, sent)
      expect(status).toBe(400)
      expect(body.errors.map((one: { field: string }) => one.field)).toEqual([
        `${kind}[1].${Object.keys(wrong)[0]}`,
        `${kind}[2].${name}`,
      ])
      expect(JSON.stringify((await get(`/${kind}`)).body)).not.toContain(String(sent[0]![name]))
    },
  )

  it('are rolled back by an error found during creation', async () => {
    const room = { reference: unique('resource'), publicName: 'Room', internalName: 'R' }
    const answer = await post('resources', [
      room,
      { ...room, reference: unique('resource'), products: ['none'] },
    ])
    expectRefusal(answer, 404, 'not-found', 'resources[1].products')
    expectRefusal(await get(`/resources/${at(room.reference)}`), 404, 'not-found')
    const talk = { reference: unique('product'), name: 'Talk' }
    const long = { ...talk, reference: unique('product'), minDuration: 60, maxDuration: 30 }
    expectRefusal(await post('products', [talk, long]), 400, 'invalid-field', 'products[1].minDuration')
    expect(JSON.stringify((await get('/products')).body)).not.toContain(talk.reference)
  })
})

describe('Create Resource with existing values', () => {
  const state = async () => {
    const rows = await holdfast.query(
      `select (select sum(revision) from resource) as revisions, (select count(*) from event) as events,
         (select sum(xmin::text::bigint) from resource) as writes`,
    )
    return rows[0]
  }
  const body = (fields = {}) => ({
    reference: 'steady@plat',
    publicName: 'Room',
    internalName: 'R',
    description: 'Quiet',
    address: { city: 'Kiel', zip: '24103', street: 'Hafen', number: '1', countryCode: 'DE' },
    products: [practice.product],
    ...fields,
  })
  const create = (fields = {}) => holdfast.crm.post(`${practice.path}/resources`, body(fields))

  it('writes nothing', async () => {
    const first = await create()
    const before = await state()
    for (const fields of [{}, { products: undefined }, { contact: null, website: '' }]) {
      const again = await create(fields)
      expect([again.status, again.body]).toEqual([200, first.body])
    }
    expect(await state()).toEqual(before)
  })

  it.each([{ publicName: 'Hall' }, { products: [] }, { description: null }, { address: null }])(
    'writes what differs: %j',
    async fields => {
      await create()
      const before = await state()
      expect((await create(fields)).status).toBe(200)
      expect(await state()).not.toEqual(before)
    },
  )
})
