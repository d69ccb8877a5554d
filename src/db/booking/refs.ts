import sql from 'sql-template-tag'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { parseRef } from '../../rules/references.ts'
import type { Queryable } from '../base/pool.ts'
import { isOfCrm, namedCrm } from '../setup/crms.ts'

// How consumers refer to a Resource: by its uuid, the uuid of one of its channels,
// `id@providerUuid@platform`, or its plain reference, which is looked up in one CRM (setup/crms.ts) and
// must be unique among its Providers.

export type Found = {
  /** The position of the ref in the request. */
  position: number
  rank: number
  resourceId: number
  providerId: number
  crmId: number
  /** The name of the CRM, for the log. */
  crm: string
  revision: number
  /** The time ranges of its last changes. */
  touched: string
  timeZone: string
  /** Set if the ref names a channel. */
  channelKey: ChannelKey | null
}

export type Revision = Pick<Found, 'revision' | 'touched'>

/**
 * Identifies the history that revisions belong to. After a restored backup or a failover with data loss,
 * revision numbers repeat, so cached revisions from before must not be compared.
 */
const revisionHistory = sql`date_part('epoch', pg_postmaster_start_time()) || ' ' || 'resource'::regclass::oid`

/** Current revisions of known Resources. Deleted Resources have none. */
export async function findRevisions(
  db: Queryable,
  ids: number[],
): Promise<{ now: number; history: string; revisions: Map<number, Revision> }> {
  // One row of text is the cheapest result to write and parse. Deleted ones are left out so that no partial index matches:
  // a plan could read one of those from its first row to its last.
  const rows = await db.query<{ now: number; history: string; revisions: string | null }>(sql`
    select app_now() as now, ${revisionHistory} as history, string_agg(id || ' ' || revision || ' ' || touched, ',') as revisions
    from resource where id = any (${ids}::bigint[]) and coalesce(deleted_at, 'infinity') = 'infinity'
  `)
  const { now, history: of, revisions } = rows[0]!
  const found = revisions ? revisions.split(',').map(one => one.split(' ')) : []
  return {
    now,
    history: of,
    revisions: new Map(
      found.map(([id, revision, touched]) => [Number(id), { revision: Number(revision), touched: touched! }]),
    ),
  }
}

// Includes deleted ones, so that another CRM cannot take over their names.
const crmOfName = namedCrm(
  sql`select provider_id, created_at from resource as bearer where reference = wanted.text`,
)

export type FoundRefs = { found: Found[]; now: number; history: string }

export async function findRefs(db: Queryable, refs: string[]): Promise<FoundRefs> {
  const parsed = refs.map(parseRef)
  return db.one<FoundRefs>(sql`
    select app_now() as now, ${revisionHistory} as history, coalesce(json_agg(json_build_object('position', position, 'rank', rank,
      'resourceId', resource.id, 'providerId', resource.provider_id, 'crmId', provider.crm_id,
      'crm', (select name from crm where id = provider.crm_id), 'revision', resource.revision,
      'touched', resource.touched, 'channelKey', channel_key, 'timeZone', provider.time_zone) order by position, rank), '[]'::json) as found
    from unnest(${parsed.map(one => one.uuid)}::uuid[], ${parsed.map(one => one.providerUuid)}::uuid[],
      ${parsed.map(one => one.short)}::text[], ${refs}::text[], ${parsed.map(one => one.platform)}::text[])
      with ordinality as wanted (uuid, provider_uuid, short, text, platform, position)
    cross join lateral (
      select id, null as channel_key, 1 as rank from resource where uuid = wanted.uuid
      union all
      select resource_id, key, 2 from channel where uuid = wanted.uuid
      union all
      select named.id, null, 3 from (select id from provider where uuid = wanted.provider_uuid offset 0) as owner
      cross join lateral (
        select id from resource where provider_id = owner.id and reference = wanted.short and deleted_at is null offset 0
      ) as named
      union all
      select id, null, 4 from (select * from resource where reference = wanted.text offset 0) as resource
      where deleted_at is null and ${isOfCrm(sql`resource.provider_id`, crmOfName)}
    ) as meant
    cross join lateral (select * from resource where id = meant.id offset 0) as resource
    cross join lateral (select * from provider where id = resource.provider_id offset 0) as provider
    where resource.deleted_at is null
  `)
}
