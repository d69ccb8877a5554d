create table product (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  name text not null,
  description text,
  min_duration integer,
  max_duration integer,
  lead_minutes integer,
  follow_up_minutes integer,
  created_at timestamptz not null default now(),
  constraint product_reference unique (provider_id, reference)
);

-- A general profile (no provider) is the User's default; a provider profile presents the User for one Provider.
create table contact_profile (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  provider_id bigint references provider,
  user_id bigint not null references app_user,
  reference text,
  name text not null,
  created_at timestamptz not null default now(),
  constraint contact_profile_reference unique (provider_id, reference),
  constraint contact_profile_kind check ((provider_id is null) = (reference is null))
);
create unique index contact_profile_general on contact_profile (user_id) where provider_id is null;

create table contact_channel (
  crm_id bigint not null references crm,
  profile_id bigint not null references contact_profile on delete cascade,
  type text not null,
  label text,
  value text not null,
  position integer not null,
  primary key (profile_id, type)
);

-- revision: raised by every change to what the Resource can still sell. The update that raises it is also the lock
-- that queues rivals, and readers tell from it whether their picture is still true.
create table resource (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  public_name text not null,
  internal_name text not null,
  description text,
  contact_user_id bigint references app_user,
  contact_profile_id bigint references contact_profile,
  website text,
  address jsonb,
  archived boolean not null default false,
  revision bigint not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
) with (fillfactor = 70);
create unique index resource_reference on resource (provider_id, reference) where deleted_at is null;
create index resource_by_reference on resource (reference) where deleted_at is null;
create index resource_contact on resource (contact_user_id);

create table resource_product (
  provider_id bigint not null references provider,
  resource_id bigint not null references resource on delete cascade,
  product_id bigint not null references product,
  position integer not null,
  primary key (resource_id, product_id)
);
create index resource_product_product on resource_product (product_id);

-- Each Resource has all four channels from the start. product_ids null = all Products.
create table channel (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint not null references resource on delete cascade,
  uuid uuid not null unique default gen_random_uuid(),
  key text not null,
  visible boolean not null default true,
  customers_only boolean not null default false,
  booking_process text not null default 'IMMEDIATE' check (booking_process in ('IMMEDIATE', 'REQUESTED')),
  product_ids bigint[],
  minimum_notice_minutes integer not null default 0,
  horizon_days integer,
  show_full boolean not null default false,
  reminder_hours integer not null default 24,
  constraint channel_key unique (resource_id, key)
);
