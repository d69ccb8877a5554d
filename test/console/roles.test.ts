// Every route of the console API for every role. New routes are covered as soon as they are defined; what they need in
// their path, query or body is in support/console-world.ts, and who may not use them is in the tables here.

import { describe, expect, it } from 'vitest'
import {
  inviteAdministrator,
  inviteOperator,
  inviteStaff,
  logInByLink,
} from '../../src/actions/console/login.ts'
import type { Route } from '../../src/http/wire/route.ts'
import { makeUser } from '../support/build.ts'
import { nameOf, consoleRoutes as routes, useConsoleWorld } from '../support/console-world.ts'
import { call, useService } from '../support/service.ts'

/** Insiders first: the first four see the Provider, the others do not. */
const roles = ['operator', 'administrator', 'owner', 'staff', 'stranger', 'foreigner'] as const
type Role = (typeof roles)[number]

const test = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const logIn = async (link: string) => (await logInByLink(test.service, link.split('/').at(-1)!))!
const { mine, makeWorld, addressOf, requestFor } = await useConsoleWorld(test)
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

/** Routes that are also hidden from other roles: for owners only, for administrators only. */
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
  'POST /console/api/providers': ['operator', 'administrator'],
}

/** Routes open to every login, about themselves or the calendar: see ways-in.test.ts. */
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
  'GET /console/api/holidays/regions',
])

/** Lists and forms that exist only for some roles; others get 404. Administrators see their own CRM there. */
const onlyFor: Record<string, Role[]> = {
  'GET /console/api/logins': ['operator', 'administrator', 'foreigner'],
  'POST /console/api/logins': ['operator', 'administrator'],
  'GET /console/api/crms': ['operator', 'administrator', 'foreigner'],
  'POST /console/api/crms': ['operator'],
  'GET /console/api/operator': ['operator'],
  'GET /console/api/jobs': ['operator'],
}

/** By what a path begins with, and else by the table. */
function isClosedTo(route: Route, role: Role): boolean {
  const { path } = route
  if (path.startsWith('/console/api/jobs/')) return role !== 'operator'
  if (path.endsWith('/totp')) return role !== 'operator'
  if (/^\/console\/api\/(crms|logins)\//.test(path)) return role === 'owner' || role === 'staff'
  if (/\/providers\/:uuid\/(people|audit)/.test(path)) return role === 'staff'
  return closedTo[nameOf(route)]?.includes(role) ?? false
}

async function ask(route: Route, who: Role, address?: string | Promise<string>) {
  const request = await requestFor(route, mine, address)
  return call(test.app, route.method, request.address, request.body, {
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
  // Reading or being refused changes nothing, so one record serves all of them.
  let lasting: Promise<string> | undefined
  it.each(roles)('as %s', async role => {
    const isInside = roles.indexOf(role) < 4 && !isClosedTo(route, role)
    const leavesIt = route.method === 'GET' || !isInside
    if (leavesIt) lasting ??= addressOf(route)
    const { status, text } = await ask(route, role, leavesIt ? lasting : undefined)
    if (isInside) expect([status < 300, text]).toEqual([true, expect.any(String)])
    else expect(status).toBe(404)
  })
})

describe.each(lists.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  it('shows a Provider’s data only to those with access', async () => {
    const shown: boolean[] = []
    for (const role of roles) {
      const { status, text } = await ask(route, role)
      expect(status).toBe(200)
      const names = [mine.uuid, mine.mailUuid, `"${mine.reference}"`]
      shown.push(names.some(name => text.includes(name)))
    }
    const isForStaff = !route.path.endsWith('/audit')
    expect(shown).toEqual([true, true, true, isForStaff, false, false])
  })
})

describe.each(Object.keys(mayMake))('%s', name => {
  it.each(roles)('as %s', async role => {
    const { status } = await ask(routes.find(route => nameOf(route) === name)!, role)
    // A foreign administrator names a CRM that is not theirs.
    const refused = role === 'foreigner' ? 404 : 403
    expect(status).toBe(mayMake[name]!.includes(role) ? 201 : refused)
  })
})

it('every route requires a login, and no response may be cached', async () => {
  for (const route of routes) {
    const address = await addressOf(route)
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
