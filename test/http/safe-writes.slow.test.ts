// Writes of groups A and B that cannot overwrite what the caller has not seen, and misspelt input that does
// not go unnoticed. New routes of group B must join the table.

import { describe, expect, it } from 'vitest'
import {
  appointmentBody,
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProduct,
  makeProfile,
  makeResource,
  makeTimeslot,
  makeUser,
  timeslotBody,
  unique,
} from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { addressOf, definedRoutes } from '../support/routes.ts'
import { type Answer, call, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const { crm } = holdfast
const routes = (await definedRoutes()).filter(({ access }) => access.kind === 'crm')
const at = (kind: string, reference: string) => `${practice.path}/${kind}/${encodeURIComponent(reference)}`

type Send = 'put' | 'post' | 'patch' | 'delete'
type Change = [operationId: string, method: Send, path: string, body?: unknown]
/** `read` is where the record is; `touch` changes it, and each change below is then refused. */
type Kind = { read: string; touch: () => Promise<Answer>; changes: Change[] }

async function kinds(): Promise<Record<string, Kind>> {
  const customer = at('customers', (await makeCustomer(crm, practice)).customerReference)
  const product = at('products', (await makeProduct(crm, practice)).reference)
  const resource = at('resources', (await makeResource(crm, practice)).reference)
  const timeslot = at(
    'timeslots',
    (await makeTimeslot(crm, practice, { start: '2030-01-12T08:00', end: '2030-01-12T18:00' })).reference,
  )
  const { reference } = await makeAppointment(crm, practice)
  const appointment = at('appointments', reference)
  const person = await makeParticipation(crm, practice, reference, 'BOOKED')
  const participation = at('participations', person.reference)
  const user = `/user/${encodeURIComponent((await makeUser(crm)).reference)}/generalContactProfile`
  const profile = await makeProfile(crm, practice, practice.owner)
  const saved = { ...profile, userReference: practice.owner, providerReference: practice.reference }
  const named = (name: string) => ({ ...saved, name, contactChannels: [] })
  const question = at('questions', 'reason')
  await crm.post(`${practice.path}/questions`, { key: 'reason', type: 'text', label: { en: 'Reason' } })
  const wish = { from: '2031-02-01', to: '2031-02-10', productReference: practice.product }
  const { customerReference } = await makeCustomer(crm, practice)
  const waiting = await crm.post(`${practice.path}/waiting_list`, { ...wish, customerReference })
  const entry = at('waiting_list', waiting.body.entry.uuid)
  const slot = { start: '2030-01-08T10:00', end: '2030-01-08T10:30' }
  const sessions = ['2030-02-05', '2030-02-12'].map(day => ({
    start: `${day}T10:00`,
    end: `${day}T10:30`,
    resourceReference: practice.resource,
    ignoreConflicts: true,
  }))
  const booked = await crm.post(`${practice.path}/series`, {
    productReference: practice.product,
    customerReference,
    dates: sessions,
  })
  const series = at('series', booked.body.seriesId)
  const [first, second] = booked.body.appointments.map((one: { reference: string }) => one.reference)
  const later = { ...sessions[1], end: '2030-02-12T11:00', appointmentReference: second }
  return {
    Customer: {
      read: customer,
      touch: () => crm.put(customer, { note: unique('note') }),
      changes: [
        ['updateCustomer', 'put', customer, { note: 'mine' }],
        ['deleteCustomer', 'delete', customer],
      ],
    },
    Product: {
      read: product,
      touch: () => crm.put(product, { description: unique('text') }),
      changes: [
        ['changeProduct', 'put', product, { minDuration: 45 }],
        ['deleteProduct', 'delete', product],
      ],
    },
    Resource: {
      read: resource,
      touch: () => crm.post(resource, { products: [practice.product], description: unique('text') }),
      changes: [
        ['updateResource', 'post', resource, { internalName: 'mine' }],
        ['deleteResource', 'delete', resource],
      ],
    },
    Timeslot: {
      read: timeslot,
      touch: () => crm.put(timeslot, { address: unique('place') }),
      changes: [
        ['updateTimeslot', 'put', timeslot, { defaultCapacity: 7 }],
        ['deleteTimeslot', 'delete', timeslot],
      ],
    },
    Participation: {
      read: participation,
      touch: () =>
        crm.put(at('customers', person.customerReference), { customerReference: unique('renamed') }),
      changes: [
        ['setAttendance', 'post', `${participation}/attendance`, { attendance: 'ATTENDED' }],
        ['updateParticipation', 'post', participation, { state: 'CANCELED' }],
      ],
    },
    Appointment: {
      read: appointment,
      touch: () => makeParticipation(crm, practice, reference, 'BOOKED') as never,
      changes: [
        ['moveAppointment', 'post', `${appointment}/move`, slot],
        ['cancelAppointment', 'delete', `${practice.path}/appointments`, { appointmentReference: reference }],
        [
          'deleteAppointments',
          'delete',
          `${practice.path}/appointments/withoutNotification?appointmentReference=${encodeURIComponent(reference)}`,
        ],
      ],
    },
    Series: {
      read: series,
      touch: () => crm.delete(`${practice.path}/appointments`, { appointmentReference: first }),
      changes: [
        ['moveSeries', 'post', `${series}/move`, { dates: [later] }],
        ['cancelSeries', 'post', `${series}/cancel`, {}],
      ],
    },
    'General Profile': {
      read: user,
      touch: () => crm.put(user, { name: unique('Name'), contactChannels: [] }),
      changes: [['updateGeneralProfile', 'put', user, { name: 'Mine', contactChannels: [] }]],
    },
    'Provider Profile': {
      read: at('contactProfile', profile.reference),
      touch: () => crm.post(`${practice.path}/contactProfile`, named(unique('Name'))),
      changes: [['saveProviderProfile', 'post', `${practice.path}/contactProfile`, named('Mine')]],
    },
    Question: {
      read: question,
      touch: () => crm.put(question, { help: { en: unique('help') } }),
      changes: [
        ['updateQuestion', 'put', question, { required: true }],
        ['deleteQuestion', 'delete', question],
      ],
    },
    'Waiting list entry': {
      read: entry,
      touch: () => crm.patch(entry, { note: unique('note') }),
      changes: [
        ['updateWaitingEntry', 'patch', entry, { note: 'mine' }],
        ['removeFromWaitingList', 'delete', entry],
      ],
    },
  }
}

const table = await kinds()

/** Changes that are no writes of one record: batches, merges, messages, tries, and calendars, which have a test below. */
const others =
  /^(create|book|preview|add|test|refresh|rewrite|offer|rotate|replay|resend|message|settleAbsence|merge|undo|upsert)|Calendar|Webhook|Staff|Distinct/

const tagOf = async (path: string) => String((await crm.get(path)).headers.etag)
const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } })

describe('If-Match', () => {
  it('is honoured by every change of a single record of group B', () => {
    const changing = routes
      .filter(({ method, tag }) => method !== 'GET' && tag.startsWith('B'))
      .map(route => route.operationId)
    const listed = Object.values(table).flatMap(({ changes }) => changes.map(([id]) => id))
    expect(changing.filter(id => !others.test(id)).toSorted()).toEqual(listed.toSorted())
    // Users, Accounts and Providers have a test of their own.
    const guarded = routes
      .filter(route => route.ifMatch && route.tag.startsWith('B') && !others.test(route.operationId))
      .map(route => route.operationId)
    expect(guarded.toSorted()).toEqual(listed.toSorted())
  })

  for (const [name, { read, touch, changes }] of Object.entries(table))
    it(`refuses changes of a ${name} that has changed since, and makes them otherwise`, async () => {
      const before = await tagOf(read)
      expect(before).toMatch(/^"[\w-]{22}"$/)
      expect(await tagOf(read)).toBe(before)
      await touch()
      expect(await tagOf(read)).not.toBe(before)
      for (const [_first, method, path, body] of changes) {
        expectRefusal(await crm[method](path, body, ifMatch(before)), 412, 'precondition-failed', 'If-Match')
        const now = await tagOf(read)
        const changed = await crm[method](path, body, ifMatch(`W/${now}, "other"`))
        expect(changed.status, changed.text).toBeLessThan(300)
        if (changed.status === 204) continue
        expect(changed.headers.etag).not.toBe(now)
        expect(changed.headers.etag).toBe(await tagOf(read))
      }
    })

  it('lets one of many changes of the same version win', async () => {
    const path = at('customers', (await makeCustomer(crm, practice)).customerReference)
    const etag = await tagOf(path)
    const notes = Array.from({ length: 8 }, (_, index) => `note ${index}`)
    const answers = await Promise.all(notes.map(note => crm.put(path, { note }, ifMatch(etag))))
    const won = notes.filter((_, index) => answers[index]!.status === 200)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)])
    expect((await crm.get(path)).body.customer.note).toBe(won[0])
  })

  it('comes after all other refusals, and * matches any version', async () => {
    const path = at('customers', (await makeCustomer(crm, practice)).customerReference)
    expectRefusal(await crm.put(at('customers', 'none@plat'), {}, ifMatch('"x"')), 404, 'not-found')
    expectRefusal(await crm.put(path, { email: 7 }, ifMatch('"x"')), 400, 'invalid-field', 'email')
    expect((await crm.put(path, { note: 'any' }, ifMatch('*'))).status).toBe(200)
    const series = `${practice.path}/appointments/withoutNotification?seriesId=${crypto.randomUUID()}`
    expectRefusal(await crm.delete(series, undefined, ifMatch('"x"')), 400, 'invalid-field', 'If-Match')
  })

  it('guards the settings of an external calendar, not what was read from it', async () => {
    const sources = `${at('resources', practice.resource)}/calendar_sources`
    const made = await crm.post(sources, { kind: 'ics', address: 'https://calendar.example/a.ics' })
    const path = `${sources}/${made.body.source.uuid}`
    const before = await tagOf(path)
    expect((await crm.patch(path, { name: 'Private' }, ifMatch(before))).status).toBe(200)
    for (const refused of [
      await crm.patch(path, { paused: true }, ifMatch(before)),
      await crm.delete(path, undefined, ifMatch(before)),
    ])
      expectRefusal(refused, 412, 'precondition-failed', 'If-Match')
    expect((await crm.delete(path, undefined, ifMatch(await tagOf(path)))).status).toBe(204)
  })

  it('answers a repeated request with its first answer', async () => {
    const path = at('customers', (await makeCustomer(crm, practice)).customerReference)
    const headers = { 'if-match': await tagOf(path), 'idempotency-key': unique('key') }
    const first = await crm.put(path, { note: 'once' }, { headers })
    const again = await crm.put(path, { note: 'once' }, { headers })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.headers.etag).toBe(first.headers.etag)
  })
})

const whole = { whole: true }

describe('updatedAt', () => {
  it('changes with the fields of a record, and with nothing else', async () => {
    const product = (await crm.post(`${practice.path}/products`, { reference: unique('p'), name: 'A' })).body
    const room = await makeResource(crm, practice)
    const path = at('resources', room.reference)
    const read = async () => (await crm.get(path, whole)).body.updatedAt
    const first = await read()
    expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    await crm.post(path, { publicName: 'Room', products: [] })
    await makeAppointment(crm, { ...practice, resource: room.reference })
    expect(await read()).toBe(first)
    const changes = [{ publicName: 'Other' }, { products: [product.product.reference] }, { archived: true }]
    for (const change of changes) {
      const before = await read()
      await crm.post(path, change)
      expect(Date.parse(await read())).toBeGreaterThan(Date.parse(before))
    }
  })

  it('is the same in a Participation and in its Appointment', async () => {
    const { reference } = await makeAppointment(crm, practice)
    const person = await makeParticipation(crm, practice, reference, 'BOOKED')
    await crm.post(at('participations', person.reference), { state: 'CANCELED' })
    const single = (await crm.get(at('participations', person.reference), whole)).body.participation
    const { appointment } = (await crm.get(at('appointments', reference), whole)).body
    expect(appointment.participations).toEqual([
      Object.fromEntries(Object.entries(single).filter(([name]) => name !== 'appointmentReference')),
    ])
    expect(appointment.updatedAt).toMatch(/\.\d{3}Z$/)
  })

  it('is in Users, Accounts, Providers, Products, Timeslots and Customers', async () => {
    const owner = await crm.get(`/user/${encodeURIComponent(practice.owner)}`, whole)
    const account = await crm.get(`/account/${encodeURIComponent(practice.account)}`, whole)
    const provider = await crm.get(practice.path, whole)
    const products = await crm.get(`${practice.path}/products`, whole)
    const slot = await crm.post(`${practice.path}/timeslots`, { timeslots: [timeslotBody(practice)] }, whole)
    const customers = await crm.get(`${practice.path}/customers`, whole)
    const records = [owner.body.user, account.body.account, provider.body.provider, products.body[0]]
    for (const record of [...records, slot.body.timeslots[0], customers.body[0]])
      expect(Date.parse(record.updatedAt)).toBeGreaterThan(Date.now() - 60_000)
  })
})

describe('a reference twice in one batch', () => {
  const customer = { customerReference: 'twice@plat', providerReference: practice.reference, userName: 'Ann' }
  const resource = { reference: 'twice@plat', publicName: 'Room', internalName: 'R' }
  const person = { reference: 'twice@plat', name: 'Ann', email: 'a@example.org', state: 'BOOKED' }
  const batches: [string, object, string][] = [
    ['customers', { customers: [customer, customer] }, 'customers[1].customerReference'],
    [
      'products',
      { products: [1, 2].map(() => ({ reference: 'twice@plat', name: 'A' })) },
      'products[1].reference',
    ],
    ['resources', { resources: [resource, resource] }, 'resources[1].reference'],
    [
      'timeslots',
      { timeslots: [1, 2].map(() => timeslotBody(practice, { reference: 'twice@plat' })) },
      'timeslots[1].reference',
    ],
    [
      'appointments',
      appointmentBody(practice, { participations: [person, person] }),
      'participations[1].reference',
    ],
  ]
  for (const [kind, body, field] of batches)
    it(`is refused for ${kind}, and nothing is stored`, async () => {
      expectRefusal(await crm.post(`${practice.path}/${kind}`, body), 400, 'duplicate-reference', field)
      expect((await crm.get(`${practice.path}/${kind}`)).text).not.toContain('twice@plat')
    })
})

describe('misspelt input', () => {
  const strict = { prefer: 'respond-async, handling=strict' }
  const fieldsOf = ({ body }: Answer) => body.errors.map((error: { field?: string }) => error.field)

  it('is refused by every route of groups A and B if the request asks for it', async () => {
    for (const route of routes) {
      const path = `${addressOf(route, crm.name)}?mispelt=1`
      const body = route.method === 'GET' ? undefined : { emial: 'x' }
      const options = { headers: { 'x-service-client-id': crm.key, ...strict } }
      const answer = await call(holdfast.app, route.method, path, body, options)
      const wanted = route.method === 'GET' ? ['mispelt'] : ['mispelt', 'emial']
      expect([answer.status, fieldsOf(answer)], route.operationId).toEqual([
        400,
        expect.arrayContaining(wanted),
      ])
      expect(answer.headers['preference-applied']).toBe('handling=strict')
      expect(answer.headers['x-ignored'], route.operationId).toBe(wanted.join(', '))
    }
  })

  it('is reported otherwise, at any depth', async () => {
    const timeslots = [timeslotBody(practice), { ...timeslotBody(practice), capacity: 3 }]
    const { status, body } = await crm.post(`${practice.path}/timeslots?notify=1`, { timeslots })
    expect([status, body['api-info']]).toEqual([
      201,
      { version: '1', ignored: ['notify', 'timeslots[1].capacity'] },
    ])
    const person = { reference: unique('p'), name: 'A', email: 'a@example.org', state: 'BOOKED', phone: '1' }
    const sent = appointmentBody(practice, { participations: [person], 'e-mail': 'x' })
    const made = await crm.post(`${practice.path}/appointments`, sent)
    expect(made.body['api-info'].ignored).toEqual(['participations[0].phone', 'e-mail'])
  })

  it('does not include what an answer shows: a record can be sent back as it was read', async () => {
    const path = at('customers', (await makeCustomer(crm, practice)).customerReference)
    const { customer } = (await crm.get(path)).body
    expect((await crm.put(path, customer, { headers: strict })).status).toBe(200)
    const room = at('resources', practice.resource)
    expect((await crm.post(room, (await crm.get(room)).body, { headers: strict })).status).toBe(202)
    const [product] = (await crm.get(`${practice.path}/products`)).body
    expect((await crm.post(`${practice.path}/products`, product, { headers: strict })).status).toBe(200)
  })
})
