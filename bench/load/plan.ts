import type pg from 'pg'

/** What the load process is asked to do. Requests are their own bytes. */
export type Plan = {
  port: number
  connections: number
  seconds: number
  /** So many seconds before them are not counted. */
  warming?: number
  /** So many a second, where it is not to be as many as possible. */
  pace?: number
  work:
    | { kind: 'cycle'; requests: string[] }
    /** Each request once; the run ends early when there are none left. */
    | { kind: 'once'; requests: string[] }
    /** Before each request a statement changes what it asks for: `sql` with the request's own value. Or that alone. */
    | {
        kind: 'changed'
        requests: { request: string | null; value: string }[]
        sql: string
        database: pg.PoolConfig
      }
    /** Reserve, then complete with the placeholder of the answer in the place of `PLACEHOLDER`. */
    | { kind: 'pairs'; pairs: { reserve: string; complete: string }[] }
    /** The same, and then it is cancelled by its link: the slots are never used up. */
    | { kind: 'stays'; stays: { reserve: string; complete: string }[] }
}

export type Outcome = {
  count: number
  seconds: number
  perSecond: number
  statuses: Record<string, number>
  /** By status, what was answered within the plan's seconds: neither what came before them nor the last ones' wait counts. */
  answered: Record<string, number>
  /** How many of the plan's requests were used up. */
  used: number
  /** Of answers below 500: those who were refused for lack of room know it at once. */
  accepted: number
  p50: number
  p99: number
  max: number
}
