import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { Queryable } from '../base/pool.ts'

export type ProviderRow = {
  id: number
  crmId: number
  uuid: string
  reference: string
  ownerId: number
  name: string
  email: string | null
  mobile: string | null
  phone: string | null
  impressum: string | null
  branch: string | null
  subbranch: string | null
  description: string | null
  timeZone: string
  language: Language
  /** #rrggbb */
  accentColor: string | null
  logoUrl: string | null
  privacyUrl: string | null
  terms: string | null
  termsRequired: boolean
  /** What consumers call its Resources, such as Doctor. */
  resourceWord: string | null
  preIdentification: boolean
}

export type ProviderFields = {
  reference: string
  name: string
  email?: string | null
  mobile?: string | null
  phone?: string | null
  impressum?: string | null
  branch?: string | null
  subbranch?: string | null
  timeZone?: string | null
  language?: Language | null
}

export async function findProvider(
  db: Queryable,
  crmId: number,
  reference: string,
): Promise<ProviderRow | null> {
  const rows = await db.query<ProviderRow>(
    sql`select * from provider where crm_id = ${crmId} and reference = ${reference}`,
  )
  return rows[0] ?? null
}

/** Returns false if the reference exists; nothing is overwritten. */
export async function insertProvider(
  tx: Queryable,
  to: { crmId: number; ownerId: number; accountId: number; timeZone: string; language: Language },
  provider: ProviderFields,
): Promise<number | null> {
  const rows = await tx.query<{ id: number }>(sql`
    insert into provider (crm_id, reference, owner_id, account_id, name, email, mobile, phone, impressum, branch,
      subbranch, time_zone, language)
    values (${to.crmId}, ${provider.reference}, ${to.ownerId}, ${to.accountId}, ${provider.name},
      ${provider.email ?? null}, ${provider.mobile ?? null}, ${provider.phone ?? null}, ${provider.impressum ?? null},
      ${provider.branch ?? null}, ${provider.subbranch ?? null}, ${to.timeZone}, ${to.language})
    on conflict on constraint provider_reference do nothing
    returning id
  `)
  return rows[0]?.id ?? null
}

export async function findProviderByUuid(db: Queryable, uuid: string): Promise<ProviderRow | null> {
  const rows = await db.query<ProviderRow>(sql`select * from provider where uuid = ${uuid}`)
  return rows[0] ?? null
}

export async function findProviderById(db: Queryable, id: number): Promise<ProviderRow | null> {
  const rows = await db.query<ProviderRow>(sql`select * from provider where id = ${id}`)
  return rows[0] ?? null
}

export async function listProviders(db: Queryable, ids: number[] | null): Promise<ProviderRow[]> {
  return db.query<ProviderRow>(sql`
    select * from provider where ${ids}::bigint[] is null or id = any (${ids}) order by name, id limit 1000
  `)
}

export async function providerIdsOfCrm(db: Queryable, crmId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`select id from provider where crm_id = ${crmId}`)
  return rows.map(row => row.id)
}

/** Does not block transactions that only refer to it: they may hold a Resource that this one locks next. */
export async function lockProvider(tx: Queryable, id: number): Promise<ProviderRow> {
  const rows = await tx.query<ProviderRow>(sql`select * from provider where id = ${id} for no key update`)
  return rows[0]!
}

export async function updateProvider(tx: Queryable, provider: ProviderRow): Promise<ProviderRow> {
  const rows = await tx.query<ProviderRow>(sql`
    update provider set name = ${provider.name}, email = ${provider.email}, mobile = ${provider.mobile},
      phone = ${provider.phone}, impressum = ${provider.impressum}, description = ${provider.description},
      time_zone = ${provider.timeZone}, language = ${provider.language},
      accent_color = ${provider.accentColor}, logo_url = ${provider.logoUrl},
      pre_identification = ${provider.preIdentification}, privacy_url = ${provider.privacyUrl},
      terms = ${provider.terms}, terms_required = ${provider.termsRequired}, resource_word = ${provider.resourceWord}
    where id = ${provider.id} returning *
  `)
  return rows[0]!
}

export async function providersById(db: Queryable, ids: number[]): Promise<ProviderRow[]> {
  return db.query<ProviderRow>(sql`select * from provider where id = any (${ids}::bigint[])`)
}

export async function setOwner(tx: Queryable, id: number, userId: number) {
  await tx.query(sql`update provider set owner_id = ${userId} where id = ${id}`)
}
