// /readyz returns 200 only if a booking could be written.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Connection, usualLimits } from '../../src/db/base/driver/connection.ts'
import { migrate } from '../../src/db/base/migrate.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { makeService } from '../../src/start/make-service.ts'
import { startPair } from '../failover/pair.ts'
import { call, consoleCall, eventually, useService } from '../support/service.ts'

vi.setConfig({ testTimeout: 90_000 })

const holdfast = await useService()

describe('/readyz', () => {
  it('returns 503 while commits wait for a synchronous standby, as do refused requests', async () => {
    const pair = await startPair()
    const connectionString = pair.url.replace(`,127.0.0.1:${pair.ports[1]}`, '')
    const pool = new pg.Pool({ connectionString })
    pool.on('error', () => {})
    await migrate(pool)
    await pool.end()
    const app = await appOn({ connectionString, limits: { ...usualLimits, statement: 1 } })
    expect((await call(app, 'GET', '/readyz')).body).toMatchObject({ status: 'ok', database: 'ok' })
    pair.killStandby()
    const found = await eventually(async () => {
      const { status, body } = await call(app, 'GET', '/readyz')
      return status === 503 && body
    })
    expect(found).toMatchObject({
      status: 'unavailable',
      database: 'not writable',
      cause: 'commit waits for a synchronous standby',
    })
    const refused = await consoleCall(app, 'POST', '/crms', { name: 'one' })
    expect(refused.status).toBe(503)
    expect(refused.body.errors[0].message).toBe(
      'Nothing can be saved right now: the database is waiting for its standby to confirm. Try again in a moment.',
    )
  })

  it('returns 503 when requests have had no connection for 10 seconds', async () => {
    const { connection } = holdfast
    const busy = openDb({ ...connection, max: 1 })
    onTestFinished(() => busy.close())
    const held = await busy.pool.connect()
    const app = await buildApp(makeService({ ...holdfast.service, db: busy }))
    onTestFinished(() => app.close())
    busy.starvedForMs = () => 10_001
    expect(await call(app, 'GET', '/readyz')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', database: 'no connection', cause: 'no connection available' },
    })
    held.release()
  })

  it('returns 503 while the role is at its connection limit', async () => {
    const user = `limited_${randomBytes(4).toString('hex')}`
    const { pool } = holdfast.service.db
    await pool.query(`create role ${user} login connection limit 1`)
    await pool.query(`grant all on all tables in schema public, graphile_worker to ${user}`)
    await pool.query(`grant usage on schema graphile_worker to ${user}`)
    onTestFinished(async () => void (await pool.query(`drop owned by ${user}; drop role ${user}`)))
    const app = await appOn({ ...holdfast.connection, user })
    expect(await call(app, 'GET', '/readyz')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', cause: 'no connection available' },
    })
  })
})

it('requests wait for a connection of this process if the server accepts no more', async () => {
  const user = `few_${randomBytes(4).toString('hex')}`
  const { pool } = holdfast.service.db
  await pool.query(`create role ${user} login connection limit 3`)
  const db = openDb({ ...holdfast.connection, user })
  onTestFinished(async () => {
    await db.close()
    await pool.query(`drop role ${user}`)
  })
  const asked = Array.from({ length: 40 }, () => db.query(sql`select pg_sleep(0.02), 1 as answer`))
  const answers = await Promise.all(asked)
  expect(answers.flat()).toHaveLength(40)
})

async function appOn(connection: Connection) {
  const db = openDb(connection)
  const app = await buildApp(makeService({ ...holdfast.service, db }))
  onTestFinished(async () => {
    await app.close()
    await db.close()
  })
  return app
}
