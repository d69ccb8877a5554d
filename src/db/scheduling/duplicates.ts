import sql, { type Sql } from 'sql-template-tag'
import { customer } from '../../entities/customer.ts'
import { columnsOf } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'
import type { CustomerRow } from './customers.ts'

// Customers that may be one person, read in the order of an index. A statement reads a limited number of
// entries, so that a page costs the same with a million Customers.

export const sameness = ['email', 'mobile', 'birthDate'] as const
export type Sameness = (typeof sameness)[number]

/** The columns of each index: those of the key, as they are compared and continued. */
const keys: Record<Sameness, { index: Sql; isIndexed: Sql; order: Sql; after: (key: string[]) => Sql }> = {
  email: {
    index: sql`array [lower(email)]`,
    isIndexed: sql`email is not null`,
    order: sql`lower(email)`,
    after: ([email]) => sql`lower(email) > ${email}`,
  },
  mobile: {
    index: sql`array [mobile_key]`,
    isIndexed: sql`mobile_key is not null`,
    order: sql`mobile_key`,
    after: ([number]) => sql`mobile_key > ${number}`,
  },
  birthDate: {
    index: sql`array [birth_date::text, lower(name)]`,
    isIndexed: sql`birth_date is not null`,
    order: sql`birth_date, lower(name)`,
    after: ([day, name]) => sql`(birth_date, lower(name)) > (${day}::date, ${name})`,
  },
}

const readAtOnce = 2000

type Run = { key: string[]; ids: number[] }

/** Sets of Customers with the same key; `next` is where to go on, null at the end of the index. */
export async function readRuns(
  db: Queryable,
  providerId: number,
  same: Sameness,
  after: string[] | null,
): Promise<{ runs: Run[]; next: string[] | null }> {
  const { index, isIndexed, order, after: isAfter } = keys[same]
  const rows = await db.query<{ id: number; key: string[] }>(sql`
    select id, ${index} as key from customer
    where provider_id = ${providerId} and ${isIndexed} and ${after ? isAfter(after) : sql`true`}
    order by provider_id, ${order} limit ${readAtOnce}
  `)
  const runs: Run[] = []
  for (const { id, key } of rows) {
    const last = runs.at(-1)
    if (last && last.key.join() === key.join()) last.ids.push(id)
    else runs.push({ key, ids: [id] })
  }
  const isEnd = rows.length < readAtOnce
  // The last set may go on. One that fills all that was read is cut: so many share a placeholder.
  if (!isEnd && runs.length > 1) runs.pop()
  return { runs: runs.filter(run => run.ids.length > 1), next: isEnd ? null : runs.at(-1)!.key }
}

/** Without erased ones, in order of creation. */
export const customersOf = (db: Queryable, ids: number[]): Promise<CustomerRow[]> =>
  db.query<CustomerRow>(sql`
    select ${columnsOf(customer)} from customer
    where id = any (${ids}::bigint[]) and coalesce(erased_at, 'infinity') = 'infinity' order by id
  `)

type Pair = { customerId: number; otherId: number }

/** Which of these Customers are known to be different people. */
export const distinctAmong = (db: Queryable, providerId: number, ids: number[]): Promise<Pair[]> =>
  db.query<Pair>(sql`
    select customer_id, other_id from customer_distinct
    where provider_id = ${providerId} and customer_id = any (${ids}::bigint[]) and other_id = any (${ids}::bigint[])
  `)

const inOrder = (one: number, other: number) => [Math.min(one, other), Math.max(one, other)] as const

export async function markDistinct(tx: Queryable, providerId: number, one: number, another: number) {
  const [first, second] = inOrder(one, another)
  await tx.query(sql`
    insert into customer_distinct (provider_id, customer_id, other_id) values (${providerId}, ${first}, ${second})
    on conflict do nothing
  `)
}

export async function unmarkDistinct(tx: Queryable, providerId: number, one: number, another: number) {
  const [first, second] = inOrder(one, another)
  await tx.query(sql`
    delete from customer_distinct
    where provider_id = ${providerId} and customer_id = ${first} and other_id = ${second}
  `)
}

/** For the erasure: what remains of a person has no duplicates. */
export async function deleteDistinctOf(tx: Queryable, id: number) {
  await tx.query(sql`delete from customer_distinct where customer_id = ${id}`)
  await tx.query(sql`delete from customer_distinct where other_id = ${id}`)
}
