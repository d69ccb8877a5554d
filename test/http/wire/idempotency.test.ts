import { describe, expect, it } from 'vitest'
import { tidy } from '../../../src/actions/scheduling/housekeeping.ts'
import { createKey } from '../../../src/actions/setup/keys.ts'
import { takesIdempotencyKey } from '../../../src/http/wire/requests/idempotency.ts'
import { makeCustomer, makePractice, makeUser, timeslotBody, unique } from '../../support/build.ts'
import { useSecondInstance } from '../../support/instances.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { definedRoutes } from '../../support/routes.ts'
import { type Answer, call, consoleToken, eventually, useService } from '../../support/service.ts'

const holdfast = await useService()
const second = await useSecondInstance(holdfast)
const practice = await makePractice(holdfast.crm)

const once = (key: string) => ({ headers: { 'idempotency-key': key } })

const week = ['1', '2', '3', '4', '5', '6', '7']
const series = () => ({
  resourceReference: practice.resource,
  productReference: practice.product,
  series_data: { from: '2030-01-07T09:00', to: '2030-01-09T10:00', raster: 60, weekdays: week },
})
const postSeries = (key: string, body: object = series(), app = holdfast.app) =>
  call(app, 'POST', `/crms/crm${practice.path}/appointments`, body, {
    headers: { 'x-service-client-id': holdfast.crm.key, ...once(key).headers },
  })

const count = async (table: string) =>
  Number((await holdfast.query(`select count(*) from ${table}`))[0].count)

const isReplay = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

describe('a request repeated with its Idempotency-Key', () => {
  it('returns the first response and creates nothing twice', async () => {
    const key = unique('key')
    const before = await count('appointment')
    const first = await postSeries(key)
    const again = await postSeries(key)
    expect([first.status, isReplay(first)]).toEqual([201, false])
    expect([again.status, isReplay(again)]).toEqual([201, true])
    expect(again.text).toBe(first.text)
    expect(await count('appointment')).toBe(before + 3)
  })

  it('creates a Timeslot without a reference once', async () => {
    const path = `${practice.path}/timeslots`
    const { reference: _, ...slot } = timeslotBody(practice)
    const before = await count('timeslot')
    const key = once(unique('key'))
    const first = await holdfast.crm.post(path, { timeslots: [slot] }, key)
    const again = await holdfast.crm.post(path, { timeslots: [slot] }, key)
    expect([first.status, again.text]).toEqual([201, first.text])
    expect(await count('timeslot')).toBe(before + 1)
  })

  it('may order its fields differently and use the other prefix', async () => {
    const key = unique('key')
    const first = await postSeries(key)
    const reordered = Object.fromEntries(Object.entries(series()).reverse())
    const again = await call(
      holdfast.app,
      'POST',
      `/rest/1/crms/crm${practice.path}/appointments`,
      reordered,
      {
        headers: { 'x-service-client-id': holdfast.crm.key, ...once(key).headers },
      },
    )
    expect([isReplay(again), again.text]).toEqual([true, first.text])
  })

  it('is a mismatch if the request differs', async () => {
    const key = unique('key')
    await postSeries(key)
    expectRefusal(
      await postSeries(key, { ...series(), capacity: 5 }),
      422,
      'idempotency-mismatch',
      'Idempotency-Key',
    )
    const elsewhere = await holdfast.crm.post(`${practice.path}/timeslots`, series(), once(key))
    expectRefusal(elsewhere, 422, 'idempotency-mismatch', 'Idempotency-Key')
  })

  it('returns the first response to a PUT, whatever has happened since', async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
    const key = once(unique('key'))
    const first = await holdfast.crm.put(path, { note: 'one' }, key)
    await holdfast.crm.put(path, { note: 'two' })
    expect((await holdfast.crm.put(path, { note: 'one' }, key)).text).toBe(first.text)
    expect((await holdfast.crm.get(path)).body.customer.note).toBe('two')
  })

  it('is refused like the first time, even if it would succeed now', async () => {
    const key = once(unique('key'))
    const reference = unique('user')
    const body = { userReference: reference }
    const first = await holdfast.crm.post(`${practice.path}/staff`, body, key)
    expect([first.status, isReplay(first)]).toEqual([404, false])
    await makeUser(holdfast.crm, { reference })
    const again = await holdfast.crm.post(`${practice.path}/staff`, body, key)
    expect([again.status, isReplay(again), again.text]).toEqual([404, true, first.text])
  })

  it('reports the same validation errors again', async () => {
    const key = unique('key')
    const first = await postSeries(key, { ...series(), capacity: -1 })
    const again = await postSeries(key, { ...series(), capacity: -1 })
    expect([first.status, again.status, isReplay(again), again.text]).toEqual([400, 400, true, first.text])
    expect((await postSeries(key)).status).toBe(422)
  })

  it('is processed if the first attempt failed with an internal error', async () => {
    const key = unique('key')
    const { pool } = holdfast.service.db
    await pool.query('alter table event rename to event_away')
    const before = await count('appointment')
    const first = await postSeries(key)
    await pool.query('alter table event_away rename to event')
    expect([first.status, await count('appointment')]).toEqual([500, before])
    const again = await postSeries(key)
    expect([again.status, isReplay(again)]).toEqual([201, false])
  })

  it('is processed again after 24 hours, and the stored response is deleted', async () => {
    const key = unique('key')
    const first = await postSeries(key)
    holdfast.clock.shiftMs = 24 * 3600_000 + 1000
    const later = await postSeries(key)
    expect([later.status, isReplay(later)]).toEqual([201, false])
    expect(later.body.seriesId).not.toBe(first.body.seriesId)
    holdfast.clock.shiftMs *= 2
    expect(await count('kept_answer')).toBeGreaterThan(0)
    await tidy(holdfast.service)
    holdfast.clock.shiftMs = 0
    expect(await count('kept_answer')).toBe(0)
  })

  it('belongs to the API key that sent it', async () => {
    const key = unique('key')
    const other = await createKey(holdfast.service, { crm: 'crm' })
    const first = await postSeries(key)
    const theirs = await holdfast.crm.post(`${practice.path}/appointments`, series(), {
      headers: { 'idempotency-key': key, 'x-service-client-id': other },
    })
    expect([theirs.status, isReplay(theirs)]).toEqual([201, false])
    expect(theirs.body.seriesId).not.toBe(first.body.seriesId)
  })

  it('stores nothing in readable form', async () => {
    const fields = { userName: 'Kept Nowhere', email: 'kept.nowhere@example.org' }
    const customer = {
      customerReference: unique('customer'),
      providerReference: practice.reference,
      ...fields,
    }
    const key = once('key-nowhere')
    await holdfast.crm.post(`${practice.path}/customers`, customer, key)
    const rows = await holdfast.query(
      `select encode(id, 'escape') || encode(digest, 'escape') || encode(answer, 'escape') as text from kept_answer`,
    )
    const text = rows.map(row => row.text).join()
    expect(text.length).toBeGreaterThan(100)
    expect(text).not.toMatch(/nowhere/i)
  })
})

describe('Resources with an Idempotency-Key', () => {
  const resource = (reference = unique('room')) => ({ reference, publicName: 'Room', internalName: 'R' })
  const post = (key: string, body: object) => holdfast.crm.post(`${practice.path}/resources`, body, once(key))

  it('can be created by more concurrent requests than there are connections', async () => {
    const sent = Array.from({ length: 30 }, () => resource())
    const answers = await Promise.all(sent.map(one => post(one.reference, one)))
    expect(answers.map(answer => answer.status)).toEqual(sent.map(() => 201))
    const again = await Promise.all(sent.map(one => post(one.reference, one)))
    expect(again.map(answer => [answer.text, isReplay(answer)])).toEqual(
      answers.map(answer => [answer.text, true]),
    )
  })

  it('exist only if the response was stored', async () => {
    const { pool } = holdfast.service.db
    const body = resource()
    const [key, before] = [unique('key'), await count('resource')]
    await pool.query('alter table kept_answer add constraint broken check (false) not valid')
    const first = await post(key, body)
    await pool.query('alter table kept_answer drop constraint broken')
    expect([first.status, await count('resource')]).toEqual([500, before])
    const again = await post(key, body)
    expect([again.status, isReplay(again)]).toEqual([201, false])
  })
})

describe('concurrent identical requests', () => {
  it('are processed once across instances: the others get in-progress or the response', async () => {
    const before = await count('appointment')
    for (let round = 0; round < 5; round++) {
      const key = unique('key')
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => postSeries(key, series(), n % 2 ? second : holdfast.app)),
      )
      const done = answers.filter(answer => answer.status === 201)
      expect(done.filter(answer => !isReplay(answer))).toHaveLength(1)
      expect(new Set(done.map(answer => answer.text)).size).toBe(1)
      for (const answer of answers.filter(answer => answer.status !== 201))
        expectRefusal(answer, 409, 'in-progress', 'Idempotency-Key')
    }
    expect(await count('appointment')).toBe(before + 5 * 3)
  })

  it('can be retried when the process that handled the first one has died', async () => {
    const { pool } = holdfast.service.db
    const key = unique('key')
    const before = await count('appointment')
    const rival = await pool.connect()
    await rival.query('begin')
    await rival.query('select from resource where uuid = $1 for update', [practice.resourceUuid])
    const dying = postSeries(key)
    const waiting = await eventually(async () => {
      const { rows } = await pool.query(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows[0]?.pid as number | undefined
    })
    const meanwhile = await postSeries(key, series(), second)
    expectRefusal(meanwhile, 409, 'in-progress', 'Idempotency-Key')
    expect(Number(meanwhile.headers['retry-after'])).toBeGreaterThan(0)
    await pool.query('select pg_terminate_backend($1)', [waiting])
    expectRefusal(await dying, 503, 'unavailable')
    await rival.query('rollback')
    rival.release()
    const again = await postSeries(key, series(), second)
    expect([again.status, isReplay(again)]).toEqual([201, false])
    expect(await count('appointment')).toBe(before + 3)
  })
})

it('adds no queries without the header', async () => {
  const before = await count('kept_answer')
  const response = await holdfast.crm.post(`${practice.path}/appointments`, series())
  expect([response.status, response.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect(await count('kept_answer')).toBe(before)
})

it.each(['x'.repeat(256), 'ä', 'tab\there'])('the key %j is refused', async key => {
  expectRefusal(await postSeries(key), 400, 'invalid-field', 'idempotency-key')
})

it.each(['x', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'a b'])(
  'the key %j is accepted',
  async key => {
    expect((await postSeries(key)).status).toBe(201)
  },
)

it('also works for the console API', async () => {
  const headers = { authorization: `Bearer ${consoleToken}`, ...once(unique('key')).headers }
  const rows = await holdfast.query('select uuid from mail limit 1')
  const resend = () =>
    call(holdfast.app, 'POST', `/console/api/mails/${rows[0].uuid}/resend`, undefined, { headers })
  const first = await resend()
  const again = await resend()
  expect([first.status, again.text, isReplay(again)]).toEqual([200, first.text, true])
})

it('every POST and PUT of groups A and B and of the console accepts it, and documents it', async () => {
  const document = (await call(holdfast.app, 'GET', '/openapi.json')).body
  const routes = (await definedRoutes()).filter(route => route.access.kind !== 'public')
  for (const route of routes) {
    const isWrite = route.method === 'POST' || route.method === 'PUT'
    expect(takesIdempotencyKey(route), `${route.method} ${route.path}`).toBe(isWrite)
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = document.paths[path][route.method.toLowerCase()]
    const names = (operation.parameters ?? []).map((one: { name: string }) => one.name.toLowerCase())
    expect(names.includes('idempotency-key'), `${route.method} ${route.path}`).toBe(isWrite)
    if (isWrite) expect(operation.responses['422'].description).toContain('idempotency-mismatch')
  }
})
