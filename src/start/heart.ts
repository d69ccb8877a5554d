import type { WorkerEvents } from 'graphile-worker'
import { handOnJobsOfTheDead, leaveSignOfLife } from '../db/base/jobs.ts'
import type { Db } from '../db/base/pool.ts'

const beatEveryMs = 5_000

/**
 * The queue keeps the jobs of those who died locked for hours. So each pool of workers, which is what a job is locked
 * by, leaves a sign of life every few seconds, and everybody hands on the jobs of those who have not been seen for a
 * while.
 */
export function startHeart(
  db: Db,
  events: WorkerEvents,
  log: { warn(details: { count: number }, message: string): void },
) {
  const pools = new Set<string>()

  async function beat() {
    await leaveSignOfLife(db, [...pools])
    const count = await handOnJobsOfTheDead(db)
    if (count > 0) log.warn({ count }, 'handed on the jobs of workers that died')
  }
  let last = Promise.resolve()
  const beatNow = () => {
    // The database may be away for a while; the next beat tells.
    last = last.then(beat).catch(() => {})
  }
  events.on('pool:create', ({ workerPool }) => {
    pools.add(workerPool.id)
    beatNow()
  })
  events.on('pool:release', ({ workerPool }) => pools.delete(workerPool.id))
  const timer = setInterval(beatNow, beatEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
