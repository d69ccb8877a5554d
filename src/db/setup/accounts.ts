import sql from 'sql-template-tag'
import { account } from '../../entities/account.ts'
import type { FieldsOf, WholeOf } from '../../entities/entity.ts'
import { assignments, columnsOf, insertion } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'

export type AccountRow = WholeOf<typeof account>
export type AccountFields = FieldsOf<typeof account>

const columns = columnsOf(account)

export const findAccount = (db: Queryable, crmId: number, reference: string) =>
  db.first<AccountRow>(sql`
    select ${columns}, app_user.reference as owner_reference
    from account join app_user on app_user.id = account.owner_id
    where account.crm_id = ${crmId} and account.reference = ${reference}
  `)

/** In order of creation. */
export const listAccounts = (
  db: Queryable,
  crmId: number,
  { after, limit }: { after: number[] | null; limit: number | null },
) =>
  db.query<AccountRow>(sql`
    select ${columns}, app_user.reference as owner_reference
    from (select * from account where crm_id = ${crmId} offset 0) as account
    join app_user on app_user.id = account.owner_id
    where account.id > ${after?.[0] ?? 0} order by account.id limit ${limit}
  `)

/** Returns false if the reference exists; nothing is overwritten. */
export const insertAccount = (tx: Queryable, crmId: number, ownerId: number, fields: AccountFields) =>
  tx.any(sql`
    insert into account ${insertion(account, fields, { crmId, ownerId })}
    on conflict on constraint account_reference do nothing
    returning 1 as done
  `)

export async function lockAccount(
  tx: Queryable,
  crmId: number,
  reference: string,
): Promise<AccountRow | null> {
  await tx.query(sql`select from account where crm_id = ${crmId} and reference = ${reference} for update`)
  return findAccount(tx, crmId, reference)
}

export const updateAccount = (tx: Queryable, row: AccountRow, ownerId: number) =>
  tx.query(sql`update account set ${assignments(account, row)}, owner_id = ${ownerId} where id = ${row.id}`)

export const providersOfAccount = (tx: Queryable, id: number) =>
  tx.column<string>(sql`select reference from provider where account_id = ${id} order by id`)

export const deleteAccount = (tx: Queryable, id: number) =>
  tx.query(sql`delete from account where id = ${id}`)

export const accountsById = (db: Queryable, ids: number[]) =>
  db.query<AccountRow>(sql`
    select ${columns}, (select reference from app_user where id = owner_id) as owner_reference
    from account where id = any (${ids}::bigint[])
  `)
