import sql, { type Sql } from 'sql-template-tag'

/**
 * `exists`, evaluated per row through an index. Without the fence (`offset 0`) PostgreSQL may choose to read
 * the whole table once and keep that plan.
 */
export const hasAny = (rows: Sql): Sql => sql`exists (${rows} offset 0)`

/** A Resource that links no Product supports every Product of its Provider. */
export const linksNoProduct = sql`not ${hasAny(sql`select from resource_product where resource_id = resource.id`)}`
