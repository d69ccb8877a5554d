import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dumpSchema, schemaFile } from '../scripts/schema.ts'
import { tenantTables } from '../src/db/backup/tenant.ts'
import { useService } from './support/service.ts'

const holdfast = await useService()
const pool = holdfast.service.db.pool

describe('the schema', () => {
  it('matches docs/schema.sql', async () => {
    const kept = readFileSync(schemaFile, 'utf8')
    expect(await dumpSchema(pool), 'docs/schema.sql is out of date: run `npm run schema`').toBe(kept)
  })

  it('has a Provider or a CRM in each tenant table', async () => {
    const ofNoTenant = [
      'cluster_timeline',
      'console_session',
      'crm',
      'event_era',
      'job_request',
      'kept_answer',
      'login_link',
      'migration',
      'outgoing_pause',
      'rate_window',
      'secret_fingerprint',
      'tracked_change',
      'worker_heartbeat',
      'write_probe',
    ]
    const { rows } = await pool.query(
      `select table_name from information_schema.tables t where table_schema = 'public' and not exists (
         select from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name
           and column_name in ('provider_id', 'crm_id'))`,
    )
    expect(rows.map(row => row.table_name).sort()).toEqual(ofNoTenant)
  })

  it('ties each of them to an existing Provider or CRM', async () => {
    const { rows } = await pool.query(
      `select format('%s.%s', relname, attname) as name from pg_class
       join pg_attribute on attrelid = pg_class.oid
       where relnamespace = 'public'::regnamespace and relkind = 'r' and attname in ('provider_id', 'crm_id')
         and not exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'f' and conkey = array[attnum])`,
    )
    // Written with each hold, booking and Resource: the rows they refer to are checked, and `backup verify`
    // checks the rest.
    expect(rows.map(row => row.name).sort()).toEqual([
      'appointment.provider_id',
      'channel.provider_id',
      'event.crm_id',
      'event.provider_id',
      'mail.crm_id',
      'mail.provider_id',
      'participation.provider_id',
    ])
  })

  it('declares what every id column refers to, so that `crm import` can assign new ids', async () => {
    const client = await pool.connect()
    const tables = await tenantTables(client).finally(() => client.release())
    const { rows } = await pool.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and data_type = 'bigint' and column_name <> 'id'`,
    )
    const known = new Map(tables.map(one => [one.name, one.idsOf]))
    const strange = rows.filter(({ table, column }) => known.has(table) && !known.get(table)!.has(column))
    expect(strange.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'appointment.counted_to', // not imported
      'calendar_mirror.revision', // no id
      'console_user.totp_step', // no id
      'crm_origin.id_offset', // no ids of rows here
      'crm_origin.source_crm_id',
      'data_import_line.appointment_id', // not moved
      'data_import_line.import_id',
      'delivery.event_id', // a place in a log, which stays behind
      'event.subject', // known to the import by its name
      'event_pruned.event_id',
      'mail.data_of',
      'resource.revision',
      'webhook.after_id',
    ])
  })
})
