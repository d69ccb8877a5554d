import type pg from 'pg'
import { eventually, type TestService } from './service.ts'

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

/** Runs the work while another transaction holds the lock of the Resource. */
export async function whileLocked<T>(
  { service }: TestService,
  resourceUuid: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = await service.db.pool.connect()
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    await client.query('update resource set revision = revision + 1 where uuid = $1', [resourceUuid])
    const result = await work()
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

type Rival = (rival: pg.PoolClient) => Promise<unknown>

/** Another transaction runs `before`, then the work starts and waits; the other one runs `meanwhile` and ends. */
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
    await untilBlockedBy(rival, working)
    await meanwhile(rival)
    await rival.query('commit')
    return await working
  } finally {
    rival.release()
  }
}

/** Or until the work is done, if it does not wait. */
async function untilBlockedBy(rival: pg.PoolClient, work: Promise<unknown>) {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  await eventually(async () => {
    const { rows } = await rival.query(
      'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
    )
    return isDone || rows.length > 0
  })
}

/**
 * Stops the first statement of the work that reads the clock: it has read the state before `meanwhile`, and locks the state
 * after it.
 */
export async function whileReading<T>(
  holdfast: TestService,
  meanwhile: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { pool } = holdfast.service.db
  const { rows } = await pool.query(`select pg_get_functiondef('app_now'::regproc) as definition`)
  await pool.query(`
    create sequence reading;
    create or replace function app_now() returns timestamptz language plpgsql volatile as $$
    begin
      if nextval('reading') = 1 then perform pg_advisory_xact_lock_shared(1); end if;
      return app_clock();
    end $$
  `)
  try {
    return await whileWaiting(
      holdfast,
      { before: rival => rival.query('select pg_advisory_xact_lock(1)'), meanwhile },
      work,
    )
  } finally {
    await pool.query(`${rows[0].definition}; drop sequence reading`)
  }
}
