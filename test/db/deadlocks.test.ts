// PostgreSQL ends an arbitrary transaction of a deadlock. It is retried, and clients do not notice.

import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { emptyDatabase } from '../support/databases.ts'

const statement = sql`select met() as met`

const ways: [string, (db: Db) => Promise<object[]>][] = [
  ['a single statement', db => db.query(statement)],
  [
    'what is read together',
    async db => {
      const [_first, rows] = await db.together(read =>
        Promise.all([read.query(sql`select 1`), read.query(statement)]),
      )
      return rows
    },
  ],
  ['a transaction', db => db.transaction(tx => tx.query(statement))],
]

it.each(ways)('%s is retried after a deadlock', async (_, ask) => {
  const db = await dbWithDeadlocks(1)
  expect(await ask(db)).toEqual([{ met: 2 }])
})

it.each(ways)('%s fails after too many deadlocks', async (_, ask) => {
  const db = await dbWithDeadlocks(100)
  await expect(ask(db)).rejects.toThrow('deadlock detected')
})

async function dbWithDeadlocks(count: number): Promise<Db> {
  const db = openDb(await emptyDatabase())
  onTestFinished(() => db.close())
  await db.pool.query(`
    create sequence tries;
    create function met() returns int language plpgsql as $$
    declare try int := nextval('tries');
    begin
      if try <= ${count} then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return try;
    end $$
  `)
  return db
}
