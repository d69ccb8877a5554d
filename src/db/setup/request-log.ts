import sql, { join } from 'sql-template-tag'
import { jsonRows } from '../base/json.ts'
import type { Db, Queryable } from '../base/pool.ts'

// The calls of each API key, without bodies and values: the route is a pattern.

type ApiCall = {
  crmId: number
  keyId: number
  at: number
  /** Method and pattern of the path; null if no path matches. */
  route: string
  status: number
  code: string | null
  requestId: string
  ms: number
}

/** Each key's calls are all kept up to this rate; beyond it, one in ten. */
const allPerSecond = 100
const oneIn = 10
/** The rest is lost if the database is away. */
const maxWaiting = 20_000
const flushMs = 2_000

/**
 * Collects calls in memory and writes them in batches, so that no request waits for its entry. What is in
 * memory is lost in a crash.
 */
export class RequestLog {
  #waiting: (ApiCall & { standsFor: number })[] = []
  #counts = new Map<number, number>()
  #second = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  add(call: ApiCall) {
    const second = Math.floor(call.at / 1000)
    if (second !== this.#second) this.#counts.clear()
    this.#second = second
    const count = (this.#counts.get(call.keyId) ?? 0) + 1
    this.#counts.set(call.keyId, count)
    const isSampled = count > allPerSecond
    if ((isSampled && count % oneIn !== 0) || this.#waiting.length >= maxWaiting) return
    this.#waiting.push({ ...call, standsFor: isSampled ? oneIn : 1 })
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Resolves when everything added before is written, or lost. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const calls = this.#waiting
    this.#waiting = []
    if (calls.length > 0)
      this.#writing = this.#writing.then(() => insertCalls(this.#db, calls)).catch(() => {})
    return this.#writing
  }
}

async function insertCalls(db: Queryable, calls: (ApiCall & { standsFor: number })[]) {
  const rows = calls.map(call => ({ ...call, at: new Date(call.at) }))
  await db.query(sql`
    insert into api_request (crm_id, key_id, at, route, status, code, request_id, ms, stands_for)
    select * from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as made (crm_id bigint, key_id bigint, at timestamptz,
      route text, status smallint, code text, request_id text, ms integer, stands_for smallint)
  `)
}

type CallFilter = {
  key?: string
  route?: string
  requestId?: string
  /** From this status to that one. */
  status?: [number, number]
}

export type LoggedCall = Omit<ApiCall, 'crmId' | 'keyId'> & { id: number; prefix: string; standsFor: number }

/** So many calls are searched for one page. */
const searched = 50_000
const keptFor = sql`interval '7 days'`

/** Newest first. `next`: where the next page starts; null if nothing older is left. */
export async function listCalls(
  db: Queryable,
  crmId: number,
  filter: CallFilter,
  { before, limit }: { before: number; limit: number },
): Promise<{ calls: LoggedCall[]; next: number | null }> {
  const { key, route, requestId, status } = filter
  const wanted = [
    sql`true`,
    ...(key === undefined ? [] : [sql`prefix = ${key}`]),
    ...(route === undefined ? [] : [sql`position(lower(${route}) in lower(route)) > 0`]),
    ...(requestId === undefined ? [] : [sql`request_id = ${requestId}`]),
    ...(status === undefined ? [] : [sql`status between ${status[0]} and ${status[1]}`]),
  ]
  const latest = sql`
    select * from api_request where crm_id = ${crmId} and id < ${before} and at > app_now() - ${keptFor}
    order by id desc
  `
  const calls = await db.query<LoggedCall>(sql`
    select latest.*, prefix from (${latest} limit ${searched}) as latest
    cross join lateral (select prefix from api_key where api_key.id = key_id offset 0) as api_key
    where ${join(wanted, ' and ')} order by id desc limit ${limit + 1}
  `)
  if (calls.length > limit) return { calls: calls.slice(0, limit), next: calls[limit - 1]!.id }
  const next = await db.value<number | null>(
    sql`select id from (${latest}) as latest offset ${searched - 1} limit 1`,
  )
  return { calls, next }
}

/** Deletes some of the calls that are too old; returns how many. */
export async function deleteOldCalls(db: Queryable): Promise<number> {
  const rows = await db.query(sql`
    delete from api_request where (crm_id, id) in (
      select oldest.crm_id, oldest.id from crm cross join lateral (
        select crm_id, id, at from api_request where crm_id = crm.id order by id limit 1000
      ) as oldest
      where at < app_now() - ${keptFor}
    ) returning 1 as gone
  `)
  return rows.length
}
