import sql from 'sql-template-tag'
import { hasAny, linksNoProduct } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

// What a Resource can sell also depends on other rows. Each of these functions raises the revision of the
// affected Resources in the order of their ids, so that two of them cannot deadlock.

/**
 * After a change to a Product: Resources that link it, that link none and so support all, or that have an
 * Appointment with it. Returns their ids.
 */
export const bumpForProduct = (tx: Queryable, providerId: number, productId: number) =>
  tx.column<number>(sql`
    update resource set revision = revision + 1
    where id = any (array (
      select id from resource
      where provider_id = ${providerId} and deleted_at is null and (
        ${hasAny(sql`select from resource_product where resource_id = resource.id and product_id = ${productId}`)}
        or ${linksNoProduct}
        or id = any (array (
          select resource_id from appointment
          where provider_id = ${providerId} and deleted_at is null and start_at > app_now() and product_id = ${productId}
        ))
      )
      order by id for no key update
    ))
    returning id
  `)

/** After a change to a contact or their profile. */
export async function bumpForContact(tx: Queryable, userId: number) {
  await tx.query(sql`
    update resource set revision = revision + 1
    where id = any (array (
      select id from resource
      where id = any (array (
        select id from resource where contact_user_id = ${userId}
        union all
        select resource_id from appointment where contact_user_id = ${userId} and end_at > app_now()
      )) and deleted_at is null
      order by id for no key update
    ))
  `)
}

/** After a change to the Provider or its questions. */
export async function bumpForProvider(tx: Queryable, providerId: number) {
  await tx.query(sql`
    update resource set revision = revision + 1
    where id = any (array (
      select id from resource where provider_id = ${providerId} and deleted_at is null order by id for no key update
    ))
  `)
}

/** After a change to bookable times: these Resources, or all of the Provider if null. */
export async function bumpResources(tx: Queryable, providerId: number, ids: number[] | null) {
  if (ids === null) return bumpForProvider(tx, providerId)
  await tx.query(sql`
    update resource set revision = revision + 1
    where id = any (array (
      select id from resource where id = any (${ids}::bigint[]) order by id for no key update
    ))
  `)
}
