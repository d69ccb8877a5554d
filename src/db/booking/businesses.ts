import sql, { type Sql } from 'sql-template-tag'
import { Batcher } from '../../lib/batcher.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { isUuid, parseRef } from '../../rules/references.ts'
import type { Queryable } from '../base/pool.ts'
import { isOfCrm, namedCrm } from '../setup/crms.ts'

// How consumers refer to a business: by its slug, its uuid, a former slug, or its reference, which is looked
// up in one CRM (setup/crms.ts). What can be booked there is read each time, so that a new Resource
// appears at once.

export type Business = {
  uuid: string
  /** The slug, or the uuid of a business that has none. */
  address: string
  /** By which it was found. */
  by: 'slug' | 'uuid' | 'former-slug' | 'reference'
  /** Found by its reference, which a Resource of another CRM got only later. */
  hadNameFirst: boolean
  /**
   * The channels of its Resources that accept bookings, by name; if there is none, of all that are not archived. An archived one
   * stands for a business that has no others.
   */
  refs: string[]
}

/**
 * No Resource had this name when it was chosen, so a Resource that has it now, perhaps of another CRM, does not take it over. Where
 * both are of one CRM, the Resource comes first.
 */
export const comesFirst = ({ by, hadNameFirst }: Business) =>
  by === 'slug' || by === 'former-slug' || hadNameFirst

type Wanted = { name: string; channelKey: ChannelKey }
type Row = Business & { position: number }

/** As many as one request may name. */
const maxResources = 200

export class BusinessFinder {
  db: Queryable
  questions = new Batcher<Wanted, Business | null>(async group => {
    const found = await findBusinesses(
      this.db,
      group.map(one => one.item),
    )
    for (const [index, { resolve }] of group.entries()) resolve(found.get(index + 1) ?? null)
  })

  constructor(db: Queryable) {
    this.db = db
  }

  /** A business is booked through the calendar of all Resources, unless another channel is named. */
  find(name: string, channelKey: ChannelKey = 'RESOURCE_PUBLIC'): Promise<Business | null> {
    const key = channelKey === 'RESOURCE_PUBLIC' ? 'CALENDAR_PUBLIC' : channelKey
    return this.questions.add({ name: isUuid(name) ? name.toLowerCase() : name, channelKey: key })
  }
}

// Deleting a Provider frees its names.
const crmOfName = namedCrm(
  sql`select id as provider_id, created_at from provider as bearer where reference = wanted.text`,
)

// Deleted Resources count: their names stay with their CRM.
const hadNameFirst = sql`(meant.by = 'reference' and coalesce((
  select other.crm_id <> meant.crm_id and bearer.created_at > meant.created_at from (
    select provider_id, created_at from resource where reference = wanted.text order by created_at, provider_id limit 1
  ) as bearer
  cross join lateral (select crm_id from provider where id = bearer.provider_id offset 0) as other
  where not exists (select from crm where name = wanted.platform)
), false))`

/** By name. In this order, a large business needs no look at the channels beyond the first ones. */
const channelsOf = (isShown: Sql, most: number) => sql`(
  select json_agg(uuid order by public_name, id) from (
    select channel.uuid, named.public_name, named.id
    from (
      select id, public_name, archived from (select * from resource where provider_id = meant.id offset 0) as own
      where deleted_at is null order by public_name, id offset 0
    ) as named
    cross join lateral (
      select uuid, visible from channel where resource_id = named.id and key = wanted.channel_key offset 0
    ) as channel
    where ${isShown} order by public_name, id limit ${most}
  ) as shown
)`

async function findBusinesses(db: Queryable, wanted: Wanted[]): Promise<Map<number, Business>> {
  const parsed = wanted.map(one => parseRef(one.name))
  const rows = await db.query<Row>(sql`
    select position::int, meant.uuid::text, coalesce(meant.slug, meant.uuid::text) as address, meant.by, ${hadNameFirst} as had_name_first, coalesce(
      ${channelsOf(sql`visible and not archived`, maxResources)}, ${channelsOf(sql`not archived`, maxResources)},
      ${channelsOf(sql`true`, 1)}, '[]'::json
    ) as refs
    from unnest(${wanted.map(one => one.name)}::text[], ${parsed.map(one => one.uuid)}::uuid[],
      ${parsed.map(one => one.platform)}::text[], ${wanted.map(one => one.channelKey)}::text[])
      with ordinality as wanted (text, uuid, platform, channel_key, position)
    cross join lateral (
      select * from (
        select *, 1 as rank, 'slug' as by from provider where slug = wanted.text and deleted_at is null
        union all
        select *, 2, 'uuid' from provider where uuid = wanted.uuid and deleted_at is null
        union all
        select *, 3, 'former-slug' from provider where former_slugs @> array[wanted.text] and deleted_at is null
        union all
        select *, 4, 'reference' from (select * from provider where reference = wanted.text offset 0) as named
        where deleted_at is null and ${isOfCrm(sql`named.id`, crmOfName)}
      ) as provider order by rank, id limit 1
    ) as meant
  `)
  return new Map(rows.map(({ position, ...business }) => [position, business]))
}

/** The Resources of a CRM that anyone may book, for its own agents. */
export const placesOfCrm = (db: Queryable, crmId: number) =>
  db.query<{ ref: string; name: string; business: string }>(sql`
    select resource.uuid::text as ref, resource.public_name as name, provider.name as business
    from (select id, name from provider where crm_id = ${crmId} offset 0) as provider
    cross join lateral (
      select id, uuid, public_name from resource
      where provider_id = provider.id and deleted_at is null and not archived offset 0
    ) as resource
    cross join lateral (
      select from channel where resource_id = resource.id and key = 'RESOURCE_PUBLIC' and visible offset 0
    ) as open
    order by provider.id, resource.id limit 100
  `)
