import sql from 'sql-template-tag'
import { type ChannelKey, channelKeys } from '../../rules/offers/channels.ts'
import type { Span } from '../../rules/offers/window.ts'
import { suspendedProviders } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

// The offers that were made. Call with the Resource locked: an offer is a hold of its time.

/** The channels of those who wait. Empty at almost every Provider. */
export const channelsWaitedFor = (tx: Queryable, providerId: number) =>
  tx.column<ChannelKey>(sql`
    select key from unnest(${[...channelKeys]}::text[]) as key
    where (
      select true from waiting_entry where provider_id = ${providerId} and state = 'WAITING' and channel_key = key limit 1
    )
  `)

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
export const insertOffer = (tx: Queryable, providerId: number, offer: NewOffer) =>
  tx.first<{ id: number; uuid: string }>(sql`
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

export type LiveOffer = {
  id: number
  uuid: string
  providerId: number
  crmId: number
  entryId: number
  entryUuid: string
  customerId: number
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
  /** The booking that it would replace is gone. */
  isPointless: boolean
  /** The hold, while it is there. */
  participationId: number | null
  appointmentUuid: string | null
  participationState: string | null
  language: string | null
  locale: string | null
  entryZone: string | null
}

const isPointless = sql`(
  entry.replaces is not null
  and coalesce((select state from participation as booking where booking.id = entry.replaces), '') <> 'BOOKED'
)`

const offers = sql`
  select offer.id, offer.uuid, offer.provider_id, provider.crm_id, offer.entry_id, entry.uuid as entry_uuid, offer.customer_id,
    entry.channel_key, customer.reference as customer_reference, entry.note, offer.placeholder, offer.resource_id,
    resource.uuid as resource_uuid, offer.start_at, offer.end_at, offer.expires_at, offer.outcome,
    offer.outcome is null and offer.expires_at > app_clock() and participation.state = 'RESERVED' as is_live,
    offer.expires_at <= app_clock() as is_due, ${isPointless} as is_pointless,
    participation.id as participation_id, participation.state as participation_state,
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

export const findOffer = (db: Queryable, uuid: string) =>
  db.first<LiveOffer>(sql`${offers} where offer.uuid = ${uuid}`)

/** The live offer of an entry, if it has one. */
export const findLiveOffer = (db: Queryable, entryId: number) =>
  db.first<LiveOffer>(sql`${offers} where offer.entry_id = ${entryId} and offer.outcome is null`)

export const offersOfResource = (tx: Queryable, resourceId: number) =>
  tx.query<LiveOffer>(sql`
    ${offers} where offer.resource_id = ${resourceId} and offer.outcome is null
      and (offer.expires_at <= app_clock() or participation.state is distinct from 'RESERVED' or ${isPointless})
  `)

/** Whether the email of this offer is still queued. Not found by the hold, which may be gone: a person has one offer at a time. */
export const waitsForEmail = (tx: Queryable, { providerId, customerId }: LiveOffer) =>
  tx.value<boolean>(sql`
    select coalesce((
      select state = 'queued' from mail
      where lower(recipient) = (select lower(email) from customer where id = ${customerId}) and recipient is not null
        and provider_id = ${providerId} and kind = 'offer'
      order by id desc limit 1
    ), false) as waits
  `)

export const endOffer = (tx: Queryable, id: number, outcome: 'TAKEN' | 'DECLINED' | 'LAPSED' | 'WITHDRAWN') =>
  tx.any(sql`
    update waiting_offer set outcome = ${outcome}, ended_at = app_clock() where id = ${id} and outcome is null returning id
  `)

/** Waits again, or no longer: after three offers without an answer. Returns the new state. */
export async function returnToLine(
  tx: Queryable,
  entryId: number,
  { isUnanswered, most }: { isUnanswered: boolean; most: number },
): Promise<'WAITING' | 'ENDED' | null> {
  const count = sql`unanswered + ${isUnanswered ? 1 : 0}::smallint`
  const isLast = sql`${count} >= ${most}::integer`
  return tx.value<'WAITING' | 'ENDED' | null>(sql`
    update waiting_entry set unanswered = ${count}, state = case when ${isLast} then 'ENDED' else 'WAITING' end,
      ended_because = case when ${isLast} then 'unanswered' end, ended_at = case when ${isLast} then app_clock() end
    where id = ${entryId} and state = 'OFFERED' returning state
  `)
}

/** Resources with offers that have lapsed, or whose hold or booking is gone. */
export const resourcesWithEndedOffers = (db: Queryable, limit: number) =>
  db.column<number>(sql`
    select distinct resource_id from (
      select resource_id, expires_at, placeholder, entry_id from waiting_offer
      where outcome is null and provider_id <> all (${suspendedProviders}) order by expires_at limit 10000
    ) as offer
    where expires_at <= app_clock()
      or coalesce((select state from participation where participation.placeholder = offer.placeholder), '') <> 'RESERVED'
      or (select ${isPointless} from waiting_entry as entry where id = offer.entry_id)
    order by resource_id limit ${limit}
  `)

/** How long ago a Resource may have been searched: time alone brings days within the horizon of a channel. */
const searchedAgainAfter = sql`interval '1 hour'`

/**
 * Resources that changed since they were last searched, at Providers where a person waits. Every change of
 * what a Resource can sell raises its revision, so no writer can be forgotten.
 */
export const resourcesToSearch = (db: Queryable, limit: number) =>
  db.query<{ resourceId: number; providerId: number }>(sql`
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

/** Locks without raising the revision; an offer raises it. False if the Resource was deleted. */
export const lockForOffers = (tx: Queryable, resourceId: number) =>
  tx.any(sql`
    select from resource where id = ${resourceId} and deleted_at is null for no key update
  `)

/**
 * A mark that no other transaction makes: below every revision, so that the Resource is to be searched until a search
 * that began with this mark has ended.
 */
const mark = sql`-(pg_current_xact_id()::text::bigint)`

/**
 * Call it before the list and its times are read, and `recordSearch` with the mark once nothing is left to offer.
 * Instances that search at the same time share the mark.
 */
export const startSearch = (db: Queryable, providerId: number, resourceId: number) =>
  db.one<{ mark: number }>(sql`
    insert into waiting_scan (provider_id, resource_id, revision) values (${providerId}, ${resourceId}, ${mark})
    on conflict (resource_id) do update
    set revision = case when waiting_scan.revision < 0 then waiting_scan.revision else excluded.revision end
    returning revision as mark
  `)

/** Nothing is recorded if a person began to wait during the search: it may have missed them. */
export async function recordSearch(db: Queryable, resourceId: number, mark: number, revision: number) {
  await db.query(sql`
    update waiting_scan set revision = ${revision}, scanned_at = app_clock()
    where resource_id = ${resourceId} and revision = ${mark}
  `)
}

/**
 * What these people wait for may be free already: call it when they begin to wait, and when their offer ends, since
 * who holds one gets no other. As late as possible in the transaction, since searches and others like it wait for it.
 */
export async function searchAgainFor(tx: Queryable, providerId: number, customerIds: number[]) {
  await tx.query(sql`
    insert into waiting_scan (provider_id, resource_id, revision)
    select provider_id, id, ${mark} from resource
    where provider_id = ${providerId} and deleted_at is null and (
      select true from waiting_entry
      where provider_id = ${providerId} and customer_id = any (${customerIds}::bigint[]) and state = 'WAITING'
        and (resource_ids is null or resource.id = any (resource_ids)) limit 1
    )
    order by id
    on conflict (resource_id) do update set revision = excluded.revision
  `)
}

/** From now to the last day that a person waits for. */
export async function periodWaitedFor(tx: Queryable, providerId: number): Promise<Span | null> {
  const { from, to } = await tx.one<{ from: number; to: number | null }>(sql`
    select app_clock() as "from", ((max(to_date) + 2)::timestamp at time zone 'UTC') as "to" from waiting_entry
    where provider_id = ${providerId} and state = 'WAITING'
  `)
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
