// A save that changes nothing has no effect: no event, no activity entry, no email and no new revision.
// Covers every PUT and PATCH; a new one must be added here.

import { describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/wire/route.ts'
import {
  appointmentBody,
  makeCustomer,
  makeProfile,
  makeTimeslot,
  makeUser,
  timeslotBody,
  unique,
} from '../support/build.ts'
import { nameOf, useConsoleWorld } from '../support/console-world.ts'
import { smallPicture } from '../support/pictures.ts'
import { definedRoutes } from '../support/routes.ts'
import { call, consoleToken, useService } from '../support/service.ts'

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const { mine, addressOf } = await useConsoleWorld(holdfast)
const routes = (await definedRoutes()).filter(route => route.method === 'PUT' || route.method === 'PATCH')

const phone = { type: 'phone', value: '+49 30 1', label: null }
const email = { type: 'email', value: 'desk@example.org', label: 'Desk' }
const profile = { name: 'Front desk', contactChannels: [phone, email] }
const webhook = {
  url: 'http://127.0.0.1:9/other',
  kinds: ['participation.booked'],
  providers: [mine.reference],
  description: 'CRM',
  enabled: true,
}
const channel = {
  visible: false,
  customersOnly: true,
  bookingProcess: 'REQUESTED',
  products: [mine.productUuid],
  minimumNoticeMinutes: 30,
  horizonDays: 60,
  showFull: true,
  reminderHours: 3,
  changeNoticeMinutes: 90,
  seriesMax: 8,
}
const address = { street: 'Hafenstrasse', number: '1', zip: '20359', city: 'Hamburg' }
const rule = {
  weekdays: ['1', '3'],
  from: '09:00',
  to: '12:00',
  raster: 30,
  capacity: 2,
  acceptBookings: true,
  validFrom: null,
  validUntil: null,
}

const question = {
  label: { en: 'Reason', de: 'Grund' },
  help: { en: 'In a few words' },
  required: true,
  maxLength: 80,
  inEmails: true,
  keepDays: 30,
}

const wish = { from: '2031-02-01', to: '2031-02-10', weekdays: [1, 2], note: 'In the morning' }

const source = {
  name: 'Own calendar',
  tentativeIsBusy: true,
  showTitles: true,
  staleHours: 12,
  stayOpen: false,
}

/** The saved content: every field of the form. */
const saved: Record<string, object> = {
  'PATCH /console/api/appointments/:uuid': { capacity: 3, notes: 'By the window.', description: 'Talk' },
  'PATCH /console/api/providers/:uuid/closures/:closureUuid': {
    from: '2031-07-01T08:00',
    to: '2031-07-01T12:00',
    reason: 'Leave',
    resources: [mine.resourceUuid],
  },
  'PATCH /console/api/providers/:uuid/profiles/:profileRef': profile,
  'PATCH /console/api/providers/:uuid/people/:userUuid': { role: 'reception' },
  'PATCH /console/api/customers/:uuid': {
    name: 'Ann Berg',
    email: 'ann@example.org',
    mobile: '+49 170 1234567',
    note: 'Comes by train.',
    language: 'fr',
    birthDate: '1980-05-01',
    address: { street: 'Hafenstrasse', city: 'Hamburg' },
    insurer: 'AOK',
    insuranceNumber: 'A1',
    fields: {},
    tags: ['VIP', 'vip', 'Knee'],
  },
  'PUT /console/api/resources/:uuid/hours': {
    hoursWeeks: 4,
    rules: [rule, { ...rule, from: '14:00', to: '18:00' }],
  },
  'PUT /console/api/providers/:uuid/hours': {
    resources: [
      {
        resourceUuid: mine.resourceUuid,
        hoursWeeks: 4,
        rules: [{ ...rule, everyWeeks: 2, weekOf: '2031-01-06' }],
        exceptions: [{ day: '2031-01-08', times: [{ from: '09:00', to: '12:00', raster: 30 }] }],
      },
    ],
  },
  'PATCH /console/api/crms/:crmId/webhooks/:webhookUuid': webhook,
  'PATCH /console/api/products/:uuid': {
    name: 'Long talk',
    description: 'Bring your papers.',
    minDuration: 30,
    maxDuration: 60,
    leadTimeMinutes: 5,
    followUpTimeMinutes: 10,
  },
  'PATCH /console/api/resources/:uuid': {
    publicName: 'Room',
    internalName: 'Room 4',
    description: 'First floor',
    products: [mine.product],
    contact: mine.owner,
    website: 'https://example.org',
    address,
    archived: false,
  },
  'PATCH /console/api/providers/:uuid/email-texts/:kind': { en: 'See you soon.', de: 'Bis bald.', fr: null },
  'PATCH /console/api/crms/:crmId/retention': { mailDays: 40, customerMonths: 30 },
  'PATCH /console/api/providers/:uuid': {
    name: 'Harbour Practice',
    email: 'hello@example.org',
    mobile: '+49 170 1',
    phone: '+49 30 1',
    impressum: 'Harbour Practice',
    description: 'By the water',
    timeZone: 'Europe/Paris',
    language: 'fr',
    preIdentification: true,
    accentColor: '#aa3300',
    logoUrl: 'https://example.org/logo.png',
    privacyUrl: 'https://example.org/privacy',
    terms: 'Be on time.',
    termsRequired: true,
    resourceWord: 'room',
    calendarColors: 'PRODUCT',
  },
  'PATCH /console/api/providers/:uuid/booking': { horizonDays: 60, reminderHours: 48, waitingList: true },
  'PUT /console/api/providers/:uuid/logo': { data: smallPicture },
  'PATCH /console/api/resources/:uuid/channels/:channelKey': channel,
  'PATCH /console/api/resources/:uuid/channels': channel,
  'PATCH /console/api/timeslots/:uuid': { start: '2031-01-07T07:00', end: '2031-01-07T10:00', raster: 60 },
  'PATCH /console/api/providers/:uuid/questions/:questionKey': question,
  'PUT /crms/:crmId/provider/:providerRef/questions/:questionKey': question,
  'PUT /crms/:crmId/provider/:providerRef/products/:productRef': {
    name: 'Talk',
    minDuration: 45,
    description: 'Long',
  },
  'PATCH /crms/:crmId/webhooks/:webhookUuid': webhook,
  'PUT /crms/:crmId/provider/:providerRef/customers/:customerRef': {
    userName: 'Ann Berg',
    email: 'ann@example.org',
    mobile: '+49 170 1234567',
    note: 'Comes by train.',
    language: 'fr',
    birthDate: '1980-05-01',
    address: { street: 'Hafenstrasse', city: 'Hamburg' },
    insurer: 'AOK',
    insuranceNumber: 'A1',
    fields: {},
    tags: ['VIP', 'vip', 'Knee'],
    providerReference: mine.reference,
  },
  'PUT /crms/:crmId/provider/:providerRef/timeslots/:timeslotRef': {
    start: '2030-02-01T07:00',
    end: '2030-02-01T10:00',
    raster: 60,
    defaultCapacity: 4,
    defaultAcceptBookings: false,
    address,
    state: 'CREATED',
  },
  'PUT /crms/:crmId/user/:userRef/generalContactProfile': profile,
  'PUT /crms/:crmId/user/:reference': {
    firstName: 'Mia',
    lastName: 'Berg',
    phone: '+49 40 1',
    mobile: '+49 170 1',
  },
  'PUT /crms/:crmId/account/:reference': {
    branch: 'misc',
    invoiceCompanyName: 'Harbour',
    invoiceAddress: address,
  },
  'PUT /crms/:crmId/provider/:reference': {
    name: 'Harbour',
    timeZone: 'Europe/Paris',
    language: 'fr',
    branch: 'misc',
  },
  'PATCH /console/api/providers/:uuid/waiting_list/:entryUuid': wish,
  'PATCH /crms/:crmId/provider/:providerRef/waiting_list/:entryUuid': wish,
  'PATCH /console/api/resources/:uuid/calendar_sources/:sourceUuid': source,
  'PATCH /crms/:crmId/provider/:providerRef/resources/:resourceRef/calendar_sources/:sourceUuid': source,
}

/** They need questions, or have tests of their own: see test/console/questions.test.ts, test/setup/by-reference.slow.test.ts. */
const elsewhere = new Set([
  'PUT /crms/:crmId/user/:reference',
  'PUT /crms/:crmId/account/:reference',
  'PUT /crms/:crmId/provider/:reference',
  'PUT /console/api/providers/:uuid/question-order',
  'PUT /console/api/participations/:uuid/answers',
])

/** Changes of the caller's own login record no events, nor does a mark that no record shows. */
const silent = new Set([
  'PATCH /console/api/session',
  'PUT /console/api/session/password',
  'PUT /console/api/customers/:uuid/distinct/:otherUuid',
  'PUT /crms/:crmId/provider/:providerRef/customers/:customerRef/distinct/:otherRef',
])

/** Values of path parameters in groups A and B. */
const named: Record<string, () => string | Promise<string>> = {
  crmId: () => 'crm',
  providerRef: () => mine.reference,
  productRef: async () => mine.product,
  customerRef: async () => (await makeCustomer(holdfast.crm, mine)).customerReference,
  timeslotRef: async () =>
    (await makeTimeslot(holdfast.crm, mine, { start: '2030-02-01T08:00', end: '2030-02-01T09:00' }))
      .reference,
  userRef: async () => (await makeUser(holdfast.crm)).reference,
  questionKey: async () => {
    const question = { key: 'other', type: 'text', label: { en: 'Other' } }
    return (await holdfast.crm.post(`${mine.path}/questions`, question)).body.question.key
  },
  resourceRef: () => mine.resource,
  sourceUuid: async () => {
    const path = `${mine.path}/resources/${encodeURIComponent(mine.resource)}/calendar_sources`
    return (await holdfast.crm.post(path, { kind: 'ics', address: 'http://127.0.0.1:9/' })).body.source.uuid
  },
  entryUuid: async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, mine)
    const body = { customerReference, productReference: mine.product, from: '2031-01-07', to: '2031-01-08' }
    return (await holdfast.crm.post(`${mine.path}/waiting_list`, body)).body.entry.uuid
  },
  webhookUuid: async () =>
    (await holdfast.crm.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.webhook.uuid as string,
}

async function placeOf(route: Route): Promise<string> {
  if (route.access.kind === 'console') return addressOf(route)
  let address = route.path
  for (const [whole, name] of route.path.matchAll(/:(\w+)/g))
    address = address.replace(whole, encodeURIComponent(await named[name!]!()))
  return address
}

const headers = { authorization: `Bearer ${consoleToken}`, 'x-service-client-id': holdfast.crm.key }
const put = (method: string, address: string, body: object) =>
  call(holdfast.app, method, address, body, {
    headers: address.startsWith('/console')
      ? { authorization: headers.authorization }
      : { 'x-service-client-id': headers['x-service-client-id'] },
  })

/** All events so far, and the current revisions. */
async function traces() {
  const rows = await holdfast.query(
    `select (select json_agg(kind || ' ' || coalesce(detail, '') order by id) from event) as events,
      (select count(*)::int from mail) as mails,
      (select json_agg(revision order by id) from resource) as revisions`,
  )
  return rows[0] as { events: string[]; mails: number; revisions: number[] }
}

async function saveTwice(save: () => Promise<{ status: number; text: string }>) {
  const before = await traces()
  const first = await save()
  expect(first.status, first.text).toBeLessThan(300)
  const after = await traces()
  expect(after.events.length, first.text).toBeGreaterThan(before.events.length)
  const again = await save()
  expect(again.status, again.text).toBe(200)
  expect(await traces()).toEqual(after)
  return { first, again }
}

describe.each(
  routes
    .filter(route => !silent.has(nameOf(route)) && !elsewhere.has(nameOf(route)))
    .map(route => [nameOf(route), route] as const),
)('%s', (name, route) => {
  it('records no event when saved again unchanged', async () => {
    const body = saved[name]
    if (!body) throw new Error(`Say in this test what ${name} saves.`)
    const fields = Object.keys((route.body as unknown as { properties: object }).properties)
    expect(fields).toEqual(expect.arrayContaining(Object.keys(body)))
    const address = await placeOf(route)
    const { first, again } = await saveTwice(() => put(route.method, address, body))
    expect(again.text).toBe(first.text)
  })
})

describe('a Create with an existing reference and the same content', () => {
  const path = mine.path
  const owner = mine.owner
  const reference = () => unique('again')
  const creates: Record<string, () => Promise<[string, object]> | [string, object]> = {
    User: () => [
      '/user',
      {
        reference: reference(),
        email: `${reference()}.org`,
        username: reference(),
        lastName: 'Berg',
        phone: '+49 30 1',
      },
    ],
    Account: () => ['/account', { ownerReference: owner, accountReference: reference(), branch: 'misc' }],
    Staff: async () => [`${path}/staff`, { userReference: (await makeUser(holdfast.crm)).reference }],
    Product: () => [`${path}/products`, { reference: reference(), name: 'Talk', minDuration: 30 }],
    Resource: () => [
      `${path}/resources`,
      { reference: reference(), publicName: 'Room', internalName: 'R', products: [mine.product] },
    ],
    Profile: () => [
      `${path}/contactProfile`,
      { ...profile, reference: reference(), userReference: owner, providerReference: mine.reference },
    ],
    Customer: () => [
      `${path}/customers`,
      { customerReference: reference(), providerReference: mine.reference, userName: 'Ann' },
    ],
    Timeslot: () => [
      `${path}/timeslots`,
      { timeslots: [timeslotBody(mine, { start: '2030-03-01T08:00', end: '2030-03-01T09:00' })] },
    ],
    Appointment: () => [
      `${path}/appointments`,
      appointmentBody(mine, { start: '2030-03-04T08:00', end: '2030-03-04T09:00' }),
    ],
    Participation: async () => {
      const appointment = appointmentBody(mine, {
        start: '2030-03-05T08:00',
        end: '2030-03-05T09:00',
        capacity: 2,
      })
      await holdfast.crm.post(`${path}/appointments`, appointment)
      const { customerReference } = await makeCustomer(holdfast.crm, mine)
      const body = {
        reference: reference(),
        appointmentReference: appointment.reference,
        customerReference,
        state: 'BOOKED',
      }
      return [`${path}/participations`, body]
    },
  }
  it.each(Object.keys(creates))('%s: records no event', async name => {
    const [address, body] = await creates[name]!()
    await saveTwice(() => holdfast.crm.post(address, body))
  })
})

describe('saves that do record an event', () => {
  it('opening hours saved again after one of their Timeslots was deleted', async () => {
    const route = routes.find(one => one.path.endsWith('/hours'))!
    const address = await addressOf(route)
    const body = saved[nameOf(route)]!
    await put('PUT', address, body)
    const ofHours = `from timeslot where resource_id = (select id from resource where uuid = $1)`
    const uuid = address.split('/').at(-2)
    const rows = await holdfast.query(`select uuid ${ofHours} order by start_at desc limit 1`, [uuid])
    const gone = await call(holdfast.app, 'DELETE', `/console/api/timeslots/${rows[0].uuid}`, undefined, {
      headers: { authorization: headers.authorization },
    })
    expect(gone.status).toBe(204)
    const count = async () => (await holdfast.query(`select ${ofHours}`, [uuid])).length
    const before = [await count(), (await traces()).events.length]
    await put('PUT', address, body)
    expect([await count(), (await traces()).events.length]).toEqual([before[0]! + 1, before[1]! + 1])
  })

  it('a profile whose channels only change their order', async () => {
    const { reference } = await makeProfile(holdfast.crm, mine, mine.owner)
    const address = `/console/api/providers/${mine.uuid}/profiles/${encodeURIComponent(reference)}`
    await put('PATCH', address, profile)
    const { events } = await traces()
    await put('PATCH', address, { contactChannels: [email, phone] })
    expect((await traces()).events.slice(events.length)).toEqual(['profile.changed '])
  })
})
