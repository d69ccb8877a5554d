import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Health } from '../../lib/watch/health.ts'
import type { OutageLog } from '../../lib/watch/outage-log.ts'
import { starvedMs } from './pool.ts'
import { causeOf, isPoolTimeout, isUndefined, noConnection, waitsForStandby } from './postgres-errors.ts'
import type { Db } from './queryable.ts'

const freshMs = 3_000
const everyMs = 5_000
const timeoutMs = 1_500

/** Commits a small write over the connections that requests use: if it fails or waits, so would a booking. */
export class WriteProbe {
  readonly #db: Db
  readonly #health: Health
  readonly #processId = randomUUID()
  #isFirst = true
  #isConnected = false
  #writing: Promise<unknown> | null = null
  #checking: Promise<string | null> | null = null
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, health: Health) {
    this.#db = db
    this.#health = health
  }

  /** Why nothing can be written, or null. A result is shared for a few seconds. */
  check(): Promise<string | null> {
    if (this.#checking) return this.#checking
    if (performance.now() - this.#checkedAt < freshMs) return Promise.resolve(this.#health.writeTrouble)
    this.#checking = this.#diagnose().then(trouble => {
      this.#health.writeTrouble = trouble
      this.#checkedAt = performance.now()
      this.#checking = null
      return trouble
    })
    return this.#checking
  }

  /** Keeps the cause known, so that refused requests can name it, and logs when an outage begins and ends. */
  start(outage: OutageLog, log: { warn(details: object, message: string): void }): () => void {
    const timer = setInterval(async () => {
      const trouble = await this.check()
      if (trouble === null) outage.recovered(log)
      else outage.stillFails(log, trouble)
    }, everyMs)
    return () => clearInterval(timer)
  }

  async #diagnose(): Promise<string | null> {
    // A commit that waits is not joined by others: each would keep a connection.
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null
    })
    const late = new AbortController()
    const waits = pause(timeoutMs, 'waits', { signal: late.signal }).catch(() => null)
    try {
      const outcome = await Promise.race([this.#writing, waits])
      return outcome === 'waits' ? await this.#whatWaits() : null
    } catch (error) {
      // A pool that handed out no connection in time is busy, which may pass.
      if (!this.#isConnected && isPoolTimeout(error)) return this.#whatWaits()
      // Before the first migration there is nowhere to write; readiness reports the migration instead.
      return isUndefined(error, 'table') ? null : (causeOf(error) ?? 'a small write failed')
    } finally {
      late.abort()
    }
  }

  async #write() {
    this.#isConnected = false
    await this.#db.transaction(async tx => {
      this.#isConnected = true
      if (this.#isFirst)
        await tx.query(sql`delete from write_probe where written_at < now() - interval '1 hour'`)
      await tx.last(
        tx.query(sql`
          insert into write_probe (process_id) values (${this.#processId}::uuid)
          on conflict (process_id) do update set written_at = now()
        `),
      )
    })
    this.#isFirst = false
  }

  async #whatWaits(): Promise<string | null> {
    try {
      const { rows } = await this.#db.probe.query(
        `select from pg_stat_activity where datname = current_database() and usename = current_user and wait_event = 'SyncRep' limit 1`,
      )
      if (rows.length > 0) return waitsForStandby
      if (this.#isConnected) return 'a small write takes too long'
      // A burst that takes every connection for a moment is served; it must not take the instance out of service.
      return this.#db.starvedForMs() > starvedMs ? noConnection : null
    } catch (error) {
      return causeOf(error) ?? 'the database does not answer'
    }
  }
}
