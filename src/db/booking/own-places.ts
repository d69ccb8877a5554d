import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

// A consumer who has asked to move has two places: the booking and the request that would replace it. Links
// lead to either.

/**
 * The ids of both Participations, whichever of them the uuid (or `any` of several) names; only one id if
 * there is no second place.
 */
export const ownPlaces = (uuid: Sql): Sql => sql`
  select id from participation where uuid = ${uuid}
  union all
  select request.id from participation as booking join participation as request on request.replaces = booking.id
  where booking.uuid = ${uuid} and request.state = 'REQUESTED'
  union all
  select replaces from participation where uuid = ${uuid} and state = 'REQUESTED' and replaces is not null
`

/** Those that are still active. */
export const findOwnPlaces = (tx: Queryable, uuid: string) =>
  tx.column<number>(sql`
    select id from participation
    where id = any (array (${ownPlaces(sql`${uuid}::uuid`)})) and state in ('BOOKED', 'REQUESTED')
  `)

export type CurrentPlace = {
  /** The place that a move changes: the pending request to move, else the booking. */
  uuid: string
  /** The booking that stays until the request is answered. */
  keptUuid: string | null
}

export const findCurrentPlace = (tx: Queryable, uuid: string) =>
  tx.first<CurrentPlace>(sql`
    select coalesce(request.uuid, own.uuid) as uuid,
      case when request.id is not null then own.uuid else kept.uuid end as kept_uuid
    from participation as own
    left join lateral (
      select * from participation where replaces = own.id and state = 'REQUESTED' order by id desc limit 1
    ) as request on true
    left join lateral (
      select * from participation where id = own.replaces and own.state = 'REQUESTED' and state = 'BOOKED' offset 0
    ) as kept on true
    where own.uuid = ${uuid}
  `)
