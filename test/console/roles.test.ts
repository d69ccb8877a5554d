// Every route of the console API for every role. New routes are covered as soon as they are defined; what they need in
// their path, query or body, and who may not use them, stands in the tables.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  inviteAdministrator,
  inviteOperator,
  inviteStaff,
  logInByLink,
} from '../../src/actions/console/login.ts'
import { createKey } from '../../src/actions/setup/keys.ts'
import type { Route } from '../../src/http/wire/route.ts'
import {
  makeAppointment,
  makePractice,
  makeProduct,
  makeResource,
  makeTimeslot,
  makeUser,
  type Practice,
} from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { smallPicture } from '../support/pictures.ts'
import { definedRoutes } from '../support/routes.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const routes = (await definedRoutes()).filter(route => route.access.kind === 'console')

/** Insiders first: the first four see the Provider, the others do not. */
const roles = ['operator', 'administrator', 'owner', 'staff', 'stranger', 'foreigner'] as const
type Role = (typeof roles)[number]

const test = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const logIn = async (link: string) => (await logInByLink(test.service, link.split('/').at(-1)!))!
const mine = await makeWorld()
const other = await makeWorld()
const member = await makeUser(test.crm)
await test.crm.post(`${mine.path}/staff`, { userReference: member.reference })
const sessions = {
  operator: await logIn(await inviteOperator(test.service, 'operator@example.org')),
  administrator: await logIn(await inviteAdministrator(test.service, 'crm', 'admin@example.org')),
  owner: await logIn(await inviteStaff(test.service, 'crm', mine.owner)),
  staff: await logIn(await inviteStaff(test.service, 'crm', member.reference)),
  stranger: await logIn(await inviteStaff(test.service, 'crm', other.owner)),
  foreigner: await logIn(await inviteAdministrator(test.service, 'other', 'admin@other.example')),
}

type World = Practice & { mailUuid: string; appointmentUuid: string }

async function makeWorld(): Promise<World> {
  const practice = await makePractice(test.crm)
  await makeTimeslot(test.crm, practice)
  const consumer = asConsumer(overApp(test.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  expect((await consumer.complete(practice.resourceUuid, bookingOf(slot!))).status).toBe(201)
  const ofProvider = 'where provider_id = (select id from provider where uuid = $1) limit 1'
  return {
    ...practice,
    mailUuid: await uuidOf(`mail ${ofProvider}`, practice.uuid),
    appointmentUuid: await uuidOf(`appointment ${ofProvider}`, practice.uuid),
  }
}

async function uuidOf(from: string, value: string): Promise<string> {
  const { rows } = await test.service.db.pool.query(`select uuid from ${from}`, [value])
  return rows[0].uuid
}

async function makeCustomer({ path, reference }: World) {
  const customerReference = `${randomUUID()}@plat`
  const body = { customerReference, providerReference: reference, userName: 'Ann' }
  expect((await test.crm.post(`${path}/customers`, body)).status).toBe(201)
  return customerReference
}

const closing = { from: '2031-06-10', to: '2031-06-11', reason: 'Holiday' }
const closeAt = async (place: string) =>
  (await consoleCall(test.app, 'POST', place.replace('/console/api', ''), closing)).body
const holidays = { country: 'DE', year: 2031 }

/** What stands behind the colon, by the word before it. Made anew each time: some routes use it up. */
const named: Record<string, (world: World, place: string) => string | Promise<string>> = {
  providers: world => world.uuid,
  products: async world => (await makeProduct(test.crm, world)).uuid,
  resources: async world => (await makeResource(test.crm, world)).uuid,
  mails: world => world.mailUuid,
  channels: () => 'RESOURCE_PUBLIC',
  customers: async world => uuidOf('customer where reference = $1', await makeCustomer(world)),
  appointments: async world => {
    const { reference } = await makeAppointment(test.crm, world, { capacity: 1 })
    return uuidOf('appointment where reference = $1', reference)
  },
  timeslots: async world => {
    const { reference } = await makeTimeslot(test.crm, world, {
      start: '2031-01-07T08:00',
      end: '2031-01-07T09:00',
    })
    return uuidOf('timeslot where reference = $1', reference)
  },
  closures: async (_, place) => (await closeAt(place)).closure.uuid,
  blocks: async (_, place) => (await closeAt(place)).block.uuid,
  calendars: async world => (await test.crm.post(`${world.path}/calendars`, {})).body.calendar.uuid,
  profiles: async world => {
    const body = { userReference: world.owner, name: 'Desk', contactChannels: [] }
    return (await consoleCall(test.app, 'POST', `/providers/${world.uuid}/profiles`, body)).body.reference
  },
  participations: async world => {
    const appointment = await makeAppointment(test.crm, world, { capacity: 1 })
    const reference = `${randomUUID()}@plat`
    const body = {
      reference,
      appointmentReference: appointment.reference,
      customerReference: await makeCustomer(world),
      state: 'REQUESTED',
    }
    expect((await test.crm.post(`${world.path}/participations`, body)).status).toBe(201)
    return uuidOf('participation where reference = $1', reference)
  },
}

/** Those of the webhook that was made last. */
let webhook = ''

/** What belongs to a CRM at large. */
Object.assign(named, {
  crms: () => 'crm',
  sessions: () => randomUUID(),
  people: async (world: World) => {
    // A test before this one may have handed it over.
    await test.service.db.pool.query(
      'update provider set owner_id = (select id from app_user where reference = $2) where uuid = $1',
      [world.uuid, world.owner],
    )
    const { reference } = await makeUser(test.crm)
    await test.crm.post(`${world.path}/staff`, { userReference: reference })
    return uuidOf('app_user where reference = $1', reference)
  },
  logins: async () => {
    const email = `${randomUUID()}@example.org`
    await inviteAdministrator(test.service, 'crm', email)
    return uuidOf('console_user where email = $1', email)
  },
  keys: async () => {
    const [, prefix = ''] = (await createKey(test.service, { crm: 'crm' })).split('_')
    return uuidOf('api_key where prefix = $1', prefix)
  },
  webhooks: async () => {
    await test.service.db.pool.query('delete from webhook')
    // Nobody listens there: it fails at once.
    webhook = (await test.crm.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.webhook.uuid
    return webhook
  },
  deliveries: async () => {
    const { rows } = await test.service.db.pool.query(
      `insert into delivery (crm_id, webhook_id, era, xid, event_id, event_uuid, kind, ms)
      select webhook.crm_id, webhook.id, era, xid, event.id, event.uuid, event.kind, 1
      from webhook join event on event.crm_id = webhook.crm_id where webhook.uuid = $1 limit 1 returning id`,
      [webhook],
    )
    return String(rows[0].id)
  },
  jobs: async () => {
    const { rows } = await test.service.db.pool.query(
      `select id from graphile_worker.add_job('deliver-mail', '{"mailIds":[]}', run_at => now() + interval '1 day')`,
    )
    return String(rows[0].id)
  },
})

/** What a route needs beyond its path. */
const needs: Record<string, { query?: string; body?: object | (() => object) }> = {
  'GET /console/api/resources/:uuid/explain': { query: '?date=2030-01-07' },
  'GET /console/api/providers/:uuid/diary': { query: '?from=2030-01-07&to=2030-01-08' },
  'GET /console/api/providers/:uuid/calendar': { query: '?from=2030-01-07&to=2030-01-08' },
  'POST /console/api/providers/:uuid/appointments': {
    body: () => ({
      resourceUuid: mine.resourceUuid,
      productUuid: mine.productUuid,
      start: '2031-01-08T08:00',
      end: '2031-01-08T09:00',
      customer: { name: 'Ann' },
    }),
    query: '?ignoreConflicts=true',
  },
  'POST /console/api/appointments/:uuid/move': {
    query: '?ignoreConflicts=true',
    body: { start: '2030-01-07T16:00', end: '2030-01-07T16:30' },
  },
  'POST /console/api/appointments/:uuid/swap': {
    query: '?ignoreConflicts=true',
    body: () => ({ withUuid: mine.appointmentUuid }),
  },
  'POST /console/api/appointments/:uuid/restore': { body: { people: [] } },
  'POST /console/api/appointments/:uuid/participations': { body: { customer: { name: 'Ann' } } },
  'POST /console/api/resources/:uuid/timeslots': {
    body: { start: '2031-01-09T08:00', end: '2031-01-09T09:00', raster: 30 },
  },
  'POST /console/api/providers/:uuid/customers': { body: { name: 'Ann' } },
  'POST /console/api/providers': {
    body: { name: 'New', ownerName: 'Ann Winter', ownerEmail: 'ann@example.org', crm: 'crm' },
  },
  'POST /console/api/providers/:uuid/products': { body: { name: 'Talk' } },
  'POST /console/api/providers/:uuid/resources': { body: { publicName: 'Room' } },
  'POST /console/api/providers/:uuid/profiles': {
    body: () => ({ userReference: mine.owner, name: 'Desk', contactChannels: [] }),
  },
  'PUT /console/api/resources/:uuid/hours': { body: { rules: [] } },
  'PUT /console/api/providers/:uuid/logo': { body: { data: smallPicture } },
  'POST /console/api/providers/:uuid/closures': { body: closing },
  'POST /console/api/resources/:uuid/blocks': { body: closing },
  'GET /console/api/providers/:uuid/closures/holidays': { query: '?country=DE&year=2031' },
  'POST /console/api/providers/:uuid/closures/holidays': { body: holidays },
  'POST /console/api/participations/:uuid/decide': { body: { answer: 'accept' } },
  'POST /console/api/participations/:uuid/attendance': { body: { attendance: null } },
  'POST /console/api/providers/:uuid/people': {
    body: () => ({ email: `${randomUUID()}@example.org`, lastName: 'New' }),
  },
  'POST /console/api/providers/:uuid/people/:userUuid/details': { body: { keep: true, mark: 'seen' } },
  'POST /console/api/crms/:crmId/webhooks': { body: { url: 'http://127.0.0.1:9/' } },
  'POST /console/api/logins': {
    body: () => ({ email: `${randomUUID()}@example.org`, role: 'administrator', crm: 'crm' }),
  },
  'POST /console/api/crms': { body: { name: 'third' } },
}

/** Who else of the insiders does not see it: what is the owner's, what is an administrator's. */
const closedTo: Record<string, Role[]> = {
  'PATCH /console/api/providers/:uuid': ['staff'],
  'PUT /console/api/providers/:uuid/logo': ['staff'],
  'GET /console/api/providers/:uuid/calendars': ['staff'],
  'POST /console/api/providers/:uuid/calendars': ['staff'],
  'DELETE /console/api/providers/:uuid/calendars/:calendarUuid': ['staff'],
  'POST /console/api/providers/:uuid/closures': ['staff'],
  'PATCH /console/api/providers/:uuid/closures/:closureUuid': ['staff'],
  'DELETE /console/api/providers/:uuid/closures/:closureUuid': ['staff'],
  'POST /console/api/providers/:uuid/closures/holidays': ['staff'],
  'GET /console/api/customers/:uuid/erasure': ['staff'],
  'DELETE /console/api/customers/:uuid': ['staff'],
}

/** What makes something new that belongs to no Provider yet: who may, the others hear that it is not for them. */
const mayMake: Record<string, Role[]> = {
  'POST /console/api/providers': ['operator', 'administrator', 'foreigner'],
}

/** What anybody with a login may ask, about themselves: see ways-in.test.ts. */
const ownBusiness = new Set([
  'GET /console/api/session',
  'PATCH /console/api/session',
  'PUT /console/api/session/password',
  'POST /console/api/session/totp',
  'POST /console/api/session/totp/confirm',
  'POST /console/api/session/totp/end',
  'GET /console/api/sessions',
  'DELETE /console/api/sessions',
  'DELETE /console/api/sessions/:sessionUuid',
])

/** Lists and forms that only some have at all; the others get 404. Administrators see their own CRM there. */
const onlyFor: Record<string, Role[]> = {
  'GET /console/api/logins': ['operator', 'administrator', 'foreigner'],
  'POST /console/api/logins': ['operator', 'administrator'],
  'GET /console/api/crms': ['operator', 'administrator', 'foreigner'],
  'POST /console/api/crms': ['operator'],
  'GET /console/api/operator': ['operator'],
  'GET /console/api/jobs': ['operator'],
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** By what a path begins with, and else by the table. */
function isClosedTo(route: Route, role: Role): boolean {
  const { path } = route
  if (path.startsWith('/console/api/jobs/')) return role !== 'operator'
  if (/^\/console\/api\/(crms|logins)\//.test(path)) return role === 'owner' || role === 'staff'
  if (/\/providers\/:uuid\/(people|audit)/.test(path)) return role === 'staff'
  return closedTo[nameOf(route)]?.includes(role) ?? false
}

async function addressOf({ path }: Route, world: World): Promise<string> {
  let address = path as string
  for (const [whole, before] of path.matchAll(/(\w+)\/:\w+/g)) {
    const value = named[before!]
    if (!value) throw new Error(`Say in this test what stands behind ${before}/ in ${path}.`)
    const place = address.slice(0, address.indexOf(whole)) + before
    address = address.replace(whole, `${before}/${await value(world, place)}`)
  }
  return address
}

async function ask(route: Route, who: Role, address: string | Promise<string> = addressOf(route, mine)) {
  const { query = '', body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {} } =
    needs[nameOf(route)] ?? {}
  const sent = typeof body === 'function' ? body() : body
  return call(test.app, route.method, (await address) + query, sent, {
    headers: { cookie: `holdfast_session=${sessions[who]}` },
  })
}

const others = routes.filter(route => !ownBusiness.has(nameOf(route)))
const about = others.filter(route => route.path.includes(':'))
const managed = others.filter(route => nameOf(route) in onlyFor)
const lists = others.filter(
  route => !about.includes(route) && !managed.includes(route) && !mayMake[nameOf(route)],
)

describe.each(managed.map(route => [nameOf(route), route] as const))('%s', (name, route) => {
  it.each(roles)('as %s', async role => {
    const { status, text } = await ask(route, role)
    if (!onlyFor[name]!.includes(role)) return expect(status).toBe(404)
    expect([status < 300, text]).toEqual([true, expect.any(String)])
    if (role === 'foreigner') expect(text).not.toContain('admin@example.org')
  })
})

describe.each(about.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  // Whoever only looks, or is refused, leaves it as it was: one is enough for all of them.
  let lasting: Promise<string> | undefined
  it.each(roles)('as %s', async role => {
    const isInside = roles.indexOf(role) < 4 && !isClosedTo(route, role)
    const leavesIt = route.method === 'GET' || !isInside
    if (leavesIt) lasting ??= addressOf(route, mine)
    const { status, text } = await ask(route, role, leavesIt ? lasting : undefined)
    if (isInside) expect([status < 300, text]).toEqual([true, expect.any(String)])
    else expect(status).toBe(404)
  })
})

describe.each(lists.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  it('shows what is the Provider’s to those who see it, and to nobody else', async () => {
    const shown: boolean[] = []
    for (const role of roles) {
      const { status, text } = await ask(route, role)
      expect(status).toBe(200)
      const names = [mine.uuid, mine.mailUuid, `"${mine.reference}"`]
      shown.push(names.some(name => text.includes(name)))
    }
    expect(shown).toEqual([true, true, true, true, false, false])
  })
})

describe.each(Object.keys(mayMake))('%s', name => {
  it.each(roles)('as %s', async role => {
    const { status } = await ask(routes.find(route => nameOf(route) === name)!, role)
    expect(status).toBe(mayMake[name]!.includes(role) ? 201 : 403)
  })
})

it('every route refuses whoever is not logged in, and no cache keeps an answer', async () => {
  for (const route of routes) {
    const address = await addressOf(route, mine)
    const answer = await call(test.app, route.method, address, route.method === 'GET' ? undefined : {})
    expect([nameOf(route), answer.status, answer.headers['cache-control']]).toEqual([
      nameOf(route),
      401,
      'no-store',
    ])
    expect([nameOf(route), (await ask(route, 'staff', address)).headers['cache-control']]).toEqual([
      nameOf(route),
      'no-store',
    ])
  }
})

it('the tables above are about every call that the document of the API describes', async () => {
  const { paths } = (await call(test.app, 'GET', '/openapi.json')).body as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const ofConsole = described.filter(name => name.includes(' /console/api/'))
  const known = new Set(routes.map(nameOf))
  // For those who are not logged in yet, or no longer.
  const waysIn = ['GET ways', 'POST link', 'POST logout', 'POST password'].map(name =>
    name.replace(' ', ' /console/api/session/'),
  )
  const unknown = ofConsole.filter(name => !known.has(name as ReturnType<typeof nameOf>))
  expect(unknown.toSorted()).toEqual(waysIn.toSorted())
  expect(ofConsole.length).toBe(known.size + unknown.length)
})
