import sql from 'sql-template-tag'
import type { FieldsOf, RowOf } from '../../entities/entity.ts'
import { product, type publicProductFields } from '../../entities/product.ts'
import type { Language } from '../../languages.ts'
import type { PlacedQuestion } from '../../rules/questions/define.ts'
import { isUuid, parseRef } from '../../rules/references.ts'
import { assignments, columnsOf, insertion } from '../base/columns.ts'
import { hasAny } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import { isOfCrm, namedCrm } from './crms.ts'
import { questionsOfProduct } from './questions.ts'

export type ProductRow = RowOf<typeof product>

/** A Product as a channel offers it. */
export type PublicProduct = Pick<
  ProductRow,
  (typeof publicProductFields)[number] | 'id' | 'uuid' | 'reference' | 'name' | 'description'
> & {
  /** Offered by this channel. */
  offered: boolean
  /** At least one channel of the Resource does not offer it. */
  exclusive: boolean
  /** Null if it asks nothing. */
  questions: PlacedQuestion[] | null
  providerLanguage: Language
}

export type ProductFields = FieldsOf<typeof product>

const columns = columnsOf(product)

export const listProducts = (
  db: Queryable,
  providerId: number,
  { after, limit }: { after: number[] | null; limit: number | null },
) =>
  db.query<ProductRow>(sql`
    select ${columns} from product where provider_id = ${providerId} and deleted_at is null and id > ${after?.[0] ?? 0}
    order by id limit ${limit}
  `)

/** Ids by reference, for those that exist. */
export async function productIds(
  db: Queryable,
  providerId: number,
  references: string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: number; reference: string }>(sql`
    select id, reference from product
    where provider_id = ${providerId} and reference = any (${references}) and deleted_at is null
  `)
  return new Map(rows.map(row => [row.reference, row.id]))
}

export const findProduct = (db: Queryable, providerId: number, reference: string) =>
  db.first<ProductRow>(sql`
    select ${columns} from product where provider_id = ${providerId} and reference = ${reference} and deleted_at is null
  `)

/**
 * Includes deleted Products. Not a full lock, which could deadlock with transactions that link the Product
 * and hold a Resource.
 */
export const lockProduct = (tx: Queryable, providerId: number, reference: string) =>
  tx.first<ProductRow>(sql`
    select ${columns} from product where provider_id = ${providerId} and reference = ${reference} for no key update
  `)

/**
 * Waits for transactions that are linking the Product or booking with it; later ones wait and then see the
 * result.
 */
export async function lockAgainstLinks(tx: Queryable, id: number) {
  await tx.query(sql`select from product where id = ${id} for update`)
}

/** Returns null if a concurrent request has created it. */
export const insertProduct = (tx: Queryable, providerId: number, fields: ProductFields) =>
  tx.first<ProductRow>(sql`
    insert into product ${insertion(product, fields, { providerId })}
    on conflict on constraint product_reference do nothing
    returning ${columns}
  `)

/** A deleted Product disappears from all lists; its row stays for existing Appointments. */
export async function markProductDeleted(tx: Queryable, id: number) {
  await tx.query(sql`
    with unlinked as (delete from resource_product where product_id = ${id} returning resource_id)
    update resource set updated_at = app_clock() from unlinked where id = resource_id
  `)
  await tx.query(sql`
    update channel set product_ids = array_remove(product_ids, ${id}::bigint)
    where provider_id = (select provider_id from product where id = ${id}) and ${id}::bigint = any (product_ids)
  `)
  await tx.query(sql`update product set deleted_at = app_now() where id = ${id}`)
}

/** Of a Provider without Resources. Returns their ids. */
export const markProductsDeleted = (tx: Queryable, providerId: number) =>
  tx.column<number>(sql`
    update product set deleted_at = app_now() where provider_id = ${providerId} and deleted_at is null returning id
  `)

const linksAnother = (id: number) =>
  sql`select from resource_product where resource_id = resource.id and product_id <> ${id}`

/** Resources that link the Product, and whether it is their only one. */
export const resourcesWith = (db: Queryable, id: number) =>
  db.query<{ id: number; uuid: string; internalName: string; isOnly: boolean }>(sql`
    select id, uuid, internal_name, not ${hasAny(linksAnother(id))} as is_only
    from resource
    where id = any (array (select resource_id from resource_product where product_id = ${id})) and deleted_at is null
    order by internal_name, id
  `)

/** Also restores a deleted Product. */
export const updateProduct = (tx: Queryable, row: ProductRow) =>
  tx.one<ProductRow>(sql`
    update product set ${assignments(product, row)}, deleted_at = null, updated_at = app_clock() where id = ${row.id} returning ${columns}
  `)

export const findProductByUuid = (db: Queryable, uuid: string) =>
  db.first<ProductRow>(sql`select ${columns} from product where uuid = ${uuid} and deleted_at is null`)

/** By uuid or reference. Several Providers may use the same reference, so each may have a match. */
export async function findProductOfEach(
  db: Queryable,
  providerIds: number[],
  ref: string,
): Promise<ProductRow[]> {
  const uuid = isUuid(ref) ? ref : null
  return db.query<ProductRow>(sql`
    select distinct on (provider_id) ${columns} from product
    where provider_id = any (${providerIds}) and (uuid = ${uuid}::uuid or reference = ${ref}) and deleted_at is null
    order by provider_id, uuid = ${uuid}::uuid desc nulls last
  `)
}

const channelOfProviderWithout = sql`
  select from channel where channel.provider_id = product.provider_id and channel.product_ids is not null
    and product.id <> all (channel.product_ids)
`

const crmOfName = namedCrm(
  sql`select provider_id, created_at from product as bearer where reference = wanted.text`,
)

/**
 * By uuid or reference over all Providers, in the requested order. A reference that is ambiguous within its
 * CRM matches none.
 */
export async function findProductsByRefs(
  db: Queryable,
  refs: string[],
): Promise<(PublicProduct & Pick<ProductRow, 'providerId'>)[]> {
  return db.query(sql`
    select ${columns}, true as offered, ${hasAny(channelOfProviderWithout)} as exclusive,
      ${questionsOfProduct} as questions,
      (select language from provider where provider.id = product.provider_id) as provider_language
    from unnest(${refs.map(ref => (isUuid(ref) ? ref : null))}::uuid[], ${refs}::text[],
      ${refs.map(ref => parseRef(ref).platform)}::text[]) with ordinality as wanted (uuid, text, platform, position)
    join product on product.uuid = wanted.uuid or (
      product.reference = wanted.text and ${isOfCrm(sql`product.provider_id`, crmOfName)} and 1 = (
        select count(*) from product as twin
        where twin.reference = wanted.text and twin.deleted_at is null and ${isOfCrm(sql`twin.provider_id`, crmOfName)}
      )
    )
    where product.deleted_at is null
    order by wanted.position
  `)
}

export const productsById = (db: Queryable, ids: number[]) =>
  db.query<ProductRow>(sql`select ${columns} from product where id = any (${ids}::bigint[])`)
