import sql from 'sql-template-tag'
import { type ChannelKey, channelKeys } from '../../rules/offers/channels.ts'
import type { Span } from '../../rules/offers/window.ts'
import type { FreeSlot } from '../../rules/waiting/wish.ts'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { suspendedProviders } from '../base/suspended.ts'

// Who is next, and the offers that were made. Call with the Resource locked: an offer is a hold of its time.

/** A time that was given up: the blocked span, at a Resource that the caller has locked. */
export type FreedTime = Span & { resourceId: number }

/** The channels of those who wait. Empty at almost every Provider. */
export async function channelsWaitedFor(tx: Queryable, providerId: number): Promise<ChannelKey[]> {
  const rows = await tx.query<{ key: ChannelKey }>(sql`
    select key from unnest(${[...channelKeys]}::text[]) as key
    where (
      select true from waiting_entry where provider_id = ${providerId} and state = 'WAITING' and channel_key = key limit 1
    )
  `)
  return rows.map(row => row.key)
}

/** The places of these Appointments, if a person waits at their Provider: one look into an index. */
export async function freedByAppointments(
  tx: Queryable,
  appointmentIds: number[],
): Promise<{ providerId: number; freed: FreedTime[] }[]> {
  const rows = await tx.query<FreedTime & { providerId: number }>(sql`
    select provider_id, resource_id, blocked_from as "from", blocked_to as "to" from appointment
    where id = any (${appointmentIds}::bigint[]) and blocked_to > app_clock() and (
      select true from waiting_entry where provider_id = appointment.provider_id and state = 'WAITING' limit 1
    )
    order by resource_id, blocked_from
  `)
  return [...Map.groupBy(rows, row => row.providerId)].map(([providerId, freed]) => ({ providerId, freed }))
}

export type OfferedSlot = FreeSlot & { channelKey: ChannelKey; expiresAt: number; position: number }

export type NextInLine = {
  entryId: number
  customerId: number
  replaces: number | null
  name: string
  email: string | null
  mobile: string | null
  language: string | null
  locale: string | null
  entryZone: string | null
  position: number
}

/**
 * The first person in line who would take one of these times, and which. Locked; an entry that another
 * transaction holds is passed over, because it is being offered something or changed right now.
 */
export async function findNextInLine(
  tx: Queryable,
  providerId: number,
  slots: OfferedSlot[],
  passedOver: number[],
): Promise<NextInLine | null> {
  if (slots.length === 0) return null
  const dates = slots.map(one => one.date).sort()
  const rows = await tx.query<NextInLine>(sql`
    with slot as materialized (
      select * from jsonb_to_recordset(${jsonRows(slots.map(asRow))}::jsonb) as slot (position integer, product_id bigint,
        resource_id bigint, channel_key text, date date, weekday_bit smallint, from_minute integer, to_minute integer,
        start_at timestamptz)
    )
    select entry.id as entry_id, entry.customer_id, entry.replaces, customer.name, customer.email,
      case when 'mobile' = any (customer.unconfirmed) then null else customer.mobile end as mobile,
      coalesce(entry.language, customer.language) as language, entry.locale, entry.time_zone as entry_zone, slot.position
    from waiting_entry as entry
    cross join lateral (
      select position from slot
      where slot.product_id = entry.product_id and slot.channel_key = entry.channel_key
        and (entry.resource_ids is null or slot.resource_id = any (entry.resource_ids))
        and slot.date between entry.from_date and entry.to_date and slot.weekday_bit & entry.weekdays <> 0
        and slot.from_minute >= entry.from_minute and slot.to_minute <= entry.to_minute
        and not exists (
          select from waiting_offer
          where entry_id = entry.id and resource_id = slot.resource_id and waiting_offer.start_at = slot.start_at
        )
        and (entry.replaces is null or slot.start_at < (
          select appointment.start_at from participation join appointment on appointment.id = appointment_id
          where participation.id = entry.replaces and participation.state = 'BOOKED'
        ))
      order by slot.start_at, position limit 1
    ) as slot
    cross join lateral (
      select * from customer where id = entry.customer_id and email is not null and not (
        select count(*) > 0 from waiting_offer
        where provider_id = entry.provider_id and waiting_offer.customer_id = entry.customer_id and outcome is null
      ) offset 0
    ) as customer
    where entry.provider_id = ${providerId} and entry.state = 'WAITING' and entry.id <> all (${passedOver}::bigint[])
      and entry.product_id = any (${[...new Set(slots.map(one => one.productId))]}::bigint[])
      and entry.to_date >= ${dates[0]}::date and entry.from_date <= ${dates.at(-1)}::date
    order by priority desc, since, entry.id limit 1
    for no key update of entry skip locked
  `)
  return rows[0] ?? null
}

const asRow = ({ start, end: _end, expiresAt: _expiresAt, ...slot }: OfferedSlot) => ({
  ...slot,
  startAt: new Date(start).toISOString(),
})

type NewOffer = {
  entryId: number
  customerId: number
  placeholder: string
  resourceId: number
  start: number
  end: number
  expiresAt: number
  byHand: boolean
}

/**
 * Null if another transaction has just made this person an offer: it waits for that one to end. The unique
 * indexes decide, so there is never a second live offer.
 */
export async function insertOffer(
  tx: Queryable,
  providerId: number,
  offer: NewOffer,
): Promise<{ id: number; uuid: string } | null> {
  const rows = await tx.query<{ id: number; uuid: string }>(sql`
    with made as (
      insert into waiting_offer (provider_id, entry_id, customer_id, placeholder, resource_id, start_at, end_at, expires_at, by_hand)
      values (${providerId}, ${offer.entryId}, ${offer.customerId}, ${offer.placeholder}, ${offer.resourceId},
        ${new Date(offer.start)}, ${new Date(offer.end)}, ${new Date(offer.expiresAt)}, ${offer.byHand})
      on conflict do nothing returning id, uuid, entry_id
    ), offered as (
      update waiting_entry set state = 'OFFERED' where id in (select entry_id from made)
    )
    select id, uuid from made
  `)
  return rows[0] ?? null
}

export type LiveOffer = {
  id: number
  uuid: string
  providerId: number
  crmId: number
  entryId: number
  entryUuid: string
  entryState: string
  channelKey: ChannelKey
  customerReference: string
  replacesUuid: string | null
  note: string | null
  placeholder: string
  resourceId: number
  resourceUuid: string
  startAt: number
  endAt: number
  expiresAt: number
  outcome: string | null
  isLive: boolean
  isDue: boolean
  /** The hold, while it is there. */
  participationId: number | null
  appointmentId: number | null
  appointmentUuid: string | null
  participationState: string | null
  language: string | null
  locale: string | null
  entryZone: string | null
}

const offers = sql`
  select offer.id, offer.uuid, offer.provider_id, provider.crm_id, offer.entry_id, entry.uuid as entry_uuid, entry.state as entry_state,
    entry.channel_key, customer.reference as customer_reference, entry.note, offer.placeholder, offer.resource_id,
    resource.uuid as resource_uuid, offer.start_at, offer.end_at, offer.expires_at, offer.outcome,
    offer.outcome is null and offer.expires_at > app_clock() and participation.state = 'RESERVED' as is_live,
    offer.expires_at <= app_clock() as is_due,
    participation.id as participation_id, participation.appointment_id, participation.state as participation_state,
    (select uuid from appointment where id = participation.appointment_id) as appointment_uuid,
    (select uuid from participation as kept where kept.id = entry.replaces) as replaces_uuid,
    entry.language, entry.locale, entry.time_zone as entry_zone
  from waiting_offer as offer
  join waiting_entry as entry on entry.id = offer.entry_id
  join customer on customer.id = offer.customer_id
  join provider on provider.id = offer.provider_id
  join resource on resource.id = offer.resource_id
  left join participation on participation.placeholder = offer.placeholder
`

export async function findOffer(db: Queryable, uuid: string): Promise<LiveOffer | null> {
  const rows = await db.query<LiveOffer>(sql`${offers} where offer.uuid = ${uuid}`)
  return rows[0] ?? null
}

/** The live offer of an entry, if it has one. */
export async function findLiveOffer(db: Queryable, entryId: number): Promise<LiveOffer | null> {
  const rows = await db.query<LiveOffer>(
    sql`${offers} where offer.entry_id = ${entryId} and offer.outcome is null`,
  )
  return rows[0] ?? null
}

export async function offersOfResource(tx: Queryable, resourceId: number): Promise<LiveOffer[]> {
  return tx.query<LiveOffer>(sql`
    ${offers} where offer.resource_id = ${resourceId} and offer.outcome is null
      and (offer.expires_at <= app_clock() or participation.state is distinct from 'RESERVED')
  `)
}

export async function endOffer(
  tx: Queryable,
  id: number,
  outcome: 'TAKEN' | 'DECLINED' | 'LAPSED' | 'WITHDRAWN',
): Promise<boolean> {
  const rows = await tx.query(sql`
    update waiting_offer set outcome = ${outcome}, ended_at = app_clock() where id = ${id} and outcome is null returning id
  `)
  return rows.length > 0
}

/** Waits again, or no longer: after three offers without an answer. Returns the new state. */
export async function returnToLine(
  tx: Queryable,
  entryId: number,
  { isUnanswered, most }: { isUnanswered: boolean; most: number },
): Promise<'WAITING' | 'ENDED' | null> {
  const count = sql`unanswered + ${isUnanswered ? 1 : 0}::smallint`
  const isLast = sql`${count} >= ${most}::integer`
  const rows = await tx.query<{ state: 'WAITING' | 'ENDED' }>(sql`
    update waiting_entry set unanswered = ${count}, state = case when ${isLast} then 'ENDED' else 'WAITING' end,
      ended_because = case when ${isLast} then 'unanswered' end, ended_at = case when ${isLast} then app_clock() end
    where id = ${entryId} and state = 'OFFERED' returning state
  `)
  return rows[0]?.state ?? null
}

/** Resources with offers that have lapsed, or whose hold is gone. */
export async function resourcesWithEndedOffers(db: Queryable, limit: number): Promise<number[]> {
  const rows = await db.query<{ resourceId: number }>(sql`
    select distinct resource_id from (
      select resource_id, expires_at, placeholder from waiting_offer
      where outcome is null and provider_id <> all (${suspendedProviders}) order by expires_at limit 10000
    ) as offer
    where expires_at <= app_clock()
      or coalesce((select state from participation where participation.placeholder = offer.placeholder), '') <> 'RESERVED'
    order by resource_id limit ${limit}
  `)
  return rows.map(row => row.resourceId)
}

/** How long ago a Resource may have been searched: time alone brings days within the horizon of a channel. */
const searchedAgainAfter = sql`interval '1 hour'`

/**
 * Resources that changed since they were last searched, at Providers where a person waits. Every change of
 * what a Resource can sell raises its revision, so no writer can be forgotten.
 */
export async function resourcesToSearch(
  db: Queryable,
  limit: number,
): Promise<{ resourceId: number; providerId: number }[]> {
  return db.query<{ resourceId: number; providerId: number }>(sql`
    with recursive waited_for as (
      (select provider_id from waiting_entry where state = 'WAITING' order by provider_id limit 1)
      union all
      select (
        select provider_id from waiting_entry
        where state = 'WAITING' and provider_id > waited_for.provider_id order by provider_id limit 1
      ) from waited_for where waited_for.provider_id is not null
    )
    select resource.id as resource_id, resource.provider_id
    from (select provider_id from waited_for where provider_id <> all (${suspendedProviders}) offset 0) as waited_for
    cross join lateral (
      select id, provider_id, revision from resource
      where resource.provider_id = waited_for.provider_id and deleted_at is null and not archived offset 0
    ) as resource
    left join lateral (select * from waiting_scan where resource_id = resource.id offset 0) as scan on true
    where scan.revision is distinct from resource.revision or scan.scanned_at < app_clock() - ${searchedAgainAfter}
    limit ${limit}
  `)
}

/** Locks without raising the revision; an offer raises it. False if the Resource was deleted. */
export async function lockForOffers(tx: Queryable, resourceId: number): Promise<boolean> {
  const rows = await tx.query(sql`
    select from resource where id = ${resourceId} and deleted_at is null for no key update
  `)
  return rows.length > 0
}

export async function recordSearch(db: Queryable, providerId: number, resourceId: number, revision: number) {
  await db.query(sql`
    insert into waiting_scan (provider_id, resource_id, revision) values (${providerId}, ${resourceId}, ${revision})
    on conflict (resource_id) do update set revision = excluded.revision, scanned_at = app_clock()
  `)
}

/** A new wish may fit what is free already: its Provider is searched again. */
export async function searchAgain(tx: Queryable, providerId: number) {
  await tx.query(sql`delete from waiting_scan where provider_id = ${providerId}`)
}

/** From now to the last day that a person waits for. */
export async function periodWaitedFor(tx: Queryable, providerId: number): Promise<Span | null> {
  const rows = await tx.query<{ from: number; to: number | null }>(sql`
    select app_clock() as "from", ((max(to_date) + 2)::timestamp at time zone 'UTC') as "to" from waiting_entry
    where provider_id = ${providerId} and state = 'WAITING'
  `)
  const [{ from, to }] = rows as [{ from: number; to: number | null }]
  return to === null ? null : { from, to }
}

export type OpenOffer = { startAt: number; endAt: number; expiresAt: number }

/** Times of a Resource that are held for the waiting list now. */
export const openOffersAt = (db: Queryable, resourceId: number, from: number, to: number) =>
  db.query<OpenOffer>(sql`
    select start_at, end_at, expires_at from waiting_offer
    where resource_id = ${resourceId} and outcome is null and expires_at > app_clock()
      and start_at < ${new Date(to)} and end_at > ${new Date(from)}
  `)

/** How many people would take each of these times; for the calendar of the staff. */
export async function countWaitingFor(
  db: Queryable,
  providerId: number,
  slots: FreeSlot[],
): Promise<number[]> {
  if (slots.length === 0) return []
  const rows = slots.map((slot, position) => ({
    ...slot,
    position,
    startAt: new Date(slot.start).toISOString(),
  }))
  const found = await db.query<{ position: number; count: number }>(sql`
    select position, (
      select count(distinct customer_id)::int from waiting_entry as entry
      where entry.provider_id = ${providerId} and entry.state = 'WAITING' and slot.product_id = entry.product_id
        and (entry.resource_ids is null or slot.resource_id = any (entry.resource_ids))
        and slot.date between entry.from_date and entry.to_date and slot.weekday_bit & entry.weekdays <> 0
        and slot.from_minute >= entry.from_minute and slot.to_minute <= entry.to_minute
    ) as count
    from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as slot (position integer, product_id bigint, resource_id bigint, date date,
      weekday_bit smallint, from_minute integer, to_minute integer)
    order by position
  `)
  return found.map(row => row.count)
}
