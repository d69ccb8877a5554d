// What every route of the console API needs in its path, query and body, for tests that go through all of them. A new route
// that needs something says so in these tables.

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { inviteAdministrator } from '../../src/actions/console/login.ts'
import { createKey } from '../../src/actions/setup/keys.ts'
import type { Route } from '../../src/http/wire/route.ts'
import {
  makeAppointment,
  makePractice,
  makeProduct,
  makeResource,
  makeSeries,
  makeTimeslot,
  makeUser,
  type Practice,
} from './build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from './consumer.ts'
import { smallPicture } from './pictures.ts'
import { definedRoutes } from './routes.ts'
import { consoleCall, type TestService } from './service.ts'

export const consoleRoutes = (await definedRoutes()).filter(route => route.access.kind === 'console')

export const nameOf = ({ method, path }: Route) => `${method} ${path}`

export type World = Practice & { mailUuid: string; appointmentUuid: string; booker: string }

/** A Provider with a booking, and requests about it. */
export async function useConsoleWorld(holdfast: TestService) {
  const mine = await makeWorld()

  async function makeWorld(): Promise<World> {
    const practice = await makePractice(holdfast.crm)
    await makeTimeslot(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, practice, { start: '2032-01-05T08:00', end: '2032-01-05T20:00' })
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    expect((await consumer.complete(practice.resourceUuid, bookingOf(slot!))).status).toBe(201)
    const ofProvider = 'where provider_id = (select id from provider where uuid = $1) limit 1'
    return {
      ...practice,
      mailUuid: await uuidOf(`mail ${ofProvider}`, practice.uuid),
      appointmentUuid: await uuidOf(`appointment ${ofProvider}`, practice.uuid),
      booker: await referenceOf('customer', await uuidOf(`customer ${ofProvider}`, practice.uuid)),
    }
  }

  async function uuidOf(from: string, value: string): Promise<string> {
    const rows = await holdfast.query(`select uuid from ${from}`, [value])
    return rows[0].uuid
  }

  async function makeCustomer({ path, reference }: World) {
    const customerReference = `${randomUUID()}@plat`
    const body = { customerReference, providerReference: reference, userName: 'Ann' }
    expect((await holdfast.crm.post(`${path}/customers`, body)).status).toBe(201)
    return customerReference
  }

  const closing = { from: '2031-06-10', to: '2031-06-11', reason: 'Holiday' }
  const closeAt = async (place: string) =>
    (await consoleCall(holdfast.app, 'POST', place.replace('/console/api', ''), closing)).body
  // No server listens there, so it fails at once.
  const calendarSource = { kind: 'ics', address: 'http://127.0.0.1:9/' }
  const holidays = { country: 'DE', year: 2031 }

  /** The first date of the most recent series. */
  let dateOfSeries = ''

  /** Values of path parameters, by the segment before them. Created each time, because some routes delete them. */
  const named: Record<string, (world: World, place: string) => string | Promise<string>> = {
    providers: world => world.uuid,
    products: async world => (await makeProduct(holdfast.crm, world)).uuid,
    resources: async world => (await makeResource(holdfast.crm, world)).uuid,
    mails: world => world.mailUuid,
    channels: () => 'RESOURCE_PUBLIC',
    texts: () => 'booked',
    // With an appointment, so that practitioners see them.
    customers: async world =>
      uuidOf(
        'customer where id = (select customer_id from participation where uuid = $1)',
        await named.participations!(world, ''),
      ),
    distinct: world => named.customers!(world, ''),
    imports: world => makeImport(world),
    appointments: async world => {
      const { reference } = await makeAppointment(holdfast.crm, world, { capacity: 1 })
      return uuidOf('appointment where reference = $1', reference)
    },
    series: async world => {
      const { seriesId, appointments } = await makeSeries(holdfast.crm, world, { capacity: 1 })
      dateOfSeries = appointments[0]!.reference
      return seriesId
    },
    timeslots: async world => {
      const { reference } = await makeTimeslot(holdfast.crm, world, {
        start: '2031-01-07T08:00',
        end: '2031-01-07T09:00',
      })
      return uuidOf('timeslot where reference = $1', reference)
    },
    closures: async (_, place) => (await closeAt(place)).closure.uuid,
    blocks: async (_, place) => (await closeAt(place)).block.uuid,
    calendars: async world => (await holdfast.crm.post(`${world.path}/calendars`, {})).body.calendar.uuid,
    calendar_sources: async (_, place) => {
      const { body: made } = place.startsWith('/console/api')
        ? await consoleCall(holdfast.app, 'POST', place.replace('/console/api', ''), calendarSource)
        : await holdfast.crm.post(place.replace(/^\/crms\/[^/]+/, ''), calendarSource)
      return made.source.uuid
    },
    merges: async (world, place) => {
      const isConsole = place.startsWith('/console/api')
      const path = place.replace(/^\/(console\/api|crms\/[^/]+)/, '').replace(/s$/, '')
      const customerReference = await makeCustomer(world)
      const other = await uuidOf('customer where reference = $1', customerReference)
      const { body } = isConsole
        ? await consoleCall(holdfast.app, 'POST', path, { other })
        : await holdfast.crm.post(path, { customerReference })
      return body.merge.uuid
    },
    waiting_list: async world => {
      // With a Resource, so that practitioners see them.
      const places = { productReference: world.product, resourceReferences: [world.resource] }
      const body = { ...places, from: '2031-01-07', to: '2031-01-08' }
      const customerReference = await makeCustomer(world)
      const rows = await holdfast.query(
        `update customer set email = uuid || '@example.org' where reference = $1 returning uuid`,
        [customerReference],
      )
      expect(rows).toHaveLength(1)
      const added = await holdfast.crm.post(`${world.path}/waiting_list`, { ...body, customerReference })
      return added.body.entry.uuid
    },
    profiles: async world => {
      const body = { userReference: world.owner, name: 'Desk', contactChannels: [] }
      return (await consoleCall(holdfast.app, 'POST', `/providers/${world.uuid}/profiles`, body)).body
        .reference
    },
    questions: async world => {
      const body = { key: `q${randomUUID()}`, type: 'text', label: { en: 'Why?' } }
      return (await holdfast.crm.post(`${world.path}/questions`, body)).body.question.key
    },
    participations: async world => {
      const appointment = await makeAppointment(holdfast.crm, world, { capacity: 1 })
      const reference = `${randomUUID()}@plat`
      const body = {
        reference,
        appointmentReference: appointment.reference,
        customerReference: await makeCustomer(world),
        state: 'REQUESTED',
      }
      expect((await holdfast.crm.post(`${world.path}/participations`, body)).status).toBe(201)
      return uuidOf('participation where reference = $1', reference)
    },
  }

  /** Those of the most recent webhook. */
  let webhook = ''

  /** Records that belong to the whole CRM. */
  Object.assign(named, {
    crms: () => 'crm',
    sessions: () => randomUUID(),
    people: async (world: World) => {
      // An earlier test may have transferred it.
      await holdfast.query(
        'update provider set owner_id = (select id from app_user where reference = $2) where uuid = $1',
        [world.uuid, world.owner],
      )
      const { reference } = await makeUser(holdfast.crm)
      await holdfast.crm.post(`${world.path}/staff`, { userReference: reference })
      return uuidOf('app_user where reference = $1', reference)
    },
    logins: async () => {
      const email = `${randomUUID()}@example.org`
      await inviteAdministrator(holdfast.service, 'crm', email)
      await holdfast.query(`update console_user set totp_secret = 'sealed' where email = $1`, [email])
      return uuidOf('console_user where email = $1', email)
    },
    keys: async () => {
      const [_first, prefix = ''] = (await createKey(holdfast.service, { crm: 'crm' })).split('_')
      return uuidOf('api_key where prefix = $1', prefix)
    },
    webhooks: async () => {
      await holdfast.query('delete from webhook')
      // No server listens there, so it fails at once.
      webhook = (await holdfast.crm.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.webhook.uuid
      return webhook
    },
    deliveries: async () => {
      const rows = await holdfast.query(
        `insert into delivery (crm_id, webhook_id, era, xid, event_id, event_uuid, kind, ms)
        select webhook.crm_id, webhook.id, era, xid, event.id, event.uuid, event.kind, 1
        from webhook join event on event.crm_id = webhook.crm_id where webhook.uuid = $1 limit 1 returning id`,
        [webhook],
      )
      return String(rows[0].id)
    },
    jobs: async () => {
      const rows = await holdfast.query(
        `select id from graphile_worker.add_job('deliver-mail', '{"mailIds":[]}', run_at => now() + interval '1 day')`,
      )
      return String(rows[0].id)
    },
  })

  /** Integrators name records by reference. */
  const referenced: Record<string, (world: World) => string | Promise<string>> = {
    provider: world => world.reference,
    account: world => world.account,
    user: world => world.owner,
    contactProfile: world => named.profiles!(world, ''),
    staff: world => referenceOf('app_user', named.people!(world, '')),
    resource: world => world.resource,
    resources: world => referenceOf('resource', named.resources!(world, '')),
    products: world => referenceOf('product', named.products!(world, '')),
    customers: world => referenceOf('customer', named.customers!(world, '')),
    distinct: world => referenced.customers!(world),
    appointments: world => referenceOf('appointment', named.appointments!(world, '')),
    timeslots: world => referenceOf('timeslot', named.timeslots!(world, '')),
    participations: world => referenceOf('participation', named.participations!(world, '')),
  }

  /** In a state that the routes accept: checked, or done for undoing. */
  async function makeImport(world: { uuid: string }, state = 'CHECKED'): Promise<string> {
    const rows = await holdfast.query(
      `insert into data_import (provider_id, kind, state, file_name, digest, headers, mapping, options, actor, line_count)
       select id, 'customers', $2, 'a.csv', 'digest', '["name"]', '["name"]',
         '{"duplicates":"skip","dateOrder":"dmy","onlyOpen":false,"sendMails":false,"mode":"good"}', '{"kind":"service","name":null}', 0
       from provider where uuid = $1 returning uuid`,
      [world.uuid, state],
    )
    return rows[0].uuid
  }

  async function referenceOf(table: string, uuid: string | Promise<string>): Promise<string> {
    const rows = await holdfast.query(`select reference from ${table} where uuid = $1`, [await uuid])
    return rows[0].reference
  }

  let offers = 0
  /** Each is offered once. */
  const nextFreeTime = () => new Date(Date.parse('2032-01-05T08:00Z') + offers++ * 1_800_000).toISOString()

  const seriesTime = () => ({
    resourceUuid: mine.resourceUuid,
    start: '2031-01-08T08:00',
    end: '2031-01-08T09:00',
  })
  const hoursOfSeveral = () => ({ resources: [{ resourceUuid: mine.resourceUuid, rules: [] }] })
  const seriesDate = () => ({ ...seriesTime(), ignoreConflicts: true })

  /** What a route needs beyond its path. */
  const needs: Record<string, { query?: string; body?: object | (() => object | Promise<object>) }> = {
    'GET /console/api/resources/:uuid/explain': { query: '?date=2030-01-07' },
    'GET /console/api/resources/:uuid/waiting': { query: '?start=2030-01-07T08:00' },
    'POST /console/api/providers/:uuid/waiting_list': {
      body: () => ({
        customerReference: mine.booker,
        productReference: mine.product,
        from: '2031-01-07',
        to: '2031-01-08',
      }),
    },
    'POST /console/api/providers/:uuid/waiting_list/:entryUuid/offer': {
      body: () => ({ resourceReference: mine.resource, start: nextFreeTime() }),
    },
    'GET /console/api/providers/:uuid/diary': { query: '?from=2030-01-07&to=2030-01-08' },
    'GET /console/api/providers/:uuid/calendar': { query: '?from=2030-01-07&to=2030-01-08' },
    'GET /console/api/providers/:uuid/free-times': {
      query: `?from=2030-01-07&productUuid=${mine.productUuid}`,
    },
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
    'POST /console/api/resources/:uuid/absence': { body: () => ({ lines: [] }) },
    'POST /console/api/providers/:uuid/series/preview': {
      body: () => ({
        productUuid: mine.productUuid,
        rule: { first: '2031-01-08T08:00', unit: 'week', every: 1, count: 2, duration: 30 },
      }),
    },
    'POST /console/api/providers/:uuid/series': {
      body: () => ({ productUuid: mine.productUuid, dates: [seriesDate()], customer: { name: 'Ann' } }),
    },
    'POST /console/api/providers/:uuid/series/:seriesId/move/preview': {
      body: () => ({ scope: 'all', appointmentReference: dateOfSeries, ...seriesTime() }),
    },
    'POST /console/api/providers/:uuid/series/:seriesId/move': {
      body: () => ({ dates: [{ ...seriesDate(), appointmentReference: dateOfSeries }] }),
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
    'POST /console/api/providers/:uuid/imports': {
      body: { kind: 'customers', fileName: 'a.csv', content: Buffer.from('name\nAnn').toString('base64') },
    },
    'POST /console/api/imports/:uuid/check': {
      body: { mapping: ['name'], duplicates: 'skip', dateOrder: 'dmy', onlyOpen: false, sendMails: false },
    },
    'POST /console/api/imports/:uuid/run': { body: { mode: 'good' } },
    'POST /console/api/customers/:uuid/merge': {
      body: async () => ({ other: await uuidOf('customer where reference = $1', await makeCustomer(mine)) }),
    },
    'POST /console/api/providers': {
      body: { name: 'New', ownerName: 'Ann Winter', ownerEmail: 'ann@example.org', crm: 'crm' },
    },
    'POST /console/api/providers/:uuid/products': { body: { name: 'Talk' } },
    'POST /console/api/providers/:uuid/resources': { body: { publicName: 'Room' } },
    'POST /console/api/providers/:uuid/profiles': {
      body: () => ({ userReference: mine.owner, name: 'Desk', contactChannels: [] }),
    },
    'PUT /console/api/resources/:uuid/hours': { body: { rules: [] } },
    'PUT /console/api/providers/:uuid/hours': { body: hoursOfSeveral },
    'POST /console/api/providers/:uuid/hours/preview': { body: hoursOfSeveral },
    'POST /console/api/providers/:uuid/email-texts/:kind/preview': {
      body: { language: 'en', text: 'Hello {customer}' },
    },
    'PUT /console/api/providers/:uuid/logo': { body: { data: smallPicture } },
    'POST /console/api/providers/:uuid/closures': { body: closing },
    'POST /console/api/resources/:uuid/blocks': { body: closing },
    'POST /console/api/resources/:uuid/calendar_sources': { body: calendarSource },
    'POST /console/api/resources/:uuid/calendar_sources/test': { body: calendarSource },
    'GET /console/api/providers/:uuid/closures/holidays': { query: '?country=DE&year=2031' },
    'GET /console/api/providers/:uuid/reports/bookings': { query: '?from=2031-01-01&to=2031-02-01' },
    'GET /console/api/providers/:uuid/reports/answers': { query: '?from=2031-01-01&to=2031-02-01' },
    'GET /console/api/holidays/regions': { query: '?country=DE' },
    'POST /console/api/providers/:uuid/closures/holidays': { body: holidays },
    'POST /console/api/participations/:uuid/decide': { body: { answer: 'accept' } },
    'POST /console/api/appointments/:uuid/message': { body: { message: 'Bring a towel.' } },
    'POST /console/api/appointments/:uuid/attendance': { body: { people: [] } },
    'POST /console/api/participations/:uuid/attendance': { body: { attendance: null } },
    'PUT /console/api/participations/:uuid/answers': { body: { answers: {} } },
    'POST /console/api/providers/:uuid/questions': {
      body: () => ({ key: `q${randomUUID()}`, type: 'text', label: { en: 'Why?' } }),
    },
    'PUT /console/api/providers/:uuid/question-order': { body: { keys: [] } },
    'POST /console/api/providers/:uuid/people': {
      body: () => ({ email: `${randomUUID()}@example.org`, lastName: 'New' }),
    },
    'PATCH /console/api/providers/:uuid/people/:userUuid': { body: { role: 'reception' } },
    'POST /console/api/providers/:uuid/people/:userUuid/details': { body: { keep: true, mark: 'seen' } },
    'POST /console/api/crms/:crmId/webhooks': { body: { url: 'http://127.0.0.1:9/' } },
    'POST /console/api/logins': {
      body: () => ({ email: `${randomUUID()}@example.org`, role: 'administrator', crm: 'crm' }),
    },
    'POST /console/api/crms': { body: { name: 'third' } },
  }

  async function addressOf({ path }: Route, world = mine): Promise<string> {
    let address = path as string
    if (path.endsWith('/imports/:uuid/undo')) return path.replace(':uuid', await makeImport(world, 'DONE'))
    for (const [whole, before] of path.matchAll(/(\w+)\/:\w+/g)) {
      const isOfIntegrators = path.startsWith('/crms/:crmId/')
      const value = (isOfIntegrators && referenced[before!]) || named[before!]
      if (!value) throw new Error(`Say above what stands behind ${before}/ in ${path}.`)
      const place = address.slice(0, address.indexOf(whole)) + before
      address = address.replace(whole, `${before}/${await value(world, place)}`)
    }
    return address
  }

  /** A request for this route that is granted to operators. */
  async function requestFor(route: Route, world = mine, address?: string | Promise<string>) {
    const { query = '', body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {} } =
      needs[nameOf(route)] ?? {}
    return {
      address: (await (address ?? addressOf(route, world))) + query,
      body: typeof body === 'function' ? await body() : body,
    }
  }

  return { mine, makeWorld, addressOf, requestFor }
}
