import pg from 'pg'
import { olderTimeline } from '../postgres-errors.ts'

// PostgreSQL raises its timeline with each promotion. Of two hosts that both accept writes, the one with the
// lower timeline was replaced: its commits are lost as soon as it rejoins the cluster.

type Place = { system: string; timeline: number; isStandby: boolean; remembered: number }

const everyMs = 1_000
const timeoutMs = 1_000

// The control file lags behind a promotion, so a primary is asked for the file that it writes to.
const where = `
  select pg_is_in_recovery() as "isStandby", (select system_identifier::text from pg_control_system()) as system,
    case when pg_is_in_recovery() then greatest(
      (select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())
    ) else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`

const readTimeline = 'select timeline from cluster_timeline where system_identifier = $1'

// A replaced primary may have no standby left to wait for, and must still learn that it was replaced.
const writeTimeline = `
  with setting as (select set_config('synchronous_commit', 'local', true))
  insert into cluster_timeline (system_identifier, timeline) select $1, $2::int from setting
  on conflict (system_identifier) do update set timeline = greatest(cluster_timeline.timeline, excluded.timeline)`

/** Knows the newest timeline of a cluster: from all hosts that answer, from the database and from what was seen before. */
export class Timelines {
  readonly #addresses: string[]
  readonly #onOlder: (isOlder: (address: string) => boolean) => void
  readonly #watchers = new Map<string, pg.Client>()
  /** By system identifier: a cluster that was set up again starts at timeline 1. */
  readonly #highest = new Map<string, number>()
  readonly #places = new Map<string, Place>()
  /** What a host that was replaced is refused with, while the last look found one. */
  refusal: Error | null = null
  #looking: Promise<void> | null = null
  #lookedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(addresses: string[], onOlder: (isOlder: (address: string) => boolean) => void) {
    this.#addresses = addresses
    this.#onOlder = onOlder
  }

  /** Throws if this connection leads to a primary that was replaced. */
  async check(client: pg.ClientBase) {
    const place = await readTimelineState(client)
    if (!place || place.isStandby) return
    if (performance.now() - this.#lookedAt > everyMs) await this.look()
    this.#note(place)
    if (this.#isOlder(place)) throw this.#refuse(place)
  }

  start() {
    this.#timer ??= setInterval(() => void this.look(), everyMs).unref()
  }

  stop() {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const address of this.#watchers.keys()) this.#leave(address)
  }

  /** Asks every host; hosts that do not answer are left out. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = null
      this.#lookedAt = performance.now()
    })
    return this.#looking
  }

  async #lookNow() {
    await Promise.all(this.#addresses.map(address => this.#visit(address)))
    const older = [...this.#places].filter(([_key, place]) => !place.isStandby && this.#isOlder(place))
    this.refusal = older.length > 0 ? this.#refuse(older[0]![1]) : null
    if (older.length > 0) this.#onOlder(address => older.some(([one]) => one === address))
    await Promise.all([...this.#places].map(([address, place]) => this.#share(address, place)))
  }

  async #visit(address: string) {
    this.#places.delete(address)
    try {
      const place = await readTimelineState(await this.#watcher(address))
      if (!place) return
      this.#places.set(address, place)
      this.#note(place)
    } catch {
      this.#leave(address)
    }
  }

  /**
   * Writes the newest timeline to every writable host, so that a process that reaches only a replaced host
   * learns of it there.
   */
  async #share(address: string, { system, isStandby, remembered }: Place) {
    const highest = this.#highest.get(system)!
    if (isStandby || remembered >= highest) return
    await this.#watchers
      .get(address)
      ?.query(writeTimeline, [system, highest])
      .catch(() => {})
  }

  #note({ system, timeline, remembered }: Place) {
    this.#highest.set(system, Math.max(this.#highest.get(system) ?? 0, timeline, remembered))
  }

  #refuse({ system, timeline }: Place) {
    return olderTimeline(timeline, this.#highest.get(system)!)
  }

  #isOlder({ system, timeline }: Place) {
    return timeline < (this.#highest.get(system) ?? 0)
  }

  async #watcher(address: string): Promise<pg.Client> {
    const known = this.#watchers.get(address)
    if (known) return known
    const client = new pg.Client({
      connectionString: address,
      application_name: 'holdfast timeline',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    })
    client.on('error', () => this.#leave(address))
    this.#watchers.set(address, client)
    await client.connect()
    return client
  }

  #leave(address: string) {
    const client = this.#watchers.get(address)
    this.#watchers.delete(address)
    client?.end().catch(() => {})
  }
}

/** Null where it cannot be known: some hosted databases do not let their users ask. */
async function readTimelineState(client: pg.ClientBase): Promise<Place | null> {
  const found = await queryOrUndefined<Omit<Place, 'remembered'>>(client, where)
  if (!found?.timeline) return null
  const known = await queryOrUndefined<{ timeline: number }>(client, readTimeline, [found.system])
  return { ...found, remembered: known?.timeline ?? 0 }
}

/** Undefined if the database rejects the query: before the first migration the table does not exist. */
async function queryOrUndefined<Row extends object>(
  client: pg.ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<Row | undefined> {
  try {
    return (await client.query<Row>(text, values)).rows[0]
  } catch (error) {
    if ((error as { severity?: string }).severity !== 'ERROR') throw error
  }
}
