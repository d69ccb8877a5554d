import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createKey, revokeKey } from '../../src/actions/setup/keys.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { type KeyScope, listKeys } from '../../src/db/setup/keys.ts'
import type { Route } from '../../src/http/wire/route.ts'
import { StartError } from '../../src/lib/start-error.ts'
import { ensureBootstrap } from '../../src/start/open-service.ts'
import { makeUser } from '../support/build.ts'
import { startSecondInstance } from '../support/instances.ts'
import { expectRefusal } from '../support/refusals.ts'
import { addressOf, definedRoutes } from '../support/routes.ts'
import { call, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const crmRoutes = (await definedRoutes()).filter(route => route.access.kind === 'crm')
const path = `/user/${encodeURIComponent((await makeUser(holdfast.crm)).reference)}`

const as = (key: string, url = `/crms/crm${path}`, method = 'GET', app: FastifyInstance = holdfast.app) =>
  call(app, method, url, undefined, { headers: { 'x-service-client-id': key } })

/** The uuid under which the key is listed and revoked. */
async function uuidOf(key: string): Promise<string> {
  const hash = createHash('sha256').update(key).digest()
  const rows = await holdfast.query('select uuid from api_key where hash = $1', [hash])
  return rows[0].uuid
}

const realNow = performance.now.bind(performance)

/** Advances the service's clock until the test ends; the database's clock stays. */
function later(ms: number) {
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
  onTestFinished(() => stopwatch.mockRestore())
}

/** Moves the database's clock until the test ends. */
function shiftClock(ms: number) {
  holdfast.clock.shiftMs = ms
  onTestFinished(() => {
    holdfast.clock.shiftMs = 0
  })
}

describe('without a valid key', () => {
  const strange = [
    `hf_abcd_${'0'.repeat(48)}`,
    'x',
    `hf_ABCD_${'0'.repeat(48)}`,
    `hf_abcd_${'0'.repeat(23)}`,
    `' or 1=1 --`,
    'é',
  ]

  it('every operation of groups A and B returns 401, under both prefixes', async () => {
    expect(crmRoutes.length).toBeGreaterThanOrEqual(19)
    for (const route of crmRoutes)
      for (const prefix of ['', '/rest/1']) {
        const url = prefix + addressOf(route)
        expectRefusal(await call(holdfast.app, route.method, url), 401, 'missing-key')
        expectRefusal(await as(strange[0]!, url, route.method), 401, 'invalid-key')
      }
  })

  it.each(strange)('the key %j is invalid', async key => {
    expectRefusal(await as(key), 401, 'invalid-key')
  })

  it('an empty key counts as missing', async () => {
    expectRefusal(await as(''), 401, 'missing-key')
  })

  it('two keys in one request are refused', async () => {
    expectRefusal(await as(`${holdfast.crm.key}, ${holdfast.crm.key}`), 401, 'invalid-key')
  })

  it('a key in the query or as a bearer token does not count', async () => {
    const headers = { authorization: `Bearer ${holdfast.crm.key}` }
    const url = `/crms/crm${path}?X-SERVICE-CLIENT-ID=${holdfast.crm.key}`
    expectRefusal(await call(holdfast.app, 'GET', url, undefined, { headers }), 401, 'missing-key')
  })

  it('the body is not read', async () => {
    expectRefusal(await call(holdfast.app, 'POST', '/crms/crm/user', '{broken'), 401, 'missing-key')
  })
})

describe('a key of another CRM', () => {
  it('returns 403 in every operation, whether or not the CRM in the path exists', async () => {
    for (const route of crmRoutes)
      for (const crmId of ['crm', 'nothing', 'OTHER', '%F0%9F%99%82'])
        expectRefusal(
          await as(holdfast.otherCrm.key, addressOf(route, crmId), route.method),
          403,
          'wrong-crm',
          'crmId',
        )
  })
})

describe('a key', () => {
  it('is shown once and stored as a hash only', async () => {
    const key = await createKey(holdfast.service, { crm: 'crm', label: 'secret?' })
    expect(key).toMatch(/^hf_[a-z0-9]{4,16}_[A-Za-z0-9-]{24,}$/)
    const rows = await holdfast.query('select api_key::text as text from api_key')
    const secret = key.split('_')[2]!
    for (const { text } of rows) expect(text).not.toContain(secret)
    const listed = (await listKeys(holdfast.service.db, 'crm')).find(one => one.label === 'secret?')
    expect(JSON.stringify(listed)).not.toContain(secret)
  })

  it('works beside another one of the same CRM until it is revoked, for rotation', async () => {
    const [old, fresh] = [
      await createKey(holdfast.service, { crm: 'crm' }),
      await createKey(holdfast.service, { crm: 'crm' }),
    ]
    expect((await as(old)).status).toBe(200)
    expect((await as(fresh)).status).toBe(200)
    expect(await revokeKey(holdfast.service, await uuidOf(old))).toBe(1)
    later(5_000)
    expectRefusal(await as(old), 401, 'invalid-key')
    expect((await as(fresh)).status).toBe(200)
  })

  it('is refused on every instance within 5 seconds of its revocation', async () => {
    const key = await createKey(holdfast.service, { crm: 'crm' })
    const second = await startSecondInstance(holdfast)
    for (const app of [holdfast.app, second]) expect((await as(key, undefined, 'GET', app)).status).toBe(200)
    await revokeKey(holdfast.service, await uuidOf(key))
    later(4_500)
    for (const app of [holdfast.app, second])
      expectRefusal(await as(key, undefined, 'GET', app), 401, 'invalid-key')
  })

  it('stops working when it expires', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const key = await createKey(holdfast.service, { crm: 'crm', expiresAt })
    expect((await as(key)).status).toBe(200)
    shiftClock(3_600_000)
    later(5_000)
    expectRefusal(await as(key), 401, 'invalid-key')
  })

  it('costs one lookup, and none in the following seconds', async () => {
    const key = await createKey(holdfast.service, { crm: 'crm' })
    const query = vi.spyOn(holdfast.service.db, 'query')
    onTestFinished(() => query.mockRestore())
    const lookUps = () => query.mock.calls.filter(([{ text }]) => /select.*from api_key/s.test(text)).length
    for (let times = 0; times < 5; times++) await as(key)
    expect(lookUps()).toBe(1)
    later(3_500)
    await as(key)
    expect(lookUps()).toBe(2)
  })

  it('records when it was last used, at most once a minute', async () => {
    const key = await createKey(holdfast.service, { crm: 'crm' })
    const uuid = await uuidOf(key)
    const lastUse = async () =>
      (await listKeys(holdfast.service.db, 'crm')).find(one => one.uuid === uuid)!.lastUsedAt
    expect(await lastUse()).toBeNull()
    await as(key)
    const first = await eventually(lastUse)
    expect(Math.abs(first - Date.now())).toBeLessThan(60_000)

    shiftClock(30_000)
    later(5_000)
    await as(key)
    shiftClock(90_000)
    later(10_000)
    await as(key)
    const second = await eventually(async () => {
      const last = await lastUse()
      return last !== first && last
    })
    expect(second! - first).toBeGreaterThan(60_000)
  })

  it('causes an event when the operator creates it', async () => {
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    await createKey(holdfast.service, { crm: 'crm', prefix: 'told' })
    const actor = { kind: 'service', name: 'command line' }
    const created = await eventually(async () => {
      const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
      return events.find((one: { data: { reference: string } }) => one.data.reference === 'told')
    })
    expect(created).toMatchObject({ kind: 'key.created', actor })
  })

  it('cannot be created for an unknown CRM', async () => {
    await expect(createKey(holdfast.service, { crm: 'nothing' })).rejects.toMatchObject({
      code: 'not-found',
      data: { noun: 'CRM' },
    })
  })
})

describe('revoking', () => {
  it('by prefix ends the matching key and records an event', async () => {
    const key = await createKey(holdfast.service, { crm: 'crm', prefix: 'onlyone' })
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    expect(await revokeKey(holdfast.service, 'onlyone')).toBe(1)
    const actor = { kind: 'service', name: 'command line' }
    // The log waits for older transactions of all databases.
    const events = await eventually(async () => {
      const found = (await holdfast.crm.get(`/events?after=${next}`)).body.events
      return found.length > 0 && found
    })
    expect(events).toMatchObject([{ kind: 'key.revoked', actor, data: { reference: 'onlyone' } }])
    expectRefusal(await as(key), 401, 'invalid-key')
  })

  it('by an ambiguous prefix ends no key', async () => {
    const twin = () => createKey(holdfast.service, { crm: 'crm', prefix: 'twins' })
    const keys = [await twin(), await twin()]
    expect(await revokeKey(holdfast.service, 'twins')).toBe(2)
    for (const key of keys) expect((await as(key)).status).toBe(200)
  })

  it('an unknown or revoked key does nothing', async () => {
    await createKey(holdfast.service, { crm: 'crm', prefix: 'gone' })
    await revokeKey(holdfast.service, 'gone')
    expect(await revokeKey(holdfast.service, 'gone')).toBe(0)
    expect(await revokeKey(holdfast.service, `' or true --`)).toBe(0)
  })
})

describe('scopes', () => {
  const keyWith = (...scopes: KeyScope[]) => createKey(holdfast.service, { crm: 'crm', scopes })
  const isAllowed = async (key: string, route: Route) => {
    const answer = await as(key, addressOf(route), route.method)
    if (answer.status === 403) expectRefusal(answer, 403, 'scope')
    return answer.status !== 403 && answer.status !== 401
  }

  it('setup and scheduling allow only their own operations; read allows those that only read', async () => {
    const keys = {
      setup: await keyWith('setup'),
      scheduling: await keyWith('scheduling'),
      read: await keyWith('read'),
    }
    for (const route of crmRoutes) {
      const { scope } = route.access as { scope: KeyScope }
      const name = `${route.method} ${route.path}`
      expect({ name, allowed: await isAllowed(keys.setup, route) }).toEqual({
        name,
        allowed: scope === 'setup',
      })
      expect({ name, allowed: await isAllowed(keys.scheduling, route) }).toEqual({
        name,
        allowed: scope === 'scheduling',
      })
      expect({ name, allowed: await isAllowed(keys.read, route) }).toEqual({
        name,
        allowed: route.method === 'GET',
      })
    }
  })

  it('assign group A to setup, group B to scheduling, and events to events', () => {
    const scopeOf = ({ tag, path }: Route) => {
      if (tag === 'B8. Events') return 'events'
      return tag.startsWith('A.') || isSetup.test(path) ? 'setup' : 'scheduling'
    }
    // What the business asks is set up once.
    const isSetup = /\/questions\b/
    for (const route of crmRoutes)
      expect({ path: route.path, ...route.access }).toMatchObject({ path: route.path, scope: scopeOf(route) })
  })

  it('read allows HEAD', async () => {
    expect((await as(await keyWith('read'), undefined, 'HEAD')).status).toBe(200)
  })

  it('a key with several scopes has all of them, one with none has no access', async () => {
    const route = crmRoutes.find(one => one.method === 'POST' && one.tag.startsWith('B1'))!
    expect(await isAllowed(await keyWith('setup', 'scheduling'), route)).toBe(true)
    expect(await isAllowed(await keyWith(), route)).toBe(false)
  })
})

describe('the bootstrap', () => {
  const key = `hf_demo_${'0123456789abcdef'.repeat(2)}`
  const starting = (bootstrapCrm: string | null, bootstrapApiKey: string | null) =>
    ensureBootstrap({
      ...holdfast.service,
      config: { ...holdfast.service.config, bootstrapCrm, bootstrapApiKey },
    })

  it('creates the CRM and the key once, however often and concurrently it runs', async () => {
    await Promise.all(Array.from({ length: 5 }, () => starting('boot', key)))
    await starting('boot', key)
    expect(await listKeys(holdfast.service.db, 'boot')).toHaveLength(1)
    expectRefusal(await as(key, '/crms/boot/user/x'), 404, 'not-found')
    const createdKeys = async () => (await as(key, '/crms/boot/events?kinds=key.created')).body.events
    await eventually(async () => (await createdKeys()).length > 0)
    expect(await createdKeys()).toMatchObject([{ actor: { kind: 'service' }, data: { reference: 'demo' } }])
  })

  it('creates a CRM without a key', async () => {
    await starting('keyless', null)
    expect(await findCrm(holdfast.service.db, 'keyless')).not.toBeNull()
    expect(await listKeys(holdfast.service.db, 'keyless')).toEqual([])
  })

  it('does nothing without settings', async () => {
    await starting(null, null)
  })

  it('fails the start if the key belongs to another CRM', async () => {
    await starting('boot', key)
    const refused = starting('elsewhere', key)
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(/^BOOTSTRAP_API_KEY belongs to the CRM boot already/)
    expect(await listKeys(holdfast.service.db, 'elsewhere')).toEqual([])
  })

  it('does not reactivate a revoked key', async () => {
    const revoked = `hf_demo_${'f'.repeat(32)}`
    await starting('boot', revoked)
    await revokeKey(holdfast.service, await uuidOf(revoked))
    await starting('boot', revoked)
    expectRefusal(await as(revoked, '/crms/boot/user/x'), 401, 'invalid-key')
  })
})
