import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'

export type ProductRow = {
  id: number
  provider_id: number
  uuid: string
  reference: string
  name: string
  description: string | null
  min_duration: number | null
  max_duration: number | null
  lead_minutes: number | null
  follow_up_minutes: number | null
}

export type ProductFields = {
  reference: string
  name: string
  description?: string | null
  minDuration?: number | null
  maxDuration?: number | null
}

export async function listProducts(db: Queryable, providerId: number): Promise<ProductRow[]> {
  return db.query<ProductRow>(sql`select * from product where provider_id = ${providerId} order by id`)
}

export async function findProduct(
  db: Queryable,
  providerId: number,
  reference: string,
): Promise<ProductRow | null> {
  const rows = await db.query<ProductRow>(
    sql`select * from product where provider_id = ${providerId} and reference = ${reference}`,
  )
  return rows[0] ?? null
}

export async function lockProduct(
  tx: Queryable,
  providerId: number,
  reference: string,
): Promise<ProductRow | null> {
  const rows = await tx.query<ProductRow>(sql`
    select * from product where provider_id = ${providerId} and reference = ${reference} for update
  `)
  return rows[0] ?? null
}

/** Null when a rival has made it in the meantime. */
export async function insertProduct(
  tx: Queryable,
  providerId: number,
  product: ProductFields,
): Promise<ProductRow | null> {
  const rows = await tx.query<ProductRow>(sql`
    insert into product (provider_id, reference, name, description, min_duration, max_duration)
    values (${providerId}, ${product.reference}, ${product.name}, ${product.description ?? null},
      ${product.minDuration ?? null}, ${product.maxDuration ?? null})
    on conflict on constraint product_reference do nothing
    returning *
  `)
  return rows[0] ?? null
}

export async function updateProduct(tx: Queryable, product: ProductRow): Promise<ProductRow> {
  const rows = await tx.query<ProductRow>(sql`
    update product set name = ${product.name}, description = ${product.description},
      min_duration = ${product.min_duration}, max_duration = ${product.max_duration},
      lead_minutes = ${product.lead_minutes}, follow_up_minutes = ${product.follow_up_minutes}
    where id = ${product.id} returning *
  `)
  return rows[0]!
}

export async function findProductByUuid(db: Queryable, uuid: string): Promise<ProductRow | null> {
  const rows = await db.query<ProductRow>(sql`select * from product where uuid = ${uuid}`)
  return rows[0] ?? null
}
