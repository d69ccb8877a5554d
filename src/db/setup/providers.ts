import sql, { type Sql } from 'sql-template-tag'
import type { FieldsOf, WholeOf } from '../../entities/entity.ts'
import { provider } from '../../entities/provider.ts'
import type { Language } from '../../languages.ts'
import { assignments, columnsOf, insertion } from '../base/columns.ts'
import { beginningsOf } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

export type ProviderRow = WholeOf<typeof provider>
export type ProviderFields = FieldsOf<typeof provider>

const { offerMinutes, quietFrom, quietUntil } = provider.empty

/** How the waiting list makes offers. */
const waitingRule = sql`
  coalesce((select offer_minutes from waiting_rule where provider_id = provider.id), ${offerMinutes}::integer) as offer_minutes,
  coalesce((select quiet_from from waiting_rule where provider_id = provider.id), ${quietFrom}::text) as quiet_from,
  coalesce((select quiet_until from waiting_rule where provider_id = provider.id), ${quietUntil}::text) as quiet_until
`
const columns = sql`${columnsOf(provider)}, ${waitingRule}`

export const findProvider = (db: Queryable, crmId: number, reference: string) =>
  db.first<ProviderRow>(
    sql`select ${columns} from provider where crm_id = ${crmId} and reference = ${reference} and deleted_at is null`,
  )

/** In order of creation. */
export const listProvidersOfCrm = (
  db: Queryable,
  crmId: number,
  { after, limit }: { after: number[] | null; limit: number | null },
) =>
  db.query<ProviderRow>(sql`
    select ${columns} from (select * from provider where crm_id = ${crmId} and deleted_at is null offset 0) as provider
    where id > ${after?.[0] ?? 0} order by id limit ${limit}
  `)

/** Returns false if the reference exists; nothing is overwritten. */
export const insertProvider = (
  tx: Queryable,
  to: { crmId: number; ownerId: number; accountId: number; timeZone: string; language: Language },
  fields: Omit<ProviderFields, 'branch'>,
) =>
  tx.value<number | null>(sql`
    insert into provider ${insertion(provider, fields, to)}
    on conflict on constraint provider_reference do nothing
    returning id
  `)

export const findProviderByUuid = (db: Queryable, uuid: string) =>
  db.first<ProviderRow>(sql`select ${columns} from provider where uuid = ${uuid} and deleted_at is null`)

export const findProviderById = (db: Queryable, id: number) =>
  db.first<ProviderRow>(sql`select ${columns} from provider where id = ${id}`)

/** That of an installation with a single business, if anyone may book there. */
export const findOnlyProvider = (db: Queryable) =>
  db.first<ProviderRow>(sql`
    select ${columns} from (
      select *, count(*) over () as count from (select * from provider where deleted_at is null limit 2) as first_two
    ) as provider
    where count = 1 and exists (
      select from resource where provider_id = provider.id and deleted_at is null and not archived and exists (
        select from channel where resource_id = resource.id and key in ('RESOURCE_PUBLIC', 'CALENDAR_PUBLIC') and visible
      )
    )
  `)

export const listProviders = (db: Queryable, ids: number[] | null) =>
  db.query<ProviderRow>(sql`
    select ${columns} from provider where (${ids}::bigint[] is null or id = any (${ids})) and deleted_at is null
    order by name, id limit 1000
  `)

export const providerIdsOfCrm = (db: Queryable, crmId: number) =>
  db.column<number>(sql`select id from provider where crm_id = ${crmId} and deleted_at is null`)

/** Does not block transactions that only refer to it: they may hold a Resource that this one locks next. */
export const lockProvider = (tx: Queryable, id: number) =>
  tx.one<ProviderRow>(sql`select ${columns} from provider where id = ${id} for no key update`)

export async function updateProvider(tx: Queryable, row: ProviderRow): Promise<ProviderRow> {
  await tx.query(sql`
    insert into waiting_rule (provider_id, offer_minutes, quiet_from, quiet_until)
    values (${row.id}, ${row.offerMinutes}, ${row.quietFrom}, ${row.quietUntil})
    on conflict (provider_id) do update set offer_minutes = excluded.offer_minutes, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until
  `)
  await tx.query(sql`update provider set ${assignments(provider, row)} where id = ${row.id}`)
  // Read afterwards, because a trigger sets the time of the change.
  return (await findProviderById(tx, row.id))!
}

/**
 * Whether the slug leads elsewhere: to another Provider, now or formerly, or to a Provider or Resource with this
 * reference.
 */
export async function isSlugUsed(tx: Queryable, providerId: number, slug: string): Promise<boolean> {
  // Otherwise it leads to this Provider already.
  const isNew = sql`not exists (
    select from provider as own where own.id = ${providerId} and own.former_slugs @> array[${slug}::text]
  )`
  return tx.any(sql`
    (select 1 as used from provider where slug = ${slug} and id <> ${providerId} and deleted_at is null limit 1)
    union all
    (select 1 from provider where former_slugs @> array[${slug}::text] and id <> ${providerId} and deleted_at is null limit 1)
    union all
    (select 1 from provider where reference = ${slug} and id <> ${providerId} and deleted_at is null and ${isNew} limit 1)
    union all
    -- Written so that no partial index matches: uncounted, the planner would read all of one.
    (select 1 from resource where reference = ${slug} and coalesce(deleted_at, 'infinity') = 'infinity' and ${isNew} limit 1)
  `)
}

/** Other Providers cannot take them. */
const maxFormerSlugs = 20

/** The former slug is kept. */
export async function setSlug(tx: Queryable, id: number, slug: string | null) {
  await tx.query(sql`
    update provider set slug = ${slug}, former_slugs = former[cardinality(former) - ${maxFormerSlugs - 1}:], updated_at = app_clock()
    from (
      select array_remove(array_remove(former_slugs, slug), ${slug}) || array_remove(array[slug], null) as former
      from provider where id = ${id}
    ) as kept
    where id = ${id}
  `)
}

/** Includes deleted Providers. */
export const providersById = (db: Queryable, ids: number[]) =>
  db.query<ProviderRow & { deletedAt: number | null }>(sql`
    select ${columns}, coalesce(former_reference, reference) as reference, deleted_at
    from provider where id = any (${ids}::bigint[])
  `)

/** What must be removed before the Provider. */
export async function usesOfProvider(tx: Queryable, id: number): Promise<string[]> {
  const resources = await tx.column<string>(
    sql`select reference from resource where provider_id = ${id} and deleted_at is null order by id`,
  )
  const count = await tx.value<number>(
    sql`select count(*)::integer as count from customer where provider_id = ${id} and erased_at is null`,
  )
  return [
    ...resources.map(reference => `Resource ${reference}`),
    ...(count > 0 ? [count === 1 ? '1 Customer' : `${count} Customers`] : []),
  ]
}

/** Waits for all that refer to it, and makes later ones wait. */
export const lockProviderForDeletion = (tx: Queryable, id: number) =>
  tx.any(sql`select 1 as done from provider where id = ${id} and deleted_at is null for update`)

/** The row stays for its history. No request can contain the new reference, so the former one is free, as are its slugs. */
export async function markProviderDeleted(tx: Queryable, id: number) {
  await tx.query(sql`delete from calendar_feed where provider_id = ${id}`)
  await tx.query(sql`
    update provider set deleted_at = app_now(), former_reference = reference, reference = chr(31) || uuid, account_id = null,
      slug = null, former_slugs = '{}'
    where id = ${id}
  `)
}

export async function setOwner(tx: Queryable, id: number, userId: number) {
  await tx.query(sql`update provider set owner_id = ${userId} where id = ${id}`)
}

export type MyProvider = {
  id: number
  uuid: string
  reference: string
  name: string
  crm: string
  timeZone: string
  language: Language
  isSuspended: boolean
}

const maxShown = 1000
const maxFound = 50

const mine = sql`
  select provider.id, provider.uuid, provider.reference, provider.name, crm.name as crm,
    provider.time_zone, provider.language, coalesce(suspended_until > clock_timestamp(), false) as is_suspended
`

/** For the Provider switch in the console; operators see the first thousand by name and search for others. */
export async function listMyProviders(
  db: Queryable,
  ids: number[] | null,
  search: string | null = null,
): Promise<MyProvider[]> {
  const words = beginningsOf(search ?? '')
  const whose = ids === null ? sql`true` : sql`id = any (${ids}::bigint[])`
  const source = words
    ? foundProviders(words, whose)
    : sql`select * from provider where ${whose} order by name, id limit ${maxShown}`
  return db.query<MyProvider>(sql`
    ${mine} from (${source}) as provider join crm on crm.id = provider.crm_id where provider.deleted_at is null
    order by provider.name, provider.id limit ${words ? maxFound : maxShown}
  `)
}

/** By words of their name and reference, or of their CRM's name. */
const foundProviders = (words: string, whose: Sql) => sql`
  select * from provider where id = any (array (
    (select id from provider where name_words(name || ' ' || reference) @@ ${words}::tsquery and ${whose}
    order by name, id limit ${maxFound})
    union
    select provider.id from (
      select id from crm where name_words(name) @@ ${words}::tsquery order by name limit ${maxFound}
    ) as crm
    cross join lateral (
      select id from provider where crm_id = crm.id and ${whose} order by reference limit ${maxFound}
    ) as provider
  )) offset 0
`

/** Null if there is none, or it is not one of `ids`. */
export async function findMyProvider(
  db: Queryable,
  ids: number[] | null,
  uuid: string,
): Promise<MyProvider | null> {
  const rows = await db.query<MyProvider>(sql`
    ${mine} from provider join crm on crm.id = provider.crm_id
    where provider.uuid = ${uuid} and deleted_at is null
  `)
  return rows.find(row => ids === null || ids.includes(row.id)) ?? null
}

type Logo = { type: string; bytes: Buffer }

/** Each new image gets a new uuid, so that caches never show the old one for it. */
export const putLogo = (tx: Queryable, providerId: number, { type, bytes }: Logo) =>
  tx.value<string>(sql`
    insert into logo (provider_id, type, bytes) values (${providerId}, ${type}, ${bytes})
    on conflict (provider_id) do update
    set uuid = case when logo.bytes = excluded.bytes then logo.uuid else gen_random_uuid() end, type = excluded.type, bytes = excluded.bytes
    returning uuid
  `)

export const findLogo = (db: Queryable, uuid: string) =>
  db.first<Logo>(sql`select type, bytes from logo where uuid = ${uuid}`)

export async function deleteLogo(tx: Queryable, providerId: number) {
  await tx.query(sql`delete from logo where provider_id = ${providerId}`)
}
