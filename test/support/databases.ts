import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { ensureDatabase } from '../../src/db/embedded/index.ts'

/** Where a new and empty database is, until the test ends. */
export async function emptyDatabase(): Promise<pg.PoolConfig> {
  const postgres = inject('postgres')
  const database = `empty_${randomBytes(6).toString('hex')}`
  await ensureDatabase(postgres, database)
  onTestFinished(async () => {
    const admin = new pg.Client({ ...postgres, database: 'postgres' })
    await admin.connect()
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })
  return { ...postgres, database }
}

/** Pools of several instances on a new and empty database, until the test ends. */
export async function poolsOnEmptyDatabase(instances: number): Promise<pg.Pool[]> {
  const connection = await emptyDatabase()
  const dbs = Array.from({ length: instances }, () => openDb(connection))
  onTestFinished(async () => {
    await Promise.all(dbs.map(db => db.close()))
  })
  return dbs.map(db => db.pool)
}

export function addressOf({ host, port, user, database }: pg.PoolConfig): string {
  return `postgres://${user}@/${database}?host=${host}&port=${port}`
}
