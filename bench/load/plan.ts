import type pg from 'pg'

/** A job for the load process. Requests are prepared bytes. */
export type Plan = {
  port: number
  connections: number
  seconds: number
  /** Seconds before the measurement that are not counted. */
  warming?: number
  /** Requests per second; without it, as many as possible. */
  pace?: number
  work:
    | { kind: 'cycle'; requests: string[] }
    /** Each request once; the run ends early if none are left. */
    | { kind: 'once'; requests: string[] }
    /**
     * Before each request a statement changes what it asks for: `sql` with the request's own value. Or only
     * the statement.
     */
    | {
        kind: 'changed'
        requests: { request: string | null; value: string }[]
        sql: string
        database: pg.PoolConfig
      }
    /** Reserve, then complete with the placeholder from the answer in place of `PLACEHOLDER`. */
    | { kind: 'pairs'; pairs: { reserve: string; complete: string }[] }
    /** The same, then cancel by link, so that slots never run out. */
    | { kind: 'stays'; stays: { reserve: string; complete: string }[] }
}

export type Outcome = {
  count: number
  seconds: number
  perSecond: number
  statuses: Record<string, number>
  /**
   * Answers by status within the plan's seconds, without those before and without the wait for the last ones.
   */
  answered: Record<string, number>
  /** How many of the plan's requests were used up. */
  used: number
  /** Latency of answers below 500 only: refusals for lack of capacity return at once. */
  accepted: number
  p50: number
  p95: number
  p99: number
  max: number
}
