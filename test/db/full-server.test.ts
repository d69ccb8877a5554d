// A server that accepts no further connection.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'

describe('a server without a free connection', () => {
  it('gives a process that has none the next one that becomes free', async () => {
    const postgres = { ...inject('postgres'), database: 'postgres' }
    const user = `full_${randomBytes(6).toString('hex')}`
    const admin = new pg.Client(postgres)
    await admin.connect()
    await admin.query(`create role ${user} login connection limit 1`)
    const other = new pg.Client({ ...postgres, user })
    await other.connect()
    const db = openDb({ ...postgres, user })
    onTestFinished(async () => {
      await db.close()
      await admin.query(`drop role ${user}`)
      await admin.end()
    })
    const [first, second] = [1, 2].map(one => db.query(sql`select ${one}::int as one`))
    expect(await Promise.race([refused(db.pool), first])).toBe('refused')
    await other.end()
    expect([await first, await second]).toEqual([[{ one: 1 }], [{ one: 2 }]])
  })
})

describe('a request that waits for a connection', () => {
  const limits = { connect: 0.25, statement: 15, lock: 5, idle: 15 }

  it('goes on waiting while others of its process get one, and is refused if none do', async () => {
    const db = openDb({ ...inject('postgres'), database: 'postgres', max: 1, limits })
    onTestFinished(() => db.close())
    const connect = vi.spyOn(db.pool, 'connect')
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const work = (until: Promise<void>) => db.transaction(() => until.then(() => 'done'))
    const holding = work(first.promise)
    await vi.waitFor(() => expect(db.pool.idleCount + db.pool.waitingCount).toBe(0))
    const next = work(second.promise)
    const last = db.query(sql`select 1 as one`)
    expect(db.pool.waitingCount).toBe(2)
    first.resolve()
    expect(await holding).toBe('done')
    // Its first wait has ended, and it waits again.
    await vi.waitFor(() => expect(connect).toHaveBeenCalledTimes(4), 5000)
    second.resolve()
    expect(await next).toBe('done')
    expect(await last).toEqual([{ one: 1 }])

    const third = Promise.withResolvers<void>()
    const blocking = work(third.promise)
    await expect(db.query(sql`select 2`)).rejects.toThrow('timeout exceeded')
    third.resolve()
    await blocking
  })
})

/** Once the server has refused the process a connection. */
const refused = (pool: pg.Pool) =>
  new Promise(resolve => {
    const watch = setInterval(() => {
      if (pool.totalCount > 0) return
      clearInterval(watch)
      resolve('refused')
    }, 1)
  })
