import sql, { type Sql } from 'sql-template-tag'
import type { FieldsOf, RowOf, WholeOf } from '../../entities/entity.ts'
import { resource } from '../../entities/resource.ts'
import { assignments, columnsOf, rowsOf, writtenColumns } from '../base/columns.ts'
import { hasAny } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import { isMissing, RestartTransaction } from '../base/postgres-errors.ts'
import { insertChannelsOfMade } from './channels.ts'

export type ResourceRow = RowOf<typeof resource>
export type ResourceFields = FieldsOf<typeof resource>

/** A Resource with the references shown in its record. */
export type ResourceRecord = WholeOf<typeof resource>

export type ResourceValues = Omit<ResourceRow, 'id' | 'uuid' | 'providerId' | 'updatedAt' | 'deletedAt'>

const columns = columnsOf(resource)

const record = sql`
  select ${columns}, app_user.reference as contact,
    (select reference from contact_profile where id = contact_profile_id) as contact_profile_reference,
    array(
      select product.reference from resource_product join product on product.id = product_id
      where resource_id = resource.id order by position
    ) as products
  from resource left join app_user on app_user.id = contact_user_id
`

export const listResources = (
  db: Queryable,
  providerId: number,
  { after, limit }: { after: number[] | null; limit: number | null },
) =>
  db.query<ResourceRecord>(sql`
    ${record} where resource.provider_id = ${providerId} and deleted_at is null and resource.id > ${after?.[0] ?? 0}
    order by resource.id limit ${limit}
  `)

export const findResource = (db: Queryable, providerId: number, reference: string) =>
  db.first<ResourceRecord>(sql`
    ${record} where resource.provider_id = ${providerId} and resource.reference = ${reference} and deleted_at is null
  `)

/** Those that exist. */
export const findResources = (db: Queryable, providerId: number, references: string[]) =>
  db.query<ResourceRecord>(sql`
    ${record} where resource.provider_id = ${providerId} and resource.reference = any (${references}) and deleted_at is null
  `)

type NewResource = ResourceValues & { providerId: number }

export type MadeResource = Pick<ResourceRow, 'id' | 'uuid' | 'providerId' | 'reference' | 'updatedAt'>

const contactIds = ['contactUserId', 'contactProfileId']
const inserted = writtenColumns(resource, ['providerId', ...contactIds])

/** Skips references that are taken. Also inserts the four channels with the settings of the business. */
export const insertResources = (tx: Queryable, resources: NewResource[], channelKeys: readonly string[]) =>
  tx.query<MadeResource>(sql`
    with made as (
      insert into resource (id, ${inserted}) overriding system value
      select id, ${inserted}
      -- Ids in the order sent, which is the order of lists and calendars.
      from (select nextval('resource_id_seq') as id, ${inserted} from ${rowsOf(resource, resources)}) as numbered
      -- One insert order, so that concurrent requests cannot deadlock.
      order by provider_id, reference
      on conflict (provider_id, reference) where deleted_at is null do nothing
      returning id, uuid, provider_id, reference, updated_at
    ), channels as (
      ${insertChannelsOfMade(channelKeys)}
    )
    select id, uuid, provider_id, reference, updated_at from made order by id
  `)

/** Waits for a concurrent deletion; the id is then null, which the database refuses to link. */
const activeProduct = (id: Sql) =>
  sql`(select id from product as living where living.id = ${id} and deleted_at is null for key share)`

/** A Product was deleted since it was looked up; the restarted transaction reports it. */
function restartIfProductGone(error: unknown): never {
  throw isMissing(error, 'product_id') ? new RestartTransaction() : error
}

/** Links the Products of new Resources, in the given order. */
export async function linkNewProducts(
  tx: Queryable,
  made: { id: number; providerId: number; products: number[] }[],
) {
  const links = made.flatMap(({ id, providerId, products }) =>
    products.map((productId, index) => ({ providerId, resourceId: id, productId, position: index + 1 })),
  )
  if (links.length === 0) return
  const insert = sql`
    insert into resource_product (provider_id, resource_id, product_id, position)
    select provider_id, resource_id, ${activeProduct(sql`linked.product_id`)}, position
    from unnest(${links.map(one => one.providerId)}::bigint[], ${links.map(one => one.resourceId)}::bigint[],
      ${links.map(one => one.productId)}::bigint[], ${links.map(one => one.position)}::integer[])
      as linked (provider_id, resource_id, product_id, position)
  `
  await tx.query(insert).catch(restartIfProductGone)
}

/**
 * Raises the revision and thereby locks the Resource against other changes to what it can sell; locked first,
 * as in lockById.
 */
export const lockResource = (tx: Queryable, providerId: number, reference: string) =>
  tx.first<ResourceRow & { now: number }>(sql`
    update resource set revision = revision + 1
    where id = (
      select id from resource
      where provider_id = ${providerId} and reference = ${reference} and deleted_at is null
      for no key update
    )
    returning ${columns}, app_clock() as now
  `)

export async function updateResource(tx: Queryable, id: number, values: ResourceValues) {
  await tx.query(sql`update resource set ${assignments(resource, values, contactIds)} where id = ${id}`)
}

/** Replaces the linked Products, keeping the given order. */
export async function linkProducts(
  tx: Queryable,
  providerId: number,
  resourceId: number,
  references: string[],
): Promise<void> {
  await tx.query(sql`
    update resource set updated_at = app_clock()
    where id = ${resourceId} and array (
      select product.reference from resource_product join product on product.id = product_id
      where resource_id = ${resourceId} order by position
    ) <> ${[...new Set(references)]}::text[]
  `)
  await tx.query(sql`delete from resource_product where resource_id = ${resourceId}`)
  const insert = sql`
    insert into resource_product (provider_id, resource_id, product_id, position)
    select ${providerId}, ${resourceId}, ${activeProduct(sql`product.id`)}, min(wanted.position)
    from unnest(${references}::text[]) with ordinality wanted (reference, position)
    join product on product.provider_id = ${providerId} and product.reference = wanted.reference
    group by product.id
  `
  await tx.query(insert).catch(restartIfProductGone)
}

export const unknownProducts = (tx: Queryable, providerId: number, references: string[]) =>
  tx.column<string>(sql`
    select wanted.reference from unnest(${references}::text[]) wanted (reference)
    where not ${hasAny(sql`
      select from product
      where provider_id = ${providerId} and product.reference = wanted.reference and deleted_at is null
    `)}
  `)

/** A deleted Resource disappears from all lists; its row stays for the history of its Appointments. */
export async function markResourceDeleted(tx: Queryable, id: number) {
  await tx.query(sql`update resource set deleted_at = app_now(), revision = revision + 1 where id = ${id}`)
}

export const findResourceByUuid = (db: Queryable, uuid: string) =>
  db.first<ResourceRow>(sql`select ${columns} from resource where uuid = ${uuid} and deleted_at is null`)

/** Includes deleted Resources. */
export const resourcesById = (db: Queryable, ids: number[]) =>
  db.query<ResourceRecord & { deletedAt: number | null; providerReference: string }>(sql`
    select found.*, (select reference from provider where id = provider_id) as provider_reference
    from (${record} where resource.id = any (${ids}::bigint[])) as found
  `)

/** The oldest bookable Resource. */
export const firstResourceOf = (db: Queryable, crm: string) =>
  db.value<string | null>(sql`
    select resource.uuid from resource join provider on provider.id = resource.provider_id
    join crm on crm.id = provider.crm_id
    where crm.name = ${crm} and resource.deleted_at is null and not resource.archived
    order by resource.id limit 1
  `)

export const resourcesByUuid = (db: Queryable, providerId: number, uuids: string[]) =>
  db.query<{ id: number; uuid: string }>(sql`
    select id, uuid from resource
    where uuid = any (${uuids}::uuid[]) and provider_id = ${providerId} and deleted_at is null
  `)
