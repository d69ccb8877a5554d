import sql from 'sql-template-tag'
import type { FieldsOf, RowOf } from '../../entities/entity.ts'
import { provider } from '../../entities/provider.ts'
import type { Language } from '../../languages.ts'
import { assignments, columnsOf, insertion } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'

export type ProviderRow = RowOf<typeof provider>
export type ProviderFields = FieldsOf<typeof provider>

const columns = columnsOf(provider)

export async function findProvider(
  db: Queryable,
  crmId: number,
  reference: string,
): Promise<ProviderRow | null> {
  const rows = await db.query<ProviderRow>(
    sql`select ${columns} from provider where crm_id = ${crmId} and reference = ${reference}`,
  )
  return rows[0] ?? null
}

/** Returns false if the reference exists; nothing is overwritten. */
export async function insertProvider(
  tx: Queryable,
  to: { crmId: number; ownerId: number; accountId: number; timeZone: string; language: Language },
  fields: Omit<ProviderFields, 'branch'>,
): Promise<number | null> {
  const rows = await tx.query<{ id: number }>(sql`
    insert into provider ${insertion(provider, fields, to)}
    on conflict on constraint provider_reference do nothing
    returning id
  `)
  return rows[0]?.id ?? null
}

export async function findProviderByUuid(db: Queryable, uuid: string): Promise<ProviderRow | null> {
  const rows = await db.query<ProviderRow>(sql`select ${columns} from provider where uuid = ${uuid}`)
  return rows[0] ?? null
}

export async function findProviderById(db: Queryable, id: number): Promise<ProviderRow | null> {
  const rows = await db.query<ProviderRow>(sql`select ${columns} from provider where id = ${id}`)
  return rows[0] ?? null
}

export async function listProviders(db: Queryable, ids: number[] | null): Promise<ProviderRow[]> {
  return db.query<ProviderRow>(sql`
    select ${columns} from provider where ${ids}::bigint[] is null or id = any (${ids}) order by name, id limit 1000
  `)
}

export async function providerIdsOfCrm(db: Queryable, crmId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`select id from provider where crm_id = ${crmId}`)
  return rows.map(row => row.id)
}

/** Does not block transactions that only refer to it: they may hold a Resource that this one locks next. */
export async function lockProvider(tx: Queryable, id: number): Promise<ProviderRow> {
  const rows = await tx.query<ProviderRow>(
    sql`select ${columns} from provider where id = ${id} for no key update`,
  )
  return rows[0]!
}

export async function updateProvider(tx: Queryable, row: ProviderRow): Promise<ProviderRow> {
  const rows = await tx.query<ProviderRow>(sql`
    update provider set ${assignments(provider, row)} where id = ${row.id} returning ${columns}
  `)
  return rows[0]!
}

export async function providersById(db: Queryable, ids: number[]): Promise<ProviderRow[]> {
  return db.query<ProviderRow>(sql`select ${columns} from provider where id = any (${ids}::bigint[])`)
}

export async function setOwner(tx: Queryable, id: number, userId: number) {
  await tx.query(sql`update provider set owner_id = ${userId} where id = ${id}`)
}
