import sql, { type Sql } from 'sql-template-tag'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { hasAny } from '../base/has-any.ts'
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
export async function findOwnPlaces(tx: Queryable, uuid: string): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select id from participation
    where id = any (array (${ownPlaces(sql`${uuid}::uuid`)})) and state in ('BOOKED', 'REQUESTED')
  `)
  return rows.map(row => row.id)
}

export type CurrentPlace = {
  /** The place that a move changes: the pending request to move, else the booking. */
  uuid: string
  /** The booking that stays until the request is answered. */
  keptUuid: string | null
}

export async function findCurrentPlace(tx: Queryable, uuid: string): Promise<CurrentPlace | null> {
  const rows = await tx.query<CurrentPlace>(sql`
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
  return rows[0] ?? null
}

export type PlainBooking = {
  uuid: string
  participationId: number
  appointmentId: number
  resourceId: number
  startAt: number
  endAt: number
  channelKey: ChannelKey | null
}

const requests = sql`
  select from participation as request where request.replaces = participation.id and request.state = 'REQUESTED'
`

/** Booked places that never were part of a request to move, by uuid. */
export async function findPlainBookings(tx: Queryable, uuids: string[]): Promise<Map<string, PlainBooking>> {
  const rows = await tx.query<PlainBooking>(sql`
    select participation.uuid, participation.id as participation_id, appointment_id, resource_id, start_at, end_at, channel_key
    from (
      select * from participation
      where uuid = any (${uuids}::uuid[]) and state = 'BOOKED' and replaces is null and not ${hasAny(requests)}
      offset 0
    ) as participation
    cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
  `)
  return new Map(rows.map(row => [row.uuid, row]))
}
