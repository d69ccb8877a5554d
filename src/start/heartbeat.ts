import type { WorkerEvents } from 'graphile-worker'
import { recordHeartbeat, releaseStaleJobs } from '../db/base/jobs.ts'
import type { Db } from '../db/base/pool.ts'

const beatEveryMs = 5_000

const othersReturnMs = 15_000

/**
 * During an outage no worker could record a heartbeat. Afterwards they get time to reconnect and finish their
 * jobs; otherwise those jobs would run twice.
 */
export type Outage = { isOver: boolean; releaseFrom: number }

/**
 * The queue keeps jobs of crashed workers locked for hours. Each worker pool, which owns the locks, therefore
 * records a heartbeat every few seconds, and every instance releases the jobs of pools without a recent one.
 */
export function startHeartbeat(
  db: Db,
  events: WorkerEvents,
  log: { warn(details: { count: number }, message: string): void },
  outage: Outage = { isOver: true, releaseFrom: 0 },
) {
  const pools = new Set<string>()

  async function beat() {
    await recordHeartbeat(db, [...pools])
    if (!outage.isOver)
      Object.assign(outage, { isOver: true, releaseFrom: performance.now() + othersReturnMs })
    if (performance.now() < outage.releaseFrom) return
    const count = await releaseStaleJobs(db)
    if (count > 0) log.warn({ count }, 'released the jobs of workers that died')
  }
  let last = Promise.resolve()
  const beatNow = () => {
    // The database may be unavailable; the next heartbeat retries.
    last = last.then(beat).catch(() => {
      outage.isOver = false
    })
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
