import sql from 'sql-template-tag'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import type { Wish } from '../../rules/waiting/wish.ts'
import { suspendedProviders } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import { emptied } from '../mails.ts'

export const waitingStates = ['UNCONFIRMED', 'WAITING', 'OFFERED', 'BOOKED', 'LEFT', 'ENDED'] as const
export type WaitingState = (typeof waitingStates)[number]
export type EndReason = 'over' | 'unanswered' | 'left' | 'staff'

export type NewEntry = Wish & {
  customerId: number
  channelKey: ChannelKey
  note: string | null
  /** How many places; default 1. A Participation that it replaces keeps its own number. */
  places?: number | null
  /** The Participation that an offer would replace. */
  replaces: number | null
  state: 'UNCONFIRMED' | 'WAITING'
  language: string | null
  locale: string | null
  timeZone: string | null
  /** Equal for equal wishes. */
  wish: string
}

type OfferOutcome = 'TAKEN' | 'DECLINED' | 'LAPSED' | 'WITHDRAWN'

type OfferRecord = {
  uuid: string
  resourceReference: string
  resourceName: string
  startAt: number
  endAt: number
  madeAt: number
  expiresAt: number
  byHand: boolean
  outcome: OfferOutcome | null
  endedAt: number | null
}

/** An entry with everything that the API, the pages and the emails show of it. */
export type EntryRecord = Wish & {
  id: number
  uuid: string
  providerId: number
  customerId: number
  customerUuid: string
  customerReference: string
  customerName: string
  customerEmail: string | null
  productUuid: string
  productReference: string
  productName: string
  /** Null for any. */
  resources: { uuid: string; reference: string; name: string }[] | null
  channelKey: ChannelKey
  note: string | null
  priority: number
  priorityReason: string | null
  places: number
  replaces: number | null
  replacesReference: string | null
  replacesStart: number | null
  state: WaitingState
  endedBecause: EndReason | null
  unanswered: number
  language: string | null
  locale: string | null
  entryZone: string | null
  since: number
  createdAt: number
  endedAt: number | null
  offers: OfferRecord[]
}

/** A booking that would move keeps its places, however many it has by then. */
export const placesOfEntry = sql`
  coalesce((select places from participation where participation.id = entry.replaces), entry.places)
`

const record = sql`
  select entry.id, entry.uuid, entry.provider_id, customer_id, product_id, resource_ids, channel_key,
    from_date::text as from_date, to_date::text as to_date, weekdays, from_minute, to_minute, entry.note, priority, ${placesOfEntry} as places,
    priority_reason, entry.replaces, entry.state, ended_because, unanswered, entry.language, entry.locale,
    entry.time_zone as entry_zone, since, entry.created_at, entry.ended_at,
    customer.uuid as customer_uuid, customer.reference as customer_reference, customer.name as customer_name,
    customer.email as customer_email,
    product.uuid as product_uuid, product.reference as product_reference, product.name as product_name,
    (
      select participation.reference from participation where participation.id = entry.replaces
    ) as replaces_reference,
    (
      select start_at from participation join appointment on appointment.id = appointment_id
      where participation.id = entry.replaces
    ) as replaces_start,
    case when resource_ids is not null then (
      select coalesce(json_agg(json_build_object('uuid', uuid, 'reference', reference, 'name', public_name) order by resource.id), '[]')
      from resource where resource.id = any (resource_ids)
    ) end as resources,
    (
      select coalesce(json_agg(json_build_object('uuid', offer.uuid, 'resourceReference', resource.reference,
        'resourceName', public_name, 'startAt', (date_part('epoch', start_at) * 1000)::bigint,
        'endAt', (date_part('epoch', end_at) * 1000)::bigint, 'madeAt', floor(date_part('epoch', made_at) * 1000)::bigint,
        'expiresAt', (date_part('epoch', expires_at) * 1000)::bigint, 'byHand', by_hand, 'outcome', outcome,
        'endedAt', floor(date_part('epoch', offer.ended_at) * 1000)::bigint) order by offer.id), '[]')
      from waiting_offer as offer join resource on resource.id = offer.resource_id where entry_id = entry.id
    ) as offers
  from waiting_entry as entry
  join customer on customer.id = entry.customer_id
  join product on product.id = entry.product_id
`

/** Null if this person already waits for the same. */
export const insertEntry = (tx: Queryable, providerId: number, entry: NewEntry) =>
  tx.value<number | null>(sql`
    insert into waiting_entry (provider_id, customer_id, product_id, resource_ids, channel_key, from_date, to_date, weekdays,
      from_minute, to_minute, note, places, replaces, wish, state, language, locale, time_zone)
    values (${providerId}, ${entry.customerId}, ${entry.productId}, ${entry.resourceIds}::bigint[], ${entry.channelKey},
      ${entry.fromDate}::date, ${entry.toDate}::date, ${entry.weekdays}, ${entry.fromMinute}, ${entry.toMinute}, ${entry.note},
      ${entry.places ?? 1}, ${entry.replaces}, ${entry.wish}, ${entry.state}, ${entry.language}, ${entry.locale}, ${entry.timeZone})
    on conflict (provider_id, customer_id, wish) where state in ('WAITING', 'OFFERED') do nothing
    returning id
  `)

export const entryWithWish = (tx: Queryable, providerId: number, customerId: number, wish: string) =>
  tx.first<EntryRecord>(sql`
    ${record} where entry.provider_id = ${providerId} and entry.customer_id = ${customerId} and wish = ${wish}
      and entry.state in ('WAITING', 'OFFERED')
  `)

export const entriesById = (db: Queryable, ids: number[]) =>
  db.query<EntryRecord>(sql`${record} where entry.id = any (${ids}::bigint[]) order by entry.id`)

export const findEntry = (db: Queryable, uuid: string) =>
  db.first<EntryRecord>(sql`${record} where entry.uuid = ${uuid}`)

/** Locks the entry against offers and other changes. */
export async function lockEntry(tx: Queryable, uuid: string): Promise<EntryRecord | null> {
  const locked = await tx.query(sql`select from waiting_entry where uuid = ${uuid} for no key update`)
  return locked.length > 0 ? findEntry(tx, uuid) : null
}

type EntryFilter = {
  providerId: number
  states: readonly WaitingState[] | null
  customerReference: string | null
  /** Entries after this id. */
  after: number
  limit: number
}

/** Those that may be offered something come first, in the order in which they are. */
export async function listEntries(db: Queryable, filter: EntryFilter): Promise<EntryRecord[]> {
  const { providerId, states, customerReference, after, limit } = filter
  return db.query<EntryRecord>(sql`
    ${record} where entry.provider_id = ${providerId} and entry.id > ${after}
      and (${states}::text[] is null or entry.state = any (${states}::text[]))
      and (${customerReference}::text is null or customer.reference = ${customerReference})
    order by entry.id limit ${limit}
  `)
}

/** All open entries, the next one first; `only` those who ask for one of these Resources. */
export const listLine = (db: Queryable, providerId: number, limit: number, only: string[] | null) =>
  db.query<EntryRecord>(sql`
    ${record} where entry.provider_id = ${providerId} and entry.state in ('UNCONFIRMED', 'WAITING', 'OFFERED')
      and (${only}::uuid[] is null or entry.resource_ids && array(select id from resource where uuid = any (${only}::uuid[])))
    order by entry.state = 'UNCONFIRMED', priority desc, since, entry.id limit ${limit}
  `)

export const entriesOfCustomer = (db: Queryable, customerId: number) =>
  db.query<EntryRecord>(sql`${record} where entry.customer_id = ${customerId} order by entry.id`)

/** Whether the person waits for one of these Resources by name. */
export const waitsAt = (db: Queryable, customerId: number, resources: string[]) =>
  db.any(sql`
    select from waiting_entry where customer_id = ${customerId} and state in ('WAITING', 'OFFERED')
      and resource_ids && array(select id from resource where uuid = any (${resources}::uuid[])) limit 1
  `)

/** How many wishes one person has at the Provider; unconfirmed ones do not count. */
export const countOpen = (tx: Queryable, providerId: number, customerId: number) =>
  tx.value<number>(sql`
    select count(*)::int as count from waiting_entry where customer_id = ${customerId} and provider_id = ${providerId}
      and state in ('WAITING', 'OFFERED')
  `)

type Change = Wish & { note: string | null; priority: number; priorityReason: string | null; wish: string }

export async function updateEntry(tx: Queryable, id: number, change: Change) {
  await tx.query(sql`
    update waiting_entry set product_id = ${change.productId}, resource_ids = ${change.resourceIds}::bigint[],
      from_date = ${change.fromDate}::date, to_date = ${change.toDate}::date, weekdays = ${change.weekdays},
      from_minute = ${change.fromMinute}, to_minute = ${change.toMinute}, note = ${change.note},
      priority = ${change.priority}, priority_reason = ${change.priorityReason}, wish = ${change.wish}
    where id = ${id}
  `)
}

export async function setEntryState(
  tx: Queryable,
  ids: number[],
  state: WaitingState,
  because: EndReason | null = null,
) {
  const isEnd = state === 'BOOKED' || state === 'LEFT' || state === 'ENDED'
  await tx.query(sql`
    update waiting_entry set state = ${state}, ended_because = ${because},
      ended_at = ${isEnd ? sql`app_clock()` : sql`null`}
    where id = any (${ids}::bigint[])
  `)
}

/** The line starts where the address was confirmed. */
export const confirmEntry = (tx: Queryable, id: number) =>
  tx.any(sql`
    update waiting_entry set state = 'WAITING', since = app_clock() where id = ${id} and state = 'UNCONFIRMED' returning id
  `)

/** Entries whose period is over at their Provider. */
export const findOverEntries = (tx: Queryable, limit: number) =>
  tx.query<{ id: number; providerId: number; state: WaitingState; replaces: number | null }>(sql`
    select entry.id, entry.provider_id, entry.state, entry.replaces from waiting_entry as entry join provider on provider.id = provider_id
    where entry.state in ('UNCONFIRMED', 'WAITING') and entry.to_date < (app_now() + interval '1 day')::date
      and entry.provider_id <> all (${suspendedProviders})
      and entry.to_date < (app_now() at time zone provider.time_zone)::date
    order by entry.to_date limit ${limit}
    for no key update of entry skip locked
  `)

const isStale = sql`
  state = 'UNCONFIRMED' and created_at < app_now() - interval '2 days' and provider_id <> all (${suspendedProviders})
`

/**
 * Customers who came with an entry that was not confirmed in two days, and have nothing else. All of them, or
 * whether this one is.
 */
export const listUnconfirmedCustomers = (db: Queryable, limit: number, id: number | null = null) =>
  db.query<{ providerId: number; reference: string }>(sql`
    select customer.provider_id, customer.reference
    from (select * from waiting_entry where ${isStale} order by created_at limit ${limit}) as entry
    cross join lateral (select * from customer where id = customer_id offset 0) as customer
    where customer.created_at = entry.created_at and not invited and erased_at is null
      and (${id}::bigint is null or customer.id = ${id})
      and not exists (select from participation where participation.customer_id = customer.id)
      and not exists (select from waiting_entry where waiting_entry.customer_id = customer.id and not (${isStale}))
  `)

export async function deleteUnconfirmed(tx: Queryable, limit: number) {
  await tx.query(sql`
    delete from waiting_entry where id = any (array (
      select id from waiting_entry where ${isStale} order by created_at limit ${limit}
    ))
  `)
}

/** How long an entry stays readable after it has ended. */
const keptDays = 90

/** Returns how many there were; a dry run deletes none. */
export async function deleteEnded(tx: Queryable, limit: number, dryRun: boolean): Promise<number> {
  const old = sql`
    select id from waiting_entry
    where ended_at < app_now() - make_interval(days => ${keptDays}) and provider_id <> all (${suspendedProviders})
  `
  const rows = await tx.query(
    dryRun
      ? old
      : sql`delete from waiting_entry where id = any (array (${old} order by ended_at limit ${limit})) returning id`,
  )
  return rows.length
}

export async function deleteEntry(tx: Queryable, id: number) {
  await tx.query(sql`delete from waiting_entry where id = ${id}`)
}

/** Removes everything that a person waits for. Their holds end like any other of theirs. */
export async function deleteEntriesOf(tx: Queryable, customerId: number) {
  await tx.query(sql`delete from waiting_entry where customer_id = ${customerId}`)
}

/** The emails that are about no Participation: those to confirm, and that an entry has ended. */
export async function eraseEntryMails(tx: Queryable, providerId: number, addresses: string[]) {
  await tx.query(sql`
    update mail set ${emptied}
    where lower(recipient) = any (${addresses.map(one => one.toLowerCase())}::text[]) and recipient is not null
      and provider_id = ${providerId} and kind in ('waiting-confirm', 'waiting-ended', 'proposal', 'my-link')
  `)
}
