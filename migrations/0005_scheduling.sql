create table customer (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  user_id bigint references app_user,
  name text not null,
  email text,
  mobile text,
  note text,
  language text,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  constraint customer_reference unique (provider_id, reference)
);
create index customer_email on customer (provider_id, lower(email)) where email is not null;
create index customer_mobile on customer (provider_id, mobile) where mobile is not null;
create index customer_user on customer (user_id);

create table timeslot (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint not null references resource,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  raster integer not null check (raster > 0),
  default_capacity integer not null check (default_capacity >= 0),
  default_accept_bookings boolean not null,
  address jsonb,
  state text not null check (state in ('CREATED', 'BOOKABLE')),
  created_at timestamptz not null default now(),
  constraint timeslot_reference unique (provider_id, reference),
  constraint timeslot_window check (start_at < end_at)
);
create index timeslot_resource on timeslot (resource_id, end_at);

-- blocked_from, blocked_to: the Appointment with the buffers of its Product, fixed when it is made.
-- origin: 'consumer' when a reservation or booking made it out of a Timeslot; it lives as long as somebody is in it.
create table appointment (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint not null references resource,
  product_id bigint not null references product,
  timeslot_id bigint references timeslot on delete set null,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  origin text not null check (origin in ('consumer', 'provider')),
  start_at timestamptz not null,
  end_at timestamptz not null,
  blocked_from timestamptz not null,
  blocked_to timestamptz not null,
  capacity integer not null check (capacity >= 0),
  accept_bookings boolean not null,
  product_name text,
  contact_user_id bigint references app_user,
  contact_profile_id bigint references contact_profile,
  description text,
  notes text,
  address jsonb,
  price_value numeric,
  price_currency text check (price_currency in ('EUR', 'CHF')),
  series_id uuid,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'CANCELLED')),
  archived boolean not null default false,
  content_digest bytea,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint appointment_window check (start_at < end_at and blocked_from <= start_at and blocked_to >= end_at),
  -- The last word against overselling: whatever the code above it does, two of these never overlap.
  constraint appointment_no_overlap exclude using gist (
    resource_id with =, tstzrange(blocked_from, blocked_to) with &&
  ) where (origin = 'consumer' and state = 'ACTIVE' and deleted_at is null)
);
create unique index appointment_reference on appointment (provider_id, reference) where deleted_at is null;
-- A slot becomes one Appointment: two first bookers join it and never make twins.
create unique index appointment_slot on appointment (timeslot_id, start_at)
  where origin = 'consumer' and state = 'ACTIVE' and deleted_at is null;
create index appointment_active on appointment (resource_id, blocked_to) where state = 'ACTIVE' and deleted_at is null;
create index appointment_list on appointment (provider_id, start_at, id) where deleted_at is null;
create index appointment_resource on appointment (resource_id, start_at);
create index appointment_timeslot on appointment (timeslot_id);
create index appointment_series on appointment (provider_id, series_id) where series_id is not null;

-- A hold is a RESERVED Participation; past expires_at it counts for nothing, whether tidied up or not.
create table participation (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  appointment_id bigint not null references appointment on delete cascade,
  customer_id bigint references customer,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  name text,
  email text,
  mobile text,
  note text,
  state text not null check (state in ('RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED')),
  expires_at timestamptz,
  messages text[] not null default '{}',
  language text,
  channel_key text,
  ics_sequence integer not null default 0,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint participation_expiry check ((state = 'RESERVED') = (expires_at is not null))
);
create unique index participation_reference on participation (provider_id, reference) where deleted_at is null;
create unique index participation_once on participation (appointment_id, customer_id)
  where state in ('BOOKED', 'REQUESTED');
create index participation_appointment on participation (appointment_id);
create index participation_customer on participation (customer_id);
create index participation_expiring on participation (expires_at) where state = 'RESERVED';

alter table mail add column participation_id bigint references participation on delete set null;
alter table mail add column customer_id bigint references customer;
-- The last mail to somebody who was erased: emptied when it is delivered or given up.
alter table mail add column erase_when_done boolean not null default false;
create index mail_participation on mail (participation_id);
create index mail_customer on mail (customer_id);

create function iso_utc(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    || case when extract(milliseconds from at)::int % 1000 = 0 then '' else to_char(at at time zone 'UTC', '.MS') end
    || 'Z'
$$;

-- Counts against capacity: confirmed, requested, and held until the hold expires.
create function takes_place(state text, expires_at timestamptz, now timestamptz) returns boolean
language sql immutable parallel safe as $$
  select state in ('BOOKED', 'REQUESTED') or (state = 'RESERVED' and expires_at > now)
$$;
