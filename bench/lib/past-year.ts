import { type Running, withSql } from './service.ts'

// A year of data, written straight into the tables: some 20,000 Resources of fifty Providers, a million past
// bookings with their people, emails and events. A tenth belongs to the measured Provider, at its own
// Resources.

/** SCALE=0.1 makes a tenth of it. */
const wantedScale = Number(process.env.SCALE ?? 1)

const places = `
  create temp table place as select crm_id, id as own, (select count(*) from resource) as rooms,
    (select min(id) from resource) as first_room, (select id from product limit 1) as product_id,
    (select data from mail where kind = 'booked' and data is not null limit 1) as data
  from provider order by id limit 1`

const others = `
  insert into provider (crm_id, owner_id, account_id, reference, name, time_zone, language)
  select crm_id, owner_id, account_id, 'year-' || number || '@bench', 'Year', time_zone, language
  from (select * from provider order by id limit 1) as provider, generate_series(1, 50) as number`

const resources = (count: number) => `
  insert into resource (provider_id, reference, public_name, internal_name)
  select own + 1 + number % 50, 'year-' || number || '@bench', 'Year', 'Y' from place, generate_series(1, ${count}) as number`

const channels = `
  insert into channel (provider_id, resource_id, key)
  select provider_id, id, key from resource,
    unnest(array['RESOURCE_PUBLIC', 'RESOURCE_EXCLUSIVE', 'RESOURCE_REFERENCE', 'CALENDAR_PUBLIC']) as key
  where public_name = 'Year'`

/** One in ten is a Customer of ours, the others of fifty Providers. */
const whose = 'case when number % 10 = 0 then own else own + 1 + number / 10 % 50 end'

const people = (count: number) => `
  insert into app_user (crm_id, email, first_name, last_name, language)
  select crm_id, 'bo' || number || '@example.org', 'Bo', 'Summer' || number, 'en'
  from place, generate_series(1, ${count}) as number`

const customers = `
  insert into customer (provider_id, reference, user_id, name, email, mobile, mobile_key)
  select ${whose}, 'year-' || number || '@consumer', id, 'Bo Summer' || number, email, '+4915' || number, '+4915' || number
  from place, (select *, substr(last_name, 7)::bigint as number from app_user where first_name = 'Bo') as app_user`

/**
 * Back to back at each Resource, back from yesterday: every four hours at ours, every eight days at the
 * others.
 */
const appointments = (count: number) => `
  insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
    capacity, accept_bookings, created_at)
  select provider_id, id, product_id, 'year-' || number, 'consumer', at, at + interval '30 minutes', at,
    at + interval '30 minutes', 1, true, at - interval '3 days'
  from (
    select number, product_id,
      case when number % 10 = 0 then first_room + number / 10 % rooms
        else (select min(id) from resource where public_name = 'Year') + number % (select count(*) from resource where public_name = 'Year')
        end as room,
      date_trunc('hour', now()) - interval '1 day' - case when number % 10 = 0
        then make_interval(hours => 4 * (number / 10 / rooms)::integer)
        else make_interval(days => 8 * (number / (select count(*) from resource where public_name = 'Year'))::integer,
          hours => number % 9) end as at
    from place, generate_series(1, ${count}) as number
  ) as wanted join resource on resource.id = room`

const participations = `
  insert into participation (provider_id, appointment_id, customer_id, reference, name, email, state, channel_key, created_at,
    booked_at)
  select appointment.provider_id, appointment.id, customer.id, 'year-' || appointment.id, customer.name, customer.email, 'BOOKED',
    'RESOURCE_PUBLIC', appointment.created_at, appointment.created_at
  from (
    select *, row_number() over (partition by provider_id order by id) as place from appointment where reference like 'year-%'
  ) as appointment
  join (
    select provider_id, count(*) as most from customer where reference like 'year-%' group by provider_id
  ) as counted on counted.provider_id = appointment.provider_id
  join (
    select *, row_number() over (partition by provider_id order by id) as place from customer where reference like 'year-%'
  ) as customer on customer.provider_id = appointment.provider_id and customer.place = 1 + appointment.place % most`

/**
 * One to the consumer, one to the Provider, built from the same data. One in 20,000 was given up, one in
 * 10,000 kept.
 */
const mails = `
  insert into mail (crm_id, provider_id, participation_id, kind, recipient, language, data, state, created_at, sent_at)
  select crm_id, provider_id, id, kind,
    case kind when 'booked' then email else 'practice' || case provider_id when own then '' else provider_id::text end || '@example.org' end,
    'en', data,
    case when id % 20000 = 7 then 'failed' when id % 10000 = 8 then 'kept' else 'sent' end, created_at, created_at
  from place, participation, unnest(array['booked', 'booking-notice']) as kind
  where reference like 'year-%' order by created_at, id`

/** As many as the service keeps: those of the last 90 days. */
const events = `
  insert into event (crm_id, era, kind, provider_id, subject, actor_kind, at)
  select crm_id, 1, kind, provider_id, case kind when 'appointment.created' then appointment_id else id end, 'consumer', created_at
  from place, participation, unnest(array['appointment.created', 'participation.booked']) as kind
  where reference like 'year-%' and created_at > now() - interval '90 days' order by created_at, id`

/** There are no other writers and the data is consistent, so foreign keys and triggers are switched off. */
const asOne = `
  set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '1GB';
  alter system set max_wal_size = '16GB'; select pg_reload_conf()`

const asBefore = 'alter system reset max_wal_size; select pg_reload_conf()'

const whatTriggersKeep = `
  update resource set longest_block = '30 minutes' where longest_block < interval '30 minutes'`

/** All but the primary keys. Built once for all rows, they take a tenth of the time. */
const indexes = `
  select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
  from pg_index
  where indrelid = any ('{appointment,participation,mail,event,customer,app_user}'::regclass[]) and not indisprimary
    and not exists (select from pg_constraint where conindid = indexrelid)
  union all
  select format('alter table %s drop constraint %I', conrelid::regclass, conname),
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint
  where conrelid = any ('{appointment,participation,mail,event,customer,app_user}'::regclass[]) and contype in ('u', 'x')`

export const makePastYear = (service: Running, step: (name: string) => void, scale = wantedScale) =>
  withSql(service, async client => {
    const sized = (full: number) => Math.round(full * scale)
    const run = async (statements: string[]) => {
      for (const statement of statements) await client.query(statement)
    }
    const { rows } = await client.query<{ drop: string; make: string }>(indexes)
    const steps = {
      Resources: [
        ...asOne.split(';'),
        ...rows.map(one => one.drop),
        places,
        others,
        resources(sized(20_000)),
        channels,
      ],
      // Analyzed in between: without statistics, joining a million rows would take hours.
      Customers: [people(sized(200_000)), customers, 'analyze'],
      Appointments: [appointments(sized(1_000_000)), whatTriggersKeep, 'analyze appointment'],
      Participations: [participations],
      mails: [mails],
      events: [events],
      indexes: rows.map(one => one.make),
      statistics: ['vacuum analyze', ...asBefore.split(';')],
    }
    for (const [name, statements] of Object.entries(steps)) {
      step(name)
      await run(statements)
    }
  })
