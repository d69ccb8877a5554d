import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { handOverRequests, requestJobs } from '../../src/db/base/job-requests.ts'
import { readQueue, readQueueByTask } from '../../src/db/base/jobs.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { readState } from '../../src/db/base/readiness.ts'
import { countMails } from '../../src/db/mail-counts.ts'
import { listMails } from '../../src/db/mail-list.ts'
import { type NewMessage, queueMessages } from '../../src/db/mails.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const crmId = (await findCrm(holdfast.service.db, 'crm'))!.id

/** A process that dies before it hands anything over. */
async function deadDb(): Promise<Db> {
  const db = openDb(holdfast.connection)
  onTestFinished(() => db.close())
  await db.jobs.stop()
  return db
}

const email: NewMessage = { crmId, kind: 'booked', to: 'ann@example.org', language: 'en', data: {} }
const jobs = async (db: Db) =>
  (
    await db.pool.query(
      `select identifier as kind, key, priority, max_attempts as most, flags, payload, extract(epoch from run_at - now())::float8 as seconds
       from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = task_id order by jobs.id`,
    )
  ).rows
const clear = (db: Db) =>
  db.pool.query(
    `delete from graphile_worker._private_jobs; delete from job_request; update mail set state = 'sent'`,
  )

it('commits that request jobs do not notify, and one notification serves many of them', async () => {
  const db = await deadDb()
  const listener = new pg.Client(holdfast.connection)
  await listener.connect()
  onTestFinished(() => listener.end())
  const heard: string[] = []
  listener.on('notification', ({ channel }) => heard.push(channel))
  await listener.query('listen "jobs:insert"; listen done')
  await Promise.all(Array.from({ length: 20 }, () => db.transaction(tx => queueMessages(tx, [email]))))
  await db.pool.query('notify done')
  expect(await handOverRequests(db, 100)).toBe(20)
  expect(await handOverRequests(db, 100)).toBe(0)
  await db.pool.query('notify done')
  await eventually(async () => heard.filter(one => one === 'done').length === 2)
  expect(heard).toEqual(['done', 'jobs:insert', 'done'])
  expect(await jobs(db)).toHaveLength(20)
  await clear(db)
})

it('a process hands its requests over after the commit, none after a rollback, and the last when it closes', async () => {
  const { db } = holdfast.service
  await db.transaction(tx => queueMessages(tx, [email]))
  await eventually(async () => (await jobs(db)).length === 1)
  const rolledBack = db.transaction(async tx => {
    await queueMessages(tx, [email])
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  const other = openDb(holdfast.connection)
  await other.transaction(tx => queueMessages(tx, [email]))
  await other.close()
  expect(await jobs(db)).toHaveLength(2)
  await clear(db)
})

it('requests of a dead process become jobs with their original settings', async () => {
  const dead = await deadDb()
  await dead.transaction(async tx => {
    await queueMessages(
      tx,
      Array.from({ length: 5 }, () => ({ ...email, kind: 'reminder' })),
    )
    await queueMessages(tx, [email])
    for (const number of [1, 2])
      await requestJobs(tx, {
        kind: sql`'cancel'`,
        payload: sql`json_build_object('number', ${number}::int)`,
        key: sql`'cancel:1'`,
        runAt: sql`now() + interval '1 hour'`,
      })
  })
  const db = openDb(holdfast.connection)
  onTestFinished(() => db.close())
  db.jobs.start()
  const found = await eventually(async () => {
    const all = await jobs(db)
    return all.length >= 4 && all
  })
  const bulk = { kind: 'deliver-mail', priority: 10, most: 25, flags: { bulk: true } }
  expect(found.sort((a, b) => a.priority - b.priority || a.seconds - b.seconds)).toMatchObject([
    { kind: 'deliver-mail', key: expect.stringMatching(/^mail:\d+$/), priority: 0, most: 25, flags: null },
    {
      kind: 'cancel',
      key: 'cancel:1',
      priority: 0,
      payload: { number: 2 },
      seconds: expect.closeTo(3600, -2),
    },
    bulk,
    bulk,
  ])
  expect((await checkInvariants(db.pool)).filter(one => one.violations > 0)).toEqual([])
  await clear(db)
})

it('several instances at once hand over each request exactly once', async () => {
  const db = await deadDb()
  const count = 300
  await requestJobs(db, {
    kind: sql`'nothing'`,
    payload: sql`to_json(n)`,
    from: sql`generate_series(1, ${count}::int) as n`,
  })
  // One that finds the first requests locked takes the next; what was locked to the end stays for the last.
  const taken = await Promise.all(Array.from({ length: 40 }, () => handOverRequests(db, 10)))
  const left = await handOverRequests(db, count)
  expect(taken.reduce((sum, one) => sum + one) + left).toBe(count)
  const numbers = (await jobs(db)).map(one => one.payload)
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  await clear(db)
})

it('a request counts as a waiting job', async () => {
  const db = await deadDb()
  await queueMessages(db, [email])
  const uncertain = async () => (await checkInvariants(db.pool)).filter(one => one.violations > 0)
  expect(await uncertain()).toEqual([])
  expect(await countMails({ ...db })).toMatchObject({ queued: 1 })
  expect(await listMails(db, { providerIds: null, state: 'queued', limit: 10 })).toHaveLength(1)
  await db.pool.query(`update job_request set run_at = now() - interval '10 minutes'`)
  expect(await readQueue(db)).toMatchObject({ waiting: 1, failed: 0, oldestSeconds: expect.closeTo(600, -2) })
  expect(await readQueueByTask(db)).toMatchObject([{ name: 'deliver-mail', waiting: 1 }])
  expect((await readState(db.probe)).oldestJobSeconds).toBeGreaterThanOrEqual(600)
  await db.pool.query('delete from job_request')
  expect(await uncertain()).toEqual([{ name: 'every mail that waits will be sent', violations: 1 }])
})
