import sql from 'sql-template-tag'

// Jobs skip suspended CRMs by a condition in their own statements, so they need no cached state.

/** The ids of the Providers of suspended CRMs. Usually empty, and computed once per statement. */
export const suspendedProviders = sql`array(
  select provider.id from crm join provider on provider.crm_id = crm.id
  where suspended_until is not null and suspended_until > now()
)`

/** The ids of suspended CRMs. */
export const suspendedCrms = sql`array(
  select crm.id from crm where suspended_until is not null and suspended_until > now()
)`
