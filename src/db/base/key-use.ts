import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// Every connection of an instance names the key that the instance encrypts with, so that others can see
// whether an old key is still in use.

const prefix = 'holdfast key '

export const nameOfKey = (fingerprint: string) => `${prefix}${fingerprint.slice(0, 12)}`

/** Returns the number of connections of instances that encrypt with another key. */
export const countOtherKeys = (db: Queryable, fingerprint: string) =>
  db.value<number>(sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${prefix})
      and application_name <> ${nameOfKey(fingerprint)}
  `)

/** Names of CRMs whose secrets a running `crm move` encrypts with the keys that it was started with. */
export const movingCrms = (db: Queryable) =>
  db.column<string>(sql`
    select name from crm where exists (
      select from crm_departure where crm_id = crm.id and left_at is null and target <> 'deleted'
    ) or exists (
      select from crm_origin where crm_id = crm.id and arrived_at is null
    ) order by name
  `)

/** Exempts the transaction from the triggers that protect a CRM that is being deleted. */
export const passFenceHere = (tx: Queryable) =>
  tx.query(sql`select set_config('holdfast.fence', 'off', true)`)

/** The latest start of an Appointment with a booking, in milliseconds. */
export const lastBookedStart = (db: Queryable) =>
  db.value<number | null>(sql`
    select (select start_at from appointment where state <> 'CANCELLED' and start_at > now() and exists (
      select from participation where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED')
    ) order by start_at desc limit 1) as start_at
  `)
