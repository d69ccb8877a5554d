import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import { earliestStart } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

export type Feed = {
  uuid: string
  kind: 'provider' | 'resource' | 'user'
  resourceReference: string | null
  userReference: string | null
  description: string | null
  names: boolean
  createdAt: number
  lastReadAt: number | null
}

const feed = sql`
  select calendar_feed.uuid, description, with_names as names, calendar_feed.created_at,
    last_read_at,
    case when resource_id is not null then 'resource' when user_id is not null then 'user' else 'provider' end as kind,
    (select reference from resource where id = resource_id) as resource_reference,
    (select reference from app_user where id = user_id) as user_reference
  from calendar_feed
`

export const listFeeds = (db: Queryable, providerId: number) =>
  db.query<Feed>(sql`${feed} where provider_id = ${providerId} order by id`)

export async function insertFeed(
  tx: Queryable,
  providerId: number,
  values: {
    resourceId: number | null
    userId: number | null
    madeBy: number | null
    madeByLogin: string | null
    hash: Buffer
    description: string | null
    names: boolean
  },
): Promise<Feed> {
  const { resourceId, userId, madeBy, madeByLogin, hash, description, names } = values
  const made = await tx.query<{ uuid: string }>(sql`
    insert into calendar_feed (provider_id, resource_id, user_id, made_by, made_by_login, hash, description, with_names)
    values (${providerId}, ${resourceId}, ${userId}, ${madeBy}, ${madeByLogin}, ${hash}, ${description}, ${names})
    returning uuid
  `)
  return tx.one<Feed>(sql`${feed} where calendar_feed.uuid = ${made[0]!.uuid}`)
}

export const deleteFeed = (tx: Queryable, providerId: number, uuid: string) =>
  tx.any(sql`delete from calendar_feed where provider_id = ${providerId} and uuid = ${uuid} returning id`)

export const countFeeds = (tx: Queryable, providerId: number) =>
  tx.value<number>(
    sql`select count(*)::integer as count from calendar_feed where provider_id = ${providerId}`,
  )

export type OpenFeed = {
  id: number
  providerId: number
  resourceId: number | null
  userId: number | null
  names: boolean
  /** The name of the Resource or person, or null. */
  of: string | null
  providerName: string
  language: Language
  now: number
  /** Differs whenever the calendar may have changed. */
  revision: string
}

/**
 * Every change raises a Resource's revision; erasing a Customer does not, so it is part of the feed's
 * revision separately.
 */
export const findFeed = (db: Queryable, hash: Buffer) =>
  db.first<OpenFeed>(sql`
    select calendar_feed.id, calendar_feed.provider_id, resource_id,
      user_id, with_names as names, provider.name as provider_name, provider.language,
      app_now() as now,
      coalesce(
        (select public_name from resource where id = resource_id),
        (select concat_ws(' ', first_name, last_name) from app_user where id = user_id)
      ) as of,
      (select sum(revision) from resource
        where resource.provider_id = calendar_feed.provider_id
          and resource.id = coalesce(calendar_feed.resource_id, resource.id)
      ) || ' ' || coalesce((
        select max(erased_at)::text from customer where provider_id = calendar_feed.provider_id and erased_at is not null
      ), '') as revision
    from calendar_feed join provider on provider.id = calendar_feed.provider_id
    where hash = ${hash}
  `)

/** At most one write an hour, because calendars poll every few minutes. */
export async function recordFeedRead(db: Queryable, id: number) {
  await db.query(sql`
    update calendar_feed set last_read_at = app_now()
    where id = ${id} and (last_read_at is null or last_read_at < app_now() - interval '1 hour')
  `)
}

export type FeedEntry = {
  /** The Participation's, as in emails; the Appointment's if it is empty. */
  uuid: string
  sequence: number
  isSure: boolean
  stamp: number
  start: number
  end: number
  name: string | null
  /** Null if the Appointment is empty. */
  places: number | null
  productName: string
  resourceName: string
  address: unknown
}

/** An empty Appointment has no sequence number, so it is derived from the time of its last move. */
const moveSequence = sql`date_part('epoch', appointment.moved_at - appointment.created_at)::integer`

/** One entry per person, ordered by time. A person with a pending request to move has two. */
export async function loadFeed(
  db: Queryable,
  { providerId, resourceId, userId }: Pick<OpenFeed, 'providerId' | 'resourceId' | 'userId'>,
  from: number,
  to: number,
): Promise<FeedEntry[]> {
  const [begin, end] = [new Date(from), new Date(to)]
  const which: Sql = resourceId === null ? sql`true` : sql`resource.id = ${resourceId}`
  const whose: Sql =
    userId === null
      ? sql`true`
      : sql`coalesce(appointment.contact_user_id, resource.contact_user_id) = ${userId}`
  return db.query<FeedEntry>(sql`
    select case when participation.state = 'REQUESTED' then participation.uuid
        else coalesce(participation.calendar_uuid, participation.uuid, appointment.uuid) end as uuid,
      greatest(0, coalesce(participation.ics_sequence - 1, ${moveSequence}, 0)) as sequence,
      participation.state is distinct from 'REQUESTED' as is_sure,
      coalesce(participation.booked_at, participation.created_at, appointment.created_at) as stamp,
      appointment.start_at as start, appointment.end_at as end, participation.name, participation.places,
      coalesce(appointment.product_name, product.name) as product_name, resource.internal_name as resource_name,
      coalesce(appointment.address, resource.address) as address
    from resource
    cross join lateral (
      select * from appointment
      where resource_id = resource.id and start_at < ${end}
        and start_at > ${earliestStart(begin, sql`resource.longest_block`)} and end_at > ${begin}
        and state = 'ACTIVE' and deleted_at is null and not archived
      offset 0
    ) as appointment
    join product on product.id = appointment.product_id
    left join lateral (
      select * from participation
      where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED') and deleted_at is null
      offset 0
    ) as participation on true
    where resource.provider_id = ${providerId} and ${which} and ${whose}
      and (participation.id is not null or appointment.origin = 'provider')
    order by appointment.start_at, appointment.id, participation.id
  `)
}
