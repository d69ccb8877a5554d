import { afterAll, expect, it } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { version } from '../../src/lib/root.ts'
import { useSecondInstance } from '../support/instances.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()
const { pool } = holdfast.service.db
const user = `app_${holdfast.connection.database}`
await pool.query(`
  create role ${user} login;
  grant usage on schema public, graphile_worker to ${user};
  grant select, insert, update, delete on all tables in schema public, graphile_worker to ${user};
  revoke insert, update, delete on migration from ${user};
`)
afterAll(() => pool.query(`drop owned by ${user}; drop role ${user}`))
const db = openDb({ ...holdfast.connection, user })
const app = await useSecondInstance(holdfast, { db })
const ask = async () => {
  const { status, body } = await call(app, 'GET', '/readyz')
  return { status, body }
}

it('is ready with the rights it needs, whatever tables a newer version has added', async () => {
  await pool.query('create table of_the_future (id int)')
  expect(await ask()).toMatchObject({ status: 200, body: { status: 'ok', database: 'ok' } })
})

it.each([
  ['insert', 'participation'],
  ['update', 'mail'],
  ['delete', 'rate_window'],
  ['select', 'migration'],
  ['insert', 'graphile_worker._private_jobs'],
])('is not ready without the right to %s on %s, names it, and recovers with it', async (right, table) => {
  await pool.query(`revoke ${right} on ${table} from ${user}`)
  const without = await ask()
  await pool.query(`grant ${right} on ${table} to ${user}`)
  expect(without).toEqual({
    status: 503,
    body: { status: 'unavailable', database: 'lacks rights', missingRights: [table], version },
  })
  expect((await ask()).status).toBe(200)
})

it('reports a missing right on a whole schema', async () => {
  await pool.query(`revoke usage on schema graphile_worker from ${user}`)
  const without = await ask()
  await pool.query(`grant usage on schema graphile_worker to ${user}`)
  expect(without).toEqual({ status: 503, body: { status: 'unavailable', database: 'lacks rights', version } })
})

it('knows all tables of this version', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'of_the_future'`,
  )
  await pool.query(`revoke all on all tables in schema public from ${user}`)
  const { missingRights } = (await ask()).body
  expect(missingRights.sort()).toEqual(rows.map(one => one.name).sort())
})
