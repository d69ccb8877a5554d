// The last used connection is kept for the next query, but only for a moment.

import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StickyClient } from '../../src/db/base/driver/sticky-client.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { useService } from '../support/service.ts'

const { connection } = await useService()
let db: Db
beforeEach(() => {
  db = openDb({ ...connection, max: 1 })
})
afterEach(() => db.close())

const one = sql`select 1 as one`
const turn = () => new Promise(setImmediate)
const turns = async (count: number) => {
  for (let left = count; left > 0; left--) await turn()
}

it('is reused by statements and transactions without the pool', async () => {
  const connects = vi.spyOn(db.pool, 'connect')
  for (let time = 0; time < 5; time++) {
    await db.query(one)
    await turn()
    await db.transaction(tx => tx.query(one))
  }
  expect(connects).toHaveBeenCalledTimes(1)
})

it('returns to the pool after two turns', async () => {
  await db.query(one)
  expect(db.pool.idleCount).toBe(0)
  await turns(3)
  expect(db.pool.idleCount).toBe(1)
  // A direct request to the pool gets it even while it is kept.
  await db.query(one)
  const client = await db.pool.connect()
  client.release()
})

it('goes to a waiting request', async () => {
  const done: string[] = []
  const hold = Promise.withResolvers<void>()
  const first = db.transaction(() => hold.promise)
  await vi.waitFor(() => expect(db.pool.totalCount - db.pool.idleCount).toBe(1))
  const waiting = db.pool.connect().then(client => {
    done.push('waiting')
    client.release()
  })
  hold.resolve()
  await first
  // Queued after the waiting request.
  await db.query(one).then(() => done.push('late'))
  await waiting
  expect(done.at(-1)).toBe('late')
})

it('is not reused when it is lost or unusable', async () => {
  const kept = new StickyClient(db.pool)
  const client = await db.pool.connect()
  kept.give(client)
  client.emit('end')
  const left = kept.take()
  left?.release()
  expect(left).toBeNull()
  const connects = vi.spyOn(db.pool, 'connect')
  await expect(db.query(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow()
  expect(await db.query(one)).toEqual([{ one: 1 }])
  expect(connects).toHaveBeenCalledTimes(2)
})

it('is returned before the pool ends', async () => {
  const other = openDb(connection)
  await other.query(one)
  await other.close()
  expect(other.pool.totalCount).toBe(0)
})
