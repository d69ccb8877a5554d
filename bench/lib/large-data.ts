import { type Running, withSql } from './service.ts'

// What one installation, CRM or Provider may grow to, written straight into the tables.

/** SCALE=0.1 makes a tenth of it. */
const scale = Number(process.env.SCALE ?? 1)
const sized = (full: number) => Math.round(full * scale)

const own = '(select id from provider order by id limit 1)'
const ownCrm = '(select crm_id from provider order by id limit 1)'
const room = '(select id from resource order by id limit 1)'

/** Past Appointments of the measured Provider, an hour each, each with a person. */
const appointments = `
  insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
    capacity, accept_bookings, created_at)
  select ${own}, ${room}, (select id from product order by id limit 1), 'large-' || number, 'provider', at, at + interval '1 hour', at,
    at + interval '1 hour', 1, true, at
  from generate_series(1, ${sized(500_000)}) as number, lateral (select now() - number * interval '1 hour' as at) as times`

const customers = `
  insert into customer (provider_id, reference, name, email, mobile, mobile_key)
  select ${own}, 'large-' || number, initcap(substr(md5(number::text), 1, 6)) || ' ' || initcap(substr(md5('n' || number), 1, 8)),
    substr(md5(number::text), 1, 6) || number || '@example.org', '+4915' || number, '+4915' || number
  from generate_series(1, ${sized(1_000_000)}) as number`

/** A year of events, each transaction with one. Seldom: changes of Products, and what people did in the console. */
const events = `
  insert into event (crm_id, era, xid, kind, provider_id, subject, actor_kind, at)
  select ${ownCrm}, 1, number::text::xid8, case when number % 10 = 0 then 'customer.changed'
      when number < 100 then 'product.changed' else 'appointment.changed' end,
    ${own}, case when number % 10 = 0 then customer else appointment end + number % ${sized(500_000)},
    case when number < 100 then 'console' else 'consumer' end,
    now() - interval '1 year' + number * interval '1 year' / ${sized(20_000_000)}
  from generate_series(1, ${sized(20_000_000)}) as number,
    (select min(id) as appointment from appointment where reference like 'large-%') as first_appointment,
    (select min(id) as customer from customer where reference like 'large-%') as first_customer`

/** Transaction ids of real events continue after those that were written here. */
const newEra = 'insert into event_era (number) select max(number) + 1 from event_era'

const crms = `insert into crm (name, language) select 'large-' || number, 'en' from generate_series(1, ${sized(20_000)}) as number`

const crmEvents = `
  insert into event (crm_id, era, xid, kind, provider_id, subject, actor_kind, at)
  select id, 1, '5', 'resource.created', id, id, 'key', now() - interval '1 day' from crm where name like 'large-%'`

const webhooks = `
  insert into webhook (crm_id, url, secret, after_era, after_xid, after_id)
  select id, 'https://example.org/', '', 1000, '0', 0 from crm where name like 'large-%'`

/** Two years of opening hours at one Resource. */
const timeslots = `
  insert into timeslot (provider_id, resource_id, reference, start_at, end_at, raster, default_capacity, default_accept_bookings, state)
  select ${own}, resource.id, resource.id || '-large-' || day, at, at + interval '8 hours', 30, 1, true, 'BOOKABLE'
  from generate_series(40, ${sized(728)}) as day,
    lateral (select date_trunc('day', now()) + day * interval '1 day' + interval '8 hours' as at) as times,
    (select id from resource order by id limit 100) as resource`

const whatTriggersKeep = `update resource set longest_block = '1 hour' where longest_block < interval '1 hour'`

const tables = `'{appointment,event,customer}'::regclass[]`

/** All but constraints. Built once for all rows, they take a tenth of the time. */
const indexes = `
  select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
  from pg_index
  where indrelid = any (${tables}) and not indisprimary and not exists (select from pg_constraint where conindid = indexrelid)`

const asOne = `
  set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '1GB';
  alter system set max_wal_size = '16GB'; select pg_reload_conf()`

const asBefore = 'alter system reset max_wal_size; select pg_reload_conf()'

export const makeLargeData = (service: Running, step: (name: string) => void) =>
  withSql(service, async client => {
    const { rows } = await client.query<{ drop: string; make: string }>(indexes)
    const steps = {
      Appointments: [...asOne.split(';'), ...rows.map(one => one.drop), appointments, whatTriggersKeep],
      Customers: [customers],
      CRMs: [crms, webhooks],
      Timeslots: [timeslots],
      events: ['analyze', events, crmEvents, newEra],
      indexes: rows.map(one => one.make),
      statistics: ['vacuum analyze', ...asBefore.split(';')],
    }
    for (const [name, statements] of Object.entries(steps)) {
      step(name)
      for (const statement of statements) await client.query(statement)
    }
  })
