import { AsyncResource } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { handOverRequests } from './job-requests.ts'
import type { Queryable } from './queryable.ts'

/** Minimum pause between runs: each run notifies the workers, and one notification serves all requests written in between. */
const everyMs = 50
/** For requests of a process that died. */
const lookEveryMs = 1_000
const maxBatch = 500
const stopWaitMs = 2_000

/** Hands requested jobs to the queue, one batch at a time, soon after the commits of this process. */
export class JobHandOver {
  db: Queryable
  isWanted = false
  running: Promise<void> | null = null
  earliest = 0
  timer: NodeJS.Timeout | null = null
  looking: NodeJS.Timeout | null = null
  isStopped = false
  /** Outside of the transaction and the trace of the request that happens to be first. */
  begin = AsyncResource.bind(() => {
    this.timer = null
    this.running ??= this.handOver().finally(() => {
      this.running = null
      this.plan()
    })
  })

  constructor(db: Queryable) {
    this.db = db
  }

  /** After the commit of a transaction that requested jobs. */
  wake() {
    this.isWanted = true
    this.plan()
  }

  /** Also looks for requests of other processes from now on. */
  start() {
    this.looking ??= setInterval(() => this.wake(), lookEveryMs).unref()
    this.wake()
  }

  plan() {
    if (!this.isWanted || this.running || this.timer || this.isStopped) return
    this.timer = setTimeout(this.begin, Math.max(0, this.earliest - performance.now())).unref()
  }

  async handOver() {
    this.isWanted = false
    this.earliest = performance.now() + everyMs
    try {
      if ((await handOverRequests(this.db, maxBatch)) === maxBatch) this.isWanted = true
    } catch {
      // The database is unavailable for a moment; the requests stay.
    }
  }

  /** Hands over the last ones. */
  async stop() {
    if (this.isStopped) return
    this.isStopped = true
    if (this.looking) clearInterval(this.looking)
    if (this.timer) clearTimeout(this.timer)
    const finish = async () => {
      await this.running
      while (this.isWanted) await this.handOver()
    }
    await Promise.race([finish(), pause(stopWaitMs, undefined, { ref: false })])
  }
}
