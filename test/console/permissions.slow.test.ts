// Every route for every caller. Routes declare who may call them; this test tries each cell of the table and
// compares it with docs/permissions.md. To change it on purpose: DOCS=write vitest run test/console/permissions.slow.test.ts

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { inviteAdministrator, inviteOperator, inviteStaff } from '../../src/actions/console/login.ts'
import { createKey } from '../../src/actions/setup/keys.ts'
import { type KeyScope, keyScopes } from '../../src/db/setup/keys.ts'
import type { ConsoleAccess } from '../../src/http/wire/callers/permit.ts'
import { operationsRoutes } from '../../src/http/wire/ops/ops.ts'
import { register } from '../../src/http/wire/register.ts'
import type { Route } from '../../src/http/wire/route.ts'
import { makeServer } from '../../src/http/wire/server/server.ts'
import {
  hasRight,
  isLimited,
  memberRoles,
  type Right,
  type Role,
  rights,
  rightsOf,
} from '../../src/rules/access.ts'
import { makeUser } from '../support/build.ts'
import { nameOf, useConsoleWorld } from '../support/console-world.ts'
import { cookieOf, sessionOf } from '../support/logins.ts'
import { definedRoutes } from '../support/routes.ts'
import { call, useService } from '../support/service.ts'

// Each route leaves its records behind, so later ones have more to read.
vi.setConfig({ testTimeout: 90_000 })

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const { mine, makeWorld, addressOf, requestFor } = await useConsoleWorld(holdfast)
const routes = [...(await definedRoutes()), ...operationsRoutes(holdfast.service)]

type Caller = {
  headers: Record<string, string>
  key?: KeyScope[]
  role?: Role
  isForeign?: 'provider' | 'crm'
}

const person = async (role: Role, link: string, isForeign?: Caller['isForeign']): Promise<Caller> => ({
  headers: cookieOf(await sessionOf(holdfast, link)),
  role,
  ...(isForeign && { isForeign }),
})
const key = async (scopes: KeyScope[], crm = 'crm'): Promise<Caller> => ({
  headers: { 'x-service-client-id': await createKey(holdfast.service, { crm, scopes }) },
  key: scopes,
  ...(crm !== 'crm' && { isForeign: 'crm' }),
})

/** One login for each role that a member of the staff can have. */
async function membersOf({ path }: { path: string }, isForeign?: 'provider') {
  const members = memberRoles.map(async role => {
    const { reference } = await makeUser(holdfast.crm)
    await holdfast.crm.post(`${path}/staff`, { userReference: reference })
    await holdfast.query(
      'update staff set role = $2 where user_id = (select id from app_user where reference = $1)',
      [reference, role],
    )
    const name = isForeign ? `another business’s ${role}` : role
    return [
      name,
      await person(role, await inviteStaff(holdfast.service, 'crm', reference), isForeign),
    ] as const
  })
  return Object.fromEntries(await Promise.all(members))
}

const other = await makeWorld()
const { service } = holdfast
const callers: Record<string, Caller> = {
  anonymous: { headers: {} },
  ...Object.fromEntries(
    await Promise.all(keyScopes.map(async scope => [`key: ${scope}`, await key([scope])] as const)),
  ),
  operator: await person('operator', await inviteOperator(service, 'operator@example.org')),
  administrator: await person(
    'administrator',
    await inviteAdministrator(service, 'crm', 'admin@example.org'),
  ),
  owner: await person('owner', await inviteStaff(service, 'crm', mine.owner)),
  ...(await membersOf(mine)),
  'another CRM’s key': await key(keyScopes, 'other'),
  'another CRM’s administrator': await person(
    'administrator',
    await inviteAdministrator(service, 'other', 'admin@other.example'),
    'crm',
  ),
  'another business’s owner': await person(
    'owner',
    await inviteStaff(service, 'crm', other.owner),
    'provider',
  ),
  ...(await membersOf(other, 'provider')),
}

/** Name a CRM in the body; that of another administrator is not found. */
const namesCrm = new Set(['inviteLogin', 'addProvider'])

/** Null: allowed. */
function refusalOf({ access, method, operationId }: Route, caller: Caller): number | null {
  if (access.kind === 'public') return null
  if (access.kind === 'console')
    return caller.key ? keyInConsole(access, caller) : personIn(access, caller, operationId)
  if (!caller.key) return 401
  const isCovered = caller.key.includes(access.scope) || (method === 'GET' && caller.key.includes('read'))
  return isCovered && !caller.isForeign ? null : 403
}

function keyInConsole({ scope, whose }: ConsoleAccess, caller: Caller) {
  if (!scope) return 401
  if (!caller.key!.includes(scope)) return 403
  return caller.isForeign && typeof whose !== 'string' ? 404 : null
}

function personIn(
  { right, whose, isFiltered }: ConsoleAccess,
  { role, isForeign }: Caller,
  operationId: string,
) {
  if (!role) return 401
  const isOfCrm = typeof whose !== 'string' && ['CRM', 'login'].includes(whose.noun)
  const isHidden = typeof whose !== 'string' && (isForeign === 'crm' || (isForeign && !isOfCrm))
  if (isHidden) return 404
  if (!hasRight(role, right)) return 403
  const isForAll = typeof whose !== 'string' && !whose.isAt && !isFiltered
  if (isLimited(role) && isForAll) return 403
  return isForeign === 'crm' && namesCrm.has(operationId) ? 404 : null
}

const isOwnLogin = ({ access }: Route) => access.kind === 'console' && access.right === 'own-login'

/** Records are made at new Resources, so the practitioner gets these, too. */
const giveAllCalendars = () =>
  holdfast.service.db.pool.query(
    `update staff set resource_ids = array(select id from resource where provider_id = staff.provider_id)
     where role = 'practitioner'`,
  )

/** One record serves all who only read or are refused. */
async function askAll(route: Route) {
  let lasting: Promise<string> | undefined
  const answers: Record<string, Awaited<ReturnType<typeof call>>> = {}
  for (const [name, caller] of Object.entries(callers)) {
    const leavesIt = route.method === 'GET' || refusalOf(route, caller) !== null
    if (leavesIt) lasting ??= addressOf(route)
    const { address, body } = await requestFor(route, mine, leavesIt ? lasting : undefined)
    if (caller.role === 'practitioner') await giveAllCalendars()
    answers[name] = await call(holdfast.app, route.method, address, body, { headers: caller.headers })
  }
  return answers
}

/** What a granted request must not return. The own login has no foreign records, and may lack those it names. */
const refusals = (route: Route) =>
  route.access.kind === 'public' || isOwnLogin(route) ? [401, 403] : [401, 403, 404]

const secrets = [mine.uuid, mine.mailUuid, `"${mine.reference}"`, 'admin@example.org']

/** They end what the others rely on: the ownership and the sessions. */
const last = ['makeOwner', 'logOut']
const inOrder = routes.toSorted((a, b) => last.indexOf(a.operationId) - last.indexOf(b.operationId))

describe('every route, for every caller', () => {
  it.each(inOrder.map(route => [nameOf(route), route] as const))('%s', async (_, route) => {
    const answers = await askAll(route)
    for (const [name, caller] of Object.entries(callers)) {
      const { status, text, headers } = answers[name]!
      const refused = refusalOf(route, caller)
      if (refused !== null) expect([name, status, text]).toEqual([name, refused, text])
      else expect(refusals(route), `${name}: ${text}`).not.toContain(status)
      if (refused === null && route.access.kind === 'console' && !isOwnLogin(route))
        expect([name, status < 300, text]).toEqual([name, true, text])
      if (route.access.kind !== 'public')
        expect(headers['cache-control']).toMatch(/^(no-store|private, no-cache)$/)
      if (caller.isForeign && refused === null && route.access.kind !== 'public')
        for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false])
    }
  })
})

describe('a route without a declaration', () => {
  it('keeps the service from starting', async () => {
    const app = makeServer(holdfast.service)
    app.get('/anything', async () => 'open')
    await expect(app.ready()).rejects.toThrow('Declare who may call GET /anything')
  })

  it('keeps the service from starting if only the right or the owner is missing', async () => {
    const route = routes.find(one => one.operationId === 'getDiary')!
    for (const access of [{}, { kind: 'console' }, { kind: 'console', right: 'book' }, { kind: 'crm' }]) {
      const app = makeServer(holdfast.service)
      register(app, holdfast.service, { ...route, access } as Route)
      await expect(app.ready()).rejects.toThrow('Declare who may call')
    }
  })
})

it('no handler decides by the role of its caller', () => {
  const files = readdirSync('src/http', { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )
  const deciding = files.filter(name =>
    /caller\.role\s*[!=]==|\{[^{}]*\brole\b[^{}]*\}: ConsoleCaller/.test(
      readFileSync(`src/http/${name}`, 'utf8'),
    ),
  )
  expect(deciding).toEqual([])
})

it('the table contains every call that the API document describes', async () => {
  const { paths } = (await call(holdfast.app, 'GET', '/openapi.json')).body as {
    paths: Record<string, object>
  }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const known = new Set(routes.map(nameOf) as string[])
  expect(described.filter(name => !known.has(name.replace('/rest/1', '')))).toEqual([])
})

it('docs/permissions.md has the table', () => {
  const file = 'docs/permissions.md'
  const text = page()
  if (process.env.DOCS === 'write') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const inTable = ({ path, method }: Route) => `${path} ${methods.indexOf(method)}`

function page(): string {
  const roles = Object.keys(rightsOf) as Role[]
  const ofRoles = (Object.keys(rights) as Right[]).map(right => [
    `\`${right}\``,
    rights[right],
    ...roles.map(role => (hasRight(role, right) ? '✓' : '')),
  ])
  // Those of the other roles differ only in what they may do at their own business.
  const names = Object.keys(callers).filter(
    name => !memberRoles.some(role => name === `another business’s ${role}`),
  )
  const cells = routes
    .toSorted((a, b) => (inTable(a) < inTable(b) ? -1 : 1))
    .map(route => [
      `\`${nameOf(route)}\``,
      route.access.kind === 'console' ? `\`${route.access.right}\`` : '',
      ...names.map(name => refusalOf(route, callers[name]!) ?? '✓'),
    ])
  return `# Permissions

Written by test/console/permissions.slow.test.ts, which also tries every cell against a running service.

Each route declares the right it requires and whose data it is about. One check (\`src/http/wire/callers/permit.ts\`) compares the
declaration with the caller: 401 without a login or key, 403 if a person or key lacks the right, 404 if the data belongs to another
business or CRM, because its existence is private.

## Rights of each role

Operators have their rights everywhere, administrators in their CRM, all others at their business.

${table(['Right', 'Meaning', ...roles], ofRoles)}

## Routes

Pages, the booking widget and other files are open to everyone; those behind links in emails require a signed link. ✓ means allowed.

${table(['Route', 'Right', ...names], cells)}
`
}

/** Said by the pages themselves: for all calls, by field, at the login, or by the list that is read. */
const saidElsewhere = [
  'login-required',
  'login-failed',
  'code-required',
  'too-many-requests',
  'unavailable',
  'in-progress',
  'internal',
  'suspended',
  'missing-field',
  'invalid-field',
  'not-found',
  'cursor-expired',
]

it('the console has a sentence for each error of its calls, in five languages', () => {
  const ofConsole = routes.filter(({ access }) => access.kind === 'console')
  const codes = new Set(ofConsole.flatMap(route => [...(route.errors ?? [])] as string[]))
  const parts = readFileSync('web/console/src/refusals.ts', 'utf8')
    .split(/^ {2}(?=[a-z]{2}: \{)/m)
    .slice(1)
  const known = parts.map(part => [...part.matchAll(/^ {4}'?([\w-]+)'?:/gm)].map(([_match, code]) => code!))
  expect(known).toHaveLength(5)
  for (const one of known) expect(one).toEqual(known[0])
  expect([...codes].filter(code => !known[0]!.includes(code) && !saidElsewhere.includes(code))).toEqual([])
})

function table(head: string[], rows: unknown[][]): string {
  const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
