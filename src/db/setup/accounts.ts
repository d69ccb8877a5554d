import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

export type Address = {
  city: string
  zip: string
  street: string
  number: string
  countryCode?: string | null
}

export type AccountRow = {
  id: number
  reference: string
  ownerReference: string
  branch: string
  invoiceAddress: Address | null
  invoiceContactName: string | null
  invoiceCompanyName: string | null
  invoiceTaxId: string | null
  email: string | null
}

export type AccountFields = {
  accountReference: string
  branch: string
  invoiceAddress?: Address | null
  invoiceContactName?: string | null
  invoiceCompanyName?: string | null
  invoiceTaxId?: string | null
  email?: string | null
}

export async function findAccount(
  db: Queryable,
  crmId: number,
  reference: string,
): Promise<AccountRow | null> {
  const rows = await db.query<AccountRow>(sql`
    select account.*, app_user.reference as owner_reference
    from account join app_user on app_user.id = account.owner_id
    where account.crm_id = ${crmId} and account.reference = ${reference}
  `)
  return rows[0] ?? null
}

/** Returns false if the reference exists; nothing is overwritten. */
export async function insertAccount(
  tx: Queryable,
  crmId: number,
  ownerId: number,
  account: AccountFields,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into account (crm_id, reference, owner_id, branch, invoice_address, invoice_contact_name,
      invoice_company_name, invoice_tax_id, email)
    values (${crmId}, ${account.accountReference}, ${ownerId}, ${account.branch}, ${account.invoiceAddress ?? null},
      ${account.invoiceContactName ?? null}, ${account.invoiceCompanyName ?? null}, ${account.invoiceTaxId ?? null},
      ${account.email ?? null})
    on conflict on constraint account_reference do nothing
    returning 1 as done
  `)
  return rows.length > 0
}

export async function accountsById(db: Queryable, ids: number[]): Promise<AccountRow[]> {
  return db.query<AccountRow>(sql`
    select account.*, (select reference from app_user where id = owner_id) as owner_reference
    from account where id = any (${ids}::bigint[])
  `)
}
