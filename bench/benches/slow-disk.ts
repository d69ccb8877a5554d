import { openDb } from '../../src/db/base/pool.ts'
import { queueMessages } from '../../src/db/mails.ts'
import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { alsoCompared, type Row } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { pairRequests } from './reserve.ts'

const flushMs = 3
const [many, few] = [32, 1]

/** Each flush of the log takes 3 ms: whole bookings by 32 visitors beside one, and only what queues their emails. */
export async function slowDisk(): Promise<Row[]> {
  const small = { args: ['--without-jobs'], data: { resources: 2, days: 7 } }
  return [...(await onStage(bookings)), ...(await onStage(commits, small))]
}

const slowDown = (service: Running) =>
  withSql(service, async client => {
    // How long PostgreSQL waits before each flush.
    await client.query(`alter system set commit_delay = ${flushMs * 1000}`)
    await client.query('alter system set commit_siblings = 0')
    await client.query('select pg_reload_conf()')
  })

/** One instance commits concurrent bookings in batches. */
async function bookings({ service, seeded, load }: Stage): Promise<Row[]> {
  await slowDown(service)
  const pairs = (await freeSlots(service, seeded)).map((slot, index) => pairRequests(slot, index))
  let at = 0
  const by = (connections: number) => async () => {
    const work = { kind: 'pairs' as const, pairs: pairs.slice(at) }
    const outcome = expectOnly(await load.run({ port: service.port, connections, seconds: 3, work }), 201)
    at += outcome.used
    return outcome.perSecond
  }
  const result = await compare(by(many), by(few), 3)
  return [
    alsoCompared(
      `bookings with emails at a flush of ${flushMs} ms, ${many} visitors beside ${few}`,
      'a second',
      result,
    ),
  ]
}

/** As many instances do: each writer commits for itself. */
async function commits({ service }: Stage): Promise<Row[]> {
  await slowDown(service)
  const db = openDb({ ...service.database, max: many })
  const email = { crmId: null, kind: 'booked', to: 'ann@example.org', language: 'en', data: {} } as const
  const by = (writers: number) => async () => {
    const until = performance.now() + 3000
    let count = 0
    const write = async () => {
      for (; performance.now() < until; count++) await db.transaction(tx => queueMessages(tx, [email, email]))
    }
    await Promise.all(Array.from({ length: writers }, write))
    return count / 3
  }
  const result = await compare(by(many), by(few), 3)
  await db.close()
  return [
    alsoCompared(
      `commits that queue emails at a flush of ${flushMs} ms, ${many} writers beside ${few}`,
      'a second',
      result,
    ),
  ]
}
