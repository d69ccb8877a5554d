import type pg from 'pg'
import type { TestService } from './service.ts'

/** Counts the transactions that the work begins. */
export async function transactionsOf({ service }: TestService, work: () => Promise<unknown>) {
  let count = 0
  const { db } = service
  const { transaction } = db
  db.transaction = (...args) => {
    count++
    return transaction(...args)
  }
  try {
    await work()
  } finally {
    db.transaction = transaction
  }
  return count
}

/** Somebody else has the Resource locked while the work is done. */
export async function whileLocked<T>(
  { service }: TestService,
  resourceUuid: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = await service.db.pool.connect()
  try {
    await client.query('begin')
    await client.query('update resource set revision = revision + 1 where uuid = $1', [resourceUuid])
    const result = await work()
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

type Rival = (rival: pg.PoolClient) => Promise<unknown>

/** Somebody else has done `before` when the work begins, does `meanwhile` while it waits for them, and is done. */
export async function whileWaiting<T>(
  { service }: TestService,
  { before, meanwhile = async () => {} }: { before: Rival; meanwhile?: Rival },
  work: () => Promise<T>,
): Promise<T> {
  const rival = await service.db.pool.connect()
  try {
    await rival.query('begin')
    await before(rival)
    const working = work()
    await new Promise(resolve => setTimeout(resolve, 300))
    await meanwhile(rival)
    await rival.query('commit')
    return await working
  } finally {
    rival.release()
  }
}
