import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { closePool, openPool } from '../../src/db/base/driver/connection.ts'
import { addressesOf } from '../../src/db/base/driver/hosts.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { ensureDatabase, startEmbedded } from '../../src/db/embedded/index.ts'
import { emptyDatabase } from '../support/databases.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { freePort, run, serve } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { eventually } from '../support/service.ts'

// Some tests start real processes.
vi.setConfig({ testTimeout: 60_000 })

describe('several hosts in DATABASE_URL', () => {
  it.each([
    ['postgres://u:p@h/db', ['postgres://u:p@h/db']],
    ['postgres://h1:1,h2:2/db?x=1', ['postgres://h1:1/db?x=1', 'postgres://h2:2/db?x=1']],
    ['postgres://u:p,@:q@h1,h2', ['postgres://u:p,@:q@h1', 'postgres://u:p,@:q@h2']],
    ['postgres://u@/db?host=/run', ['postgres://u@/db?host=/run']],
  ])('%s', (url, addresses) => {
    expect(addressesOf(url)).toEqual(addresses)
  })

  async function openHosts(
    ports: (number | string | undefined)[],
    { user, database }: { user?: string; database?: string },
  ) {
    const hosts = ports.map(port => `127.0.0.1:${port}`).join(',')
    const db = openDb({
      connectionString: `postgres://${user}@${hosts}/${database}?target_session_attrs=read-write`,
    })
    onTestFinished(() => db.close())
    return db
  }
  const systemOf = 'select system_identifier::text as system from pg_control_system()'

  it('skips a dead host, and leaves one that dies later', async () => {
    const database = await emptyDatabase()
    const [first, second] = [await startProxy(database), await startProxy(database)]
    const db = await openHosts([await freePort(), first.connection.port, second.connection.port], database)
    await db.query(sql`select 1`)
    expect((await db.probe.query('select 1')).rowCount).toBe(1)
    await first.die()
    await eventually(
      () =>
        db.query(sql`select 1`).then(
          () => true,
          () => false,
        ),
      5,
    )
    // Pools of one process share what they know: a new one does not start with the dead host.
    const late = openPool({ connectionString: db.pool.options.connectionString! }, { max: 1 })
    onTestFinished(() => closePool(late))
    expect((await late.query('select 1')).rowCount).toBe(1)
  })

  it('skips a read-only host', async () => {
    const database = await emptyDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-standby-'))
    const standby = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } })
    onTestFinished(async () => {
      await standby.stop()
      rmSync(standby.where.data, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    })
    await ensureDatabase(standby.connection, database.database!)
    const admin = openDb({ ...standby.connection, database: 'postgres' })
    await admin.pool.query(`alter database ${database.database} set default_transaction_read_only = on`)
    const {
      rows: [there],
    } = await admin.pool.query(systemOf)
    await admin.close()
    const proxies = [await startProxy(standby.connection), await startProxy(database)]
    const db = await openHosts(
      proxies.map(({ connection }) => connection.port),
      database,
    )
    await db.query(sql`create table written (at int)`)
    const {
      rows: [here],
    } = await db.pool.query(systemOf)
    expect(here.system).not.toBe(there.system)
  })
})

describe.skipIf(!hasPgBouncer)('behind PgBouncer (skipped where it is not installed)', () => {
  const settings = (DATABASE_URL: string) => ({
    DATABASE_URL,
    SECRET_KEY: 'x'.repeat(32),
  })

  it('works with pool_mode = session', async () => {
    const url = await startPgBouncer(await emptyDatabase(), 'session')
    const service = await serve({ ...settings(url), PORT: await freePort() })
    expect((await fetch(`${service.url}/resources/unknown/upcoming_bookables`)).status).toBe(404)
    service.child.kill('SIGTERM')
    expect(await service.exit).toBe(0)
  })

  it('refuses pool_mode = transaction at start, and says what to change', async () => {
    const url = await startPgBouncer(await emptyDatabase(), 'transaction')
    const { code, output } = await run(['migrate'], settings(url))
    expect([code, output]).toEqual([1, expect.stringContaining('Set pool_mode = session for this database')])
  })
})
