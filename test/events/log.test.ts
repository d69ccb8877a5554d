import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { recordEvents } from '../../src/actions/record-events.ts'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { buildApp } from '../../src/app.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { beginEraIfRestored, lastEvent, logStart, pruneEvents } from '../../src/db/events.ts'
import { serviceActor } from '../../src/rules/messages/events.ts'
import { makeService } from '../../src/start/make-service.ts'
import { writeCursor } from '../../src/webhooks/cursor.ts'
import { makeCustomer, makePractice, makeProvider, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, practice)

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
type Told = { id: string; kind: string; provider: string | null; actor: object; data: Record<string, any> }
type Query = Record<string, string | number>

const asText = (query: Query) =>
  new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString()
const read = (query: Query = {}) => holdfast.crm.get(`/events?${asText(query)}`)

/**
 * The end of the log, once all written events are visible: other databases may be active in the same cluster.
 */
async function now(): Promise<string> {
  const rows = await holdfast.query<{ id: number | null; crm: number }>(`
    select crm.id as crm, (select id from event where crm_id = crm.id order by era desc, xid desc, id desc limit 1)
    from crm where name = 'crm'`)
  const { crm, id } = rows[0]!
  const last = () => lastEvent(holdfast.service.db, crm)
  // In log order, which differs from the order of ids.
  await eventually(async () => (await last())?.id === (id ?? undefined))
  return writeCursor(holdfast.service.signer, crm, (await last()) ?? { ...logStart, uuid: null })
}

/** All events after this cursor. */
async function readAll(after: string, query: Query = {}): Promise<Told[]> {
  await now()
  const { body } = await read({ after, limit: 500, ...query })
  return body.more ? [...body.events, ...(await readAll(body.next, query))] : body.events
}

async function book(email: string) {
  const consumer = asConsumer(overApp(holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  return consumer.complete(practice.resource, bookingOf(slot!, { email }))
}

describe('the event log', () => {
  it('contains what a booking did, with records as in the API', async () => {
    const after = await now()
    await book('ann@example.org')
    const events = await readAll(after)
    expect(events.map(one => one.kind)).toEqual([
      'customer.created',
      'appointment.created',
      'participation.booked',
    ])
    const [customer, appointment, participation] = events as [Told, Told, Told]
    const { body: list } = await holdfast.crm.get(`${practice.path}/appointments`)
    expect(list).toContainEqual(appointment.data.appointment)
    expect(participation.data.appointment).toEqual(appointment.data.appointment)
    expect(participation.data.participation).toMatchObject({ state: 'BOOKED', email: 'ann@example.org' })
    const path = `${practice.path}/customers/${encodeURIComponent(customer.data.reference)}`
    expect((await holdfast.crm.get(path)).body.customer).toEqual(customer.data.customer)
    for (const one of events)
      expect(one).toMatchObject({ provider: practice.reference, actor: { kind: 'consumer', name: null } })
  })

  it('goes on after events that only a newer version knows, which may run beside this one', async () => {
    const after = await now()
    await book('beside@example.org')
    const { rowCount } = await holdfast.service.db.pool.query(
      `update event set kind = 'moon.landed' where kind = 'appointment.created' and xid = (select max(xid) from event)`,
    )
    expect(rowCount).toBe(1)
    const events = await readAll(after)
    expect(events.map(one => one.kind)).toContain('participation.booked')
    expect(events.find(one => one.kind === 'moon.landed')!.data).toEqual({ reference: null, moon: null })
  })

  it('names the key that caused an event, and contains no personal data in its rows', async () => {
    const after = await now()
    await makeCustomer(holdfast.crm, practice, { userName: 'Zelda Quaxington', email: 'zelda@example.org' })
    const [event] = await readAll(after)
    expect(event).toMatchObject({ kind: 'customer.created', actor: { kind: 'key' } })
    expect(holdfast.crm.key).toContain(`hf_${(event!.actor as { name: string }).name}_`)
    const rows = await holdfast.query('select * from event')
    expect(JSON.stringify(rows)).not.toMatch(/zelda|quaxington/i)
  })

  it('filters by kind and Provider, and continues after skipped events', async () => {
    const after = await now()
    const other = await makeProvider(holdfast.crm)
    await makeCustomer(holdfast.crm, practice)
    await makeCustomer(holdfast.crm, other)
    const wanted = { kinds: 'customer.created,customer.erased', provider: other.reference }
    expect((await readAll(after, wanted)).map(one => one.provider)).toEqual([other.reference])
    const { body } = await read({ after, kinds: 'mail.failed' })
    expect(body.events).toEqual([])
    expect((await read({ after: body.next })).body.events).toEqual([])
  })

  it('is split into consecutive pages', async () => {
    const after = await now()
    for (let n = 0; n < 5; n++) await makeCustomer(holdfast.crm, practice)
    const all = await readAll(after)
    await eventually(async () => (await read({ after, limit: 2 })).body.more)
    const seen: string[] = []
    // Not until the log is empty: a transaction of another database may delay the last event for a moment.
    for (let cursor = after; seen.length < all.length; ) {
      const { body } = await read({ after: cursor, limit: 2 })
      expect(body.events.length).toBeLessThanOrEqual(2)
      seen.push(...body.events.map((one: Told) => one.id))
      if (body.more) expect(seen.length).toBeLessThan(all.length)
      cursor = body.next
    }
    expect(seen).toEqual(all.map(one => one.id))
  })

  it('is separate for each CRM', async () => {
    const { body } = await holdfast.otherCrm.get('/events')
    expect(body.events).toEqual([])
  })

  it('waits for new events, but not longer than requested', async () => {
    const after = await now()
    // Longer than this test may take, so the wait does not end by timeout.
    const waiting = read({ after, wait: 25 })
    await makeCustomer(holdfast.crm, practice)
    expect((await waiting).body.events).toHaveLength(1)
    const nothing = await read({ after: (await waiting).body.next, wait: 1 })
    expect(nothing.body).toMatchObject({ events: [], more: false })
  })

  it('ends waiting requests when the service stops', async () => {
    const { service } = holdfast
    const second = makeService({ ...service, db: service.db })
    const app = await buildApp(second)
    const headers = { 'x-service-client-id': holdfast.crm.key }
    const waiting = call(app, 'GET', `/crms/crm/events?after=now&wait=30`, undefined, { headers })
    await new Promise(resolve => setTimeout(resolve, 300))
    await app.close()
    expect((await waiting).status).toBe(200)
  })
})

describe('invalid requests', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=x', 'limit'],
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
    ['kinds=participation.booked,nonsense', 'kinds'],
  ])('%s: return 400 and name %s', async (query, field) => {
    expectRefusal(await holdfast.crm.get(`/events?${query}`), 400, 'invalid-field', field)
  })

  it('include an unknown Provider', async () => {
    expectRefusal(await read({ provider: 'nobody@plat' }), 404, 'not-found')
  })

  it('include keys without the scope events or read', async () => {
    const { createKey } = await import('../../src/actions/setup/keys.ts')
    const ask = async (scopes: ('setup' | 'events' | 'read')[]) => {
      const key = await createKey(holdfast.service, { crm: 'crm', scopes })
      return call(holdfast.app, 'GET', '/crms/crm/events', undefined, {
        headers: { 'x-service-client-id': key },
      })
    }
    expect((await ask(['events'])).status).toBe(200)
    expect((await ask(['read'])).status).toBe(200)
    expectRefusal(await ask(['setup']), 403, 'scope')
  })
})

/** Uses up transaction ids until shortly before 10000, 100000 and so on, if that is near. */
async function upToTheNextDigit() {
  const { pool } = holdfast.service.db
  const { rows } = await pool.query('select pg_current_xact_id()::text as xid')
  const missing = 10 ** String(rows[0].xid).length - 40 - Number(rows[0].xid)
  if (missing > 0 && missing < 100_000)
    await pool.query(`do $$ begin
      for turn in 1..${missing} loop perform pg_current_xact_id(); commit; end loop;
    end $$`)
}

describe('readers miss no event', () => {
  it('with 16 writers, some slow and some rolled back, on two instances', async () => {
    const after = await now()
    // The ids gain a digit during the test: positions in the log must not be compared as text.
    await upToTheNextDigit()
    const db = openDb({ ...holdfast.connection, max: 18 })
    const { service } = holdfast
    const second = await buildApp(makeService({ ...service, db }))
    const [{ id, crm_id }] = (
      await db.pool.query('select id, crm_id from provider where reference = $1', [practice.reference])
    ).rows
    const written: string[] = []
    let isWriting = true

    const writer = async (writerNumber: number) => {
      for (let turn = 0; turn < 12; turn++) {
        const isSlow = (writerNumber + turn) % 8 === 0
        const isUndone = (writerNumber + turn) % 5 === 0
        const detail = `${writerNumber}-${turn}-${randomUUID()}`
        const work = db.transaction(async tx => {
          const toRecord = { 'settings.changed': [{ detail }] }
          await recordEvents(tx, service, {
            actor: serviceActor,
            provider: { id, crmId: crm_id },
            events: toRecord,
          })
          if (isSlow) await new Promise(resolve => setTimeout(resolve, 60 + 20 * writerNumber))
          if (isUndone) throw new Error('Never mind')
        })
        await work.then(
          () => written.push(detail),
          () => {},
        )
      }
    }

    const reader = async (app: typeof second) => {
      const seen: string[] = []
      const headers = { 'x-service-client-id': holdfast.crm.key }
      for (let cursor = after; ; ) {
        const wasWriting = isWriting
        const url = `/crms/crm/events?after=${cursor}&limit=50`
        const { body } = await call(app, 'GET', url, undefined, { headers })
        seen.push(...body.events.map((one: Told) => one.data.channelKey))
        cursor = body.next
        if (!wasWriting && body.events.length === 0 && seen.length >= written.length) return seen
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    }
    const reading = Promise.all([reader(holdfast.app), reader(second), reader(second)])
    await Promise.all(Array.from({ length: 16 }, (_, index) => writer(index)))
    isWriting = false
    for (const seen of await reading) expect(seen.toSorted()).toEqual(written.toSorted())
    await second.close()
    await db.close()
  })
})

describe('cursors', () => {
  it('return 410 if this log has not issued them, as those of another CRM', async () => {
    const { next: foreign } = (await holdfast.otherCrm.get('/events')).body
    for (const after of ['nonsense', '..', foreign, `${await now()}x`])
      expectRefusal(await read({ after }), 410, 'cursor-expired', 'after')
  })

  const sql = (text: string, values: unknown[] = []) => holdfast.service.db.pool.query(text, values)

  it('return 410 after their events were deleted; the log can be read from its start', async () => {
    const after = await now()
    await makeCustomer(holdfast.crm, practice)
    const between = await now()
    await makeCustomer(holdfast.crm, practice)
    const end = await now()
    await sql(`update event set at = at - interval '91 days'`)
    await pruneEvents(holdfast.service.db, 90, 0)
    expect((await read({ after })).body.events).toHaveLength(2)
    // The next run continues.
    await pruneEvents(holdfast.service.db, 90)
    for (const cursor of [after, between])
      expectRefusal(await read({ after: cursor }), 410, 'cursor-expired', 'after')
    // It had read everything, so nothing was missed.
    expect((await read({ after: end })).body.events).toEqual([])
    await makeCustomer(holdfast.crm, practice)
    expect(await readAll(end)).toHaveLength(1)
    expect((await read()).body.events).toHaveLength(1)
  })

  it('are refused after the database was restored to an earlier state', async () => {
    await makeCustomer(holdfast.crm, practice)
    const lost = await now()
    await sql(`delete from event where crm_id = (select id from crm where name = 'crm')
      and id = (select max(id) from event)`)
    expectRefusal(await read({ after: lost }), 410, 'cursor-expired', 'after')
  })

  it('stay valid after a dump was restored into a cluster with lower transaction ids', async () => {
    await makeCustomer(holdfast.crm, practice)
    await now()
    const { events } = (await read()).body
    // As if these rows came from a cluster with much higher transaction ids.
    await sql(`update event set xid = (xid::text::bigint + 1000000000)::text::xid8`)
    expect((await read()).body.events).toEqual([])
    await beginEraIfRestored(holdfast.service.db)
    await beginEraIfRestored(holdfast.service.db)
    expect((await sql('select max(number) as era from event_era')).rows[0].era).toBe(2)
    expect((await read()).body.events).toEqual(events)
    await makeCustomer(holdfast.crm, practice)
    await now()
    const all = (await read()).body.events
    expect(all.slice(0, -1)).toEqual(events)
    const next = (await read({ limit: events.length })).body.next
    expect((await read({ after: next })).body.events).toHaveLength(1)
  })
})

describe('an Appointment that becomes empty', () => {
  it.each(['expired', 'was given up'])(
    'causes a cancelled event when its last consumer left and a hold in it %s',
    async how => {
      const room = await makePractice(holdfast.crm)
      await makeTimeslot(holdfast.crm, room, { defaultCapacity: 2 })
      const consumer = asConsumer(overApp(holdfast.app))
      const [slot] = slotsOf(await consumer.list(room.resource))
      const booked = await consumer.complete(room.resource, bookingOf(slot!, { email: 'last@example.org' }))
      const { appointment_uuid, cancelLink } = booked.body.createdAppointment
      const again = slotsOf(await consumer.list(room.resource)).find(
        one => one.appointment_uuid === appointment_uuid,
      )
      const held = await consumer.reserve(room.resource, holdOf(again!))
      const after = await now()
      await consumer.cancel(cancelLink)
      expect((await readAll(after)).map(one => one.kind)).toEqual(['participation.cancelled'])
      if (how === 'expired') holdfast.clock.shiftMs += 200_000
      else await consumer.release(room.resource, held.body.participation.customer_uuid)
      await tidy(holdfast.service)
      const events = await readAll(after)
      holdfast.clock.shiftMs = 0
      expect(events.map(one => one.kind)).toEqual(['participation.cancelled', 'appointment.cancelled'])
      expect(events[1]).toMatchObject({
        actor: { kind: 'service' },
        data: { appointment: { state: 'CANCELLED' } },
      })
    },
  )
})
