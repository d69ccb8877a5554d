// Every route of the console API for an operator, for staff of the Provider and for staff of another. New routes are
// covered as soon as they are defined; what they need in their path, query or body stands in the two tables.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteOperator, inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import type { Route } from '../../src/http/wire/route.ts'
import { makePractice, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { definedRoutes } from '../support/routes.ts'
import { call, startTestService, type TestService } from '../support/service.ts'

let test: TestService
let mine: World
let sessions: Record<'operator' | 'staff' | 'stranger', string>
const routes = (await definedRoutes()).filter(route => route.access.kind === 'console')

beforeAll(async () => {
  test = await startTestService()
  mine = await makeWorld()
  const other = await makeWorld()
  sessions = {
    operator: await logIn(await inviteOperator(test.service, 'operator@example.org')),
    staff: await logIn(await inviteStaff(test.service, 'crm', mine.owner)),
    stranger: await logIn(await inviteStaff(test.service, 'crm', other.owner)),
  }
})
afterAll(() => test.close())

type World = Practice & { mailUuid: string }

async function makeWorld(): Promise<World> {
  const practice = await makePractice(test.crm)
  await makeTimeslot(test.crm, practice)
  const consumer = asConsumer(overApp(test.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  expect((await consumer.complete(practice.resourceUuid, bookingOf(slot!))).status).toBe(201)
  const { rows } = await test.service.db.pool.query(
    'select mail.uuid from mail join provider on provider.id = provider_id where provider.uuid = $1 limit 1',
    [practice.uuid],
  )
  return { ...practice, mailUuid: rows[0].uuid }
}

const logIn = async (link: string) => (await logInByLink(test.service, link.split('/').at(-1)!))!

/** What stands behind the colon, by the word before it. */
const named: Record<string, (world: World) => string> = {
  providers: world => world.uuid,
  products: world => world.productUuid,
  resources: world => world.resourceUuid,
  mails: world => world.mailUuid,
  channels: () => 'RESOURCE_PUBLIC',
}

/** What a route needs beyond its path. */
const needs: Record<string, { query?: string; body?: object }> = {
  'GET /console/api/resources/:uuid/explain': { query: '?date=2030-01-07' },
  'GET /console/api/providers/:uuid/diary': { query: '?from=2030-01-07&to=2030-01-08' },
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`

function addressOf({ path }: Route, world: World): string {
  return path.replaceAll(/(\w+)\/:\w+/g, (_, before: string) => {
    const value = named[before]
    if (!value) throw new Error(`Say in this test what stands behind ${before}/ in ${path}.`)
    return `${before}/${value(world)}`
  })
}

function ask(route: Route, who: keyof typeof sessions) {
  const { query = '', body = route.method === 'GET' ? undefined : {} } = needs[nameOf(route)] ?? {}
  return call(test.app, route.method, addressOf(route, mine) + query, body, {
    headers: { cookie: `holdfast_session=${sessions[who]}` },
  })
}

const about = routes.filter(route => route.path.includes(':'))
const lists = routes.filter(route => !route.path.includes(':'))

describe.each(about.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  it('is there for operators and for staff of the Provider, and not for staff of another', async () => {
    const { status } = await ask(route, 'operator')
    expect(status).toBeLessThan(300)
    expect((await ask(route, 'staff')).status).toBe(status)
    expect((await ask(route, 'stranger')).status).toBe(404)
  })
})

describe.each(lists.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  it('shows what is the Provider’s to operators and to its staff, and not to staff of another', async () => {
    const shown = async (who: keyof typeof sessions) => {
      const { status, text } = await ask(route, who)
      expect(status).toBe(200)
      return [mine.uuid, mine.mailUuid].some(uuid => text.includes(uuid))
    }
    expect([await shown('operator'), await shown('staff'), await shown('stranger')]).toEqual([
      true,
      true,
      false,
    ])
  })
})

it('every route refuses whoever is not logged in, and no cache keeps an answer', async () => {
  for (const route of routes) {
    const answer = await call(
      test.app,
      route.method,
      addressOf(route, mine),
      route.method === 'GET' ? undefined : {},
    )
    expect([nameOf(route), answer.status, answer.headers['cache-control']]).toEqual([
      nameOf(route),
      401,
      'no-store',
    ])
    expect([nameOf(route), (await ask(route, 'staff')).headers['cache-control']]).toEqual([
      nameOf(route),
      'no-store',
    ])
  }
})
