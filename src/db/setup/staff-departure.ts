import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

// Access that a member of staff has besides the login.

/** Ends feeds of this person and feeds they created. Returns their number. */
export async function endFeedsOf(tx: Queryable, providerId: number, userId: number): Promise<number> {
  const rows = await tx.query(sql`
    delete from calendar_feed where provider_id = ${providerId} and (user_id = ${userId} or made_by = ${userId})
    returning 1 as done
  `)
  return rows.length
}

/** Ends feeds that an administrator or operator created. Returns their Providers. */
export const endFeedsOfLogin = (tx: Queryable, loginUuid: string) =>
  tx.query<{ id: number; crmId: number }>(sql`
    with ended as (delete from calendar_feed where made_by_login = ${loginUuid} returning provider_id)
    select id, crm_id from provider where id in (select provider_id from ended)
  `)

/** Ends API keys created for a person who no longer works for any Provider. */
export const endKeysOf = (tx: Queryable, userId: number) =>
  tx.column<number>(sql`
    update api_key set revoked_at = app_now()
    where user_id = ${userId} and revoked_at is null and not exists (select from staff where user_id = ${userId})
    returning id
  `)
