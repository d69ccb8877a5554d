import sql from 'sql-template-tag'
import { moved, suspended } from '../../errors.ts'
import type { Db, Queryable } from '../base/pool.ts'

// An operator can suspend a CRM, and a move to another installation suspends it for seconds. Requests are
// refused by what this process has read within the last second; jobs check in their own statements; while a
// CRM is handed over or deleted, a fence in the database also refuses writes (db/backup/fence.ts).

/** Suspends a CRM until it is resumed. Returns false if it already was. */
export const suspendCrm = (db: Queryable, id: number) =>
  db.any(sql`
    update crm set suspended_until = 'infinity'
    where id = ${id} and suspended_until is distinct from 'infinity'::timestamptz returning id
  `)

/** Returns false if the CRM is not suspended or has moved to another installation. */
export const resumeCrm = (db: Queryable, id: number) =>
  db.any(sql`
    update crm set suspended_until = null
    where id = ${id} and suspended_until is not null and moved_to is null
      and not exists (select from crm_origin where crm_id = crm.id and arrived_at is null)
    returning id
  `)

type Suspended = { id: number; movedTo: string | null; providerIds: number[] }

/** An installation that a CRM came from: links and cursors it signed remain valid here. */
export type Origin = { crmId: number; sourceCrmId: number; eraBase: number; linkKeys: Buffer }

/** Uses a separate connection, so that it never waits for requests or delays them. */
async function readSuspended({ probe }: Db): Promise<{ suspended: Suspended[]; origins: number }> {
  const { rows } = await probe.query<{ suspended: Suspended[]; origins: number }>(sql`
    select (select count(*)::float8 from crm_origin) as origins, coalesce(jsonb_agg(
      jsonb_build_object('id', id, 'movedTo', moved_to,
        'providerIds', array(select provider.id from provider where crm_id = crm.id))), '[]') as suspended
    from crm where suspended_until is not null and suspended_until > now()
  `)
  return rows[0]!
}

async function readOrigins({ probe }: Db): Promise<Origin[]> {
  const { rows } = await probe.query<Origin>(sql`
    select crm_id::float8 as "crmId", source_crm_id::float8 as "sourceCrmId", era_base as "eraBase", link_keys as "linkKeys"
    from crm_origin
  `)
  return rows
}

const everyMs = 1_000

/** CRMs that are suspended, moved away or imported, as known to this process. */
export class Suspensions {
  db: Db
  adopt: (origins: Origin[]) => void
  crms = new Map<number, string | null>()
  providers = new Map<number, string | null>()
  origins = 0
  timer: NodeJS.Timeout | null = null

  constructor(db: Db, adopt: (origins: Origin[]) => void) {
    this.db = db
    this.adopt = adopt
  }

  /** Reads now and then every second. While the database is unavailable, the last result counts. */
  async start() {
    await this.refresh().catch(() => {})
    this.timer = setInterval(() => void this.refresh().catch(() => {}), everyMs).unref()
  }

  stop() {
    if (this.timer) clearInterval(this.timer)
  }

  async refresh() {
    const { suspended, origins } = await readSuspended(this.db)
    // Loads the keys first: a CRM that has just opened here receives links and cursors of its former
    // installation.
    if (origins !== this.origins) this.adopt(origins > 0 ? await readOrigins(this.db) : [])
    this.origins = origins
    this.crms = new Map(suspended.map(one => [one.id, one.movedTo]))
    this.providers = new Map(
      suspended.flatMap(one => one.providerIds.map((id): [number, string | null] => [id, one.movedTo])),
    )
  }

  refuseCrm(id: number | null | undefined) {
    if (id != null && this.crms.size > 0) refuse(this.crms.get(id))
  }

  refuseProvider(id: number | null | undefined) {
    if (id != null && this.providers.size > 0) refuse(this.providers.get(id))
  }

  /** For lookups by name that may match several CRMs. */
  refuseAny(found: { providerId: number }[]) {
    if (this.providers.size > 0) for (const { providerId } of found) this.refuseProvider(providerId)
  }
}

function refuse(movedTo: string | null | undefined) {
  if (movedTo === undefined) return
  throw movedTo === null ? suspended() : moved(movedTo)
}
