import sql from 'sql-template-tag'
import { allNamed } from '../../lib/objects.ts'
import { orderedReference } from '../../lib/ordered-reference.ts'
import { blockedByPlacement, type Placement } from '../../rules/offers/slots.ts'
import { jsonRows } from '../base/json.ts'
import { insertHoldEvents, isAnnounced } from '../base/ledger.ts'
import type { Queryable } from '../base/pool.ts'
import { insertedAppointments, joinClaims, newAppointment } from './consumer-appointments.ts'
import type { ResourceWindow } from './windows.ts'

// Creates, releases and counts holds.

export type NewHold = {
  loaded: ResourceWindow
  placement: Placement
  appointmentUuid: string
  uuid: string
  placeholder: string
  client: string | null
  /** How often the same client has renewed it. */
  renewals: number
  /** The Participation that will move here; only that move can use the hold. */
  replaces: number | null
  /** All places of the person who moves; they do not conflict with this hold. */
  beside: number[]
}

type Written = { expiresAt: number; address: unknown }

/** Inserts the holds and, for free slots, their Appointments. Several holds may share one. */
export async function insertHolds(
  tx: Queryable,
  holds: NewHold[],
  holdSeconds: number,
): Promise<Map<string, Written>> {
  // Subqueries instead of joins: the planner overestimates the number of rows and would read whole tables.
  const inserting = sql`
    with ${insertedAppointments(newAppointments(holds))}, held as (
      insert into participation (provider_id, appointment_id, uuid, reference, state, expires_at, placeholder,
        channel_key, client, renewals, replaces, places)
      select provider_id, coalesce(appointment_id, (select id from made where uuid = appointment_uuid)), uuid,
        reference, 'RESERVED',
        date_trunc('milliseconds', app_clock() + make_interval(secs => ${holdSeconds})), placeholder, channel_key, client,
        renewals, replaces, places
      from jsonb_to_recordset(${jsonRows(holds.map(asRow))}::jsonb) as wanted (uuid uuid, reference text, placeholder uuid, client text, renewals smallint,
        channel_key text, provider_id bigint, appointment_id bigint, appointment_uuid uuid, replaces bigint, places smallint)
      returning uuid, appointment_id, expires_at
    )
    select uuid, expires_at, case
        when exists (select from made where id = appointment_id)
        then (select address from made where id = appointment_id)
        else (select address from appointment where id = appointment_id)
      end as address
    from held
  `
  const joining = holds
    .filter(one => one.beside.length > 1)
    .map(one => joinClaims(tx, one.loaded, blockedByPlacement(one.placement), one.beside))
  const [rows] = await Promise.all([tx.query<Written & { uuid: string }>(inserting), ...joining])
  return new Map(rows.map(row => [row.uuid, row]))
}

/** An Appointment that another hold of this batch creates has no id yet, only a uuid. */
const asRow = ({ loaded, placement, ...hold }: NewHold) => ({
  appointmentId: placement.kind === 'join' ? placement.appointment.id : null,
  uuid: hold.uuid,
  reference: orderedReference(),
  placeholder: hold.placeholder,
  client: hold.client,
  renewals: hold.renewals,
  channelKey: loaded.channel.key,
  providerId: loaded.provider.id,
  appointmentUuid: hold.appointmentUuid,
  replaces: hold.replaces,
  places: placement.places,
})

function newAppointments(holds: NewHold[]) {
  return holds.flatMap(({ loaded, placement, appointmentUuid, beside }) =>
    placement.kind === 'join' ? [] : [newAppointment(loaded, placement, appointmentUuid, beside)],
  )
}

/**
 * Releases holds. Completed bookings stay, and so do Appointments that a booking is about to join (`joinedIds`).
 */
export async function releaseHolds(tx: Queryable, placeholders: (string | null)[], joinedIds: number[] = []) {
  const some = placeholders.filter(one => one !== null)
  if (some.length === 0) return
  await tx.query(sql`
    with released as (
      delete from participation where placeholder = any (${some}::uuid[]) and state = 'RESERVED'
      returning id, appointment_id, provider_id, ${isAnnounced} as is_announced
    ), others as (
      select appointment_id, bool_or(takes_place(state, expires_at, app_clock())) as live
      from participation
      where appointment_id in (select appointment_id from released) and id not in (select id from released)
        and (state <> 'RESERVED' or expires_at > app_clock())
      group by appointment_id
    ), left_behind as (
      update appointment set
        deleted_at = case when others.appointment_id is null then app_clock() end,
        -- Released, not expired: requests with its uuid are refused as gone.
        state = case when others.live then state else 'CANCELLED' end
      from (select distinct appointment_id from released) as released left join others using (appointment_id)
      where appointment.id = released.appointment_id and origin = 'consumer' and state = 'ACTIVE'
        and appointment.id <> all (${joinedIds}::bigint[])
      returning id, provider_id, state, deleted_at
    )
    ${insertHoldEvents(sql`(
      select id, provider_id, 'appointment.cancelled' as kind from left_behind
      where state = 'CANCELLED' and deleted_at is null
      union all
      select distinct appointment_id, provider_id,
        case when appointment_id in (select id from left_behind where deleted_at is not null)
          then 'appointment.deleted' else 'appointment.changed' end
      from released where is_announced and appointment_id not in (
        select id from left_behind where state = 'CANCELLED' and deleted_at is null
      )
    ) as ended`)}
  `)
}

/** The Resource to lock before the hold is released. */
export async function resourceOfHold(tx: Queryable, placeholder: string): Promise<number | null> {
  const rows = await tx.query<{ resourceId: number }>(sql`
    select resource_id from participation join appointment on appointment.id = appointment_id
    where placeholder = ${placeholder}::uuid and participation.state = 'RESERVED'
  `)
  return rows[0]?.resourceId ?? null
}

export type LiveHold = {
  client: string
  placeholder: string
  resourceId: number
  startAt: number
  renewals: number
}

/**
 * Live holds of these clients. Concurrent requests of one client, for any Resource, are counted one after the
 * other.
 */
export async function findHoldsOf(tx: Queryable, clients: string[]): Promise<LiveHold[]> {
  if (clients.length === 0) return []
  const { holds } = await allNamed({
    locked: tx.query(sql`
      select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended(client, 0) as key from unnest(${clients}::text[]) client order by key) keys
    `),
    holds: tx.query<LiveHold>(sql`
      select hold.client, hold.placeholder, resource_id, start_at, hold.renewals
      from (
        select * from participation
        where client = any (${clients}::text[]) and state = 'RESERVED' and expires_at > app_clock() offset 0
      ) as hold
      cross join lateral (select * from appointment where id = hold.appointment_id offset 0) as appointment
    `),
  })
  return holds
}
