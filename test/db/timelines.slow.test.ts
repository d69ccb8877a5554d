// Two hosts that both accept writes: the first primary was not stopped when its standby was promoted.

import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { migrate } from '../../src/db/base/migrate.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { makeService } from '../../src/start/make-service.ts'
import { startPair } from '../failover/pair.ts'
import { freePort } from '../support/process.ts'
import { call, eventually, useService } from '../support/service.ts'

vi.setConfig({ testTimeout: 90_000 })

const holdfast = await useService()

describe('a primary that was replaced and still accepts writes', () => {
  it('loses its connections and gets no new ones, even from a process that reaches no other host', async () => {
    const pair = await startPair({ synchronous: false })
    const [first, second] = pair.ports
    await migrateAt(pair.url)
    const db = open(pair.url)
    expect(await portOf(db)).toBe(first)
    const lonely = open(pair.url.replace(`:${second}`, `:${await freePort()}`))
    expect(await portOf(lonely)).toBe(first)

    await pair.promote()
    await eventually(async () => (await portOf(db).catch(() => 0)) === second, 10)
    const isRefused = (error: unknown) => /replaced/.test((error as Error).message)
    await eventually(async () => portOf(lonely).then(() => false, isRefused), 10)

    const app = await buildApp(makeService({ ...holdfast.service, db: lonely }))
    onTestFinished(() => app.close())
    const { status, body } = await call(app, 'GET', '/readyz')
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({
        status: 'unavailable',
        database: 'replaced',
        cause: 'this database host was replaced: it is on an older timeline than the cluster',
      }),
    ])
  })
})

const portOf = async (db: Db) =>
  (await db.query<{ port: number }>(sql`select inet_server_port() as port`))[0]!.port

function open(connectionString: string): Db {
  const db = openDb({ connectionString })
  onTestFinished(() => db.close())
  return db
}

async function migrateAt(connectionString: string) {
  const [address] = connectionString.split(',')
  const pool = new pg.Pool({ connectionString: `${address}/holdfast` })
  await migrate(pool)
  await pool.end()
}
