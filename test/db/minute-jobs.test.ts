import { parseCrontab } from 'graphile-worker'
import { expect, it, onTestFinished } from 'vitest'
import { readState } from '../../src/db/base/readiness.ts'
import { crontab, keepRunning } from '../../src/start/job-runner.ts'
import { call, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const { db, health, outages } = holdfast.service
const log = { warn() {} }

/** As the clock of an instance does at each minute. */
async function addAgain(task: string) {
  const { options } = parseCrontab(crontab).find(one => one.task === task)!
  const { queueName, jobKey, jobKeyMode, maxAttempts, priority } = options
  await db.pool.query(
    `select graphile_worker.add_job($1, queue_name => $2, job_key => $3, job_key_mode => $4, max_attempts => $5, priority => $6)`,
    [task, queueName, jobKey, jobKeyMode, maxAttempts, priority],
  )
}

it('a minute job that takes longer runs one at a time on all instances, and one more waits, which readiness sees', async () => {
  const gate = Promise.withResolvers<void>()
  const count = { tidy: 0, remind: 0, running: 0, most: 0 }
  const tasks = {
    async tidy() {
      count.tidy++
      count.most = Math.max(count.most, ++count.running)
      await gate.promise
      count.running--
    },
    async remind() {
      count.remind++
    },
  }
  const stopping = new AbortController()
  const instances = [1, 2].map(() =>
    keepRunning(
      { db, mailConnections: 2, connection: holdfast.connection, tasks, health, outages, log },
      stopping.signal,
    ),
  )
  onTestFinished(async () => {
    gate.resolve()
    stopping.abort()
    await Promise.all(instances)
  })
  await addAgain('tidy')
  await eventually(async () => count.running > 0)
  for (let minute = 0; minute < 4; minute++) await addAgain('tidy')
  await addAgain('remind')
  await eventually(async () => count.remind > 0)
  const waiting = `from graphile_worker._private_jobs where key = 'tidy' and locked_at is null`
  expect((await db.pool.query(`select ${waiting}`)).rowCount).toBe(1)
  await db.pool.query(
    `update graphile_worker._private_jobs set run_at = now() - interval '10 minutes' where key = 'tidy'`,
  )
  expect((await readState(db.probe)).oldestJobSeconds).toBeGreaterThanOrEqual(600)
  expect((await call(holdfast.app, 'GET', '/readyz')).body.status).toBe('degraded')

  gate.resolve()
  await eventually(async () => count.tidy > 1 && count.running === 0)
  expect(count.most).toBe(1)
})
