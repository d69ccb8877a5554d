create extension if not exists btree_gist;

-- The service's only clock. Every rule about time asks the database, so that all instances agree; the shift is
-- empty in production and lets tests move time without waiting.
create function app_now() returns timestamptz language sql stable parallel safe as $$
  select now() + coalesce(nullif(current_setting('holdfast.clock_shift', true), ''), '0')::interval
$$;

-- Like app_now(), but the moment of the call: after waiting for a lock, the transaction's start is too old.
create function app_clock() returns timestamptz language sql volatile parallel safe as $$
  select clock_timestamp() + coalesce(nullif(current_setting('holdfast.clock_shift', true), ''), '0')::interval
$$;

create table crm (
  id bigint generated always as identity primary key,
  name text not null unique,
  language text,
  created_at timestamptz not null default now()
);

create table api_key (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  uuid uuid not null unique default gen_random_uuid(),
  prefix text not null,
  hash bytea not null unique,
  label text,
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_key_crm on api_key (crm_id);

-- A User without a reference is somebody who once booked; Create User may attach a reference later.
create table app_user (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  uuid uuid not null unique default gen_random_uuid(),
  reference text,
  email text,
  username text,
  first_name text,
  last_name text,
  phone text,
  mobile text,
  language text not null,
  verification_nonce uuid not null default gen_random_uuid(),
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  constraint app_user_reference unique (crm_id, reference)
);
create unique index app_user_email on app_user (lower(email)) where reference is not null;
create unique index app_user_consumer_email on app_user (crm_id, lower(email)) where reference is null;
create unique index app_user_username on app_user (lower(username));
create index app_user_mobile on app_user (crm_id, mobile);

create table account (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  reference text not null,
  owner_id bigint not null references app_user,
  branch text not null,
  invoice_address jsonb,
  invoice_contact_name text,
  invoice_company_name text,
  invoice_tax_id text,
  email text,
  created_at timestamptz not null default now(),
  constraint account_reference unique (crm_id, reference)
);
create index account_owner on account (owner_id);

create table provider (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  owner_id bigint not null references app_user,
  account_id bigint not null references account,
  name text not null,
  email text,
  mobile text,
  phone text,
  impressum text,
  branch text,
  subbranch text,
  description text,
  time_zone text not null,
  language text not null,
  created_at timestamptz not null default now(),
  constraint provider_reference unique (crm_id, reference)
);
create index provider_owner on provider (owner_id);
create index provider_account on provider (account_id);

create table staff (
  provider_id bigint not null references provider,
  user_id bigint not null references app_user,
  attached_at timestamptz not null default now(),
  primary key (provider_id, user_id)
);
create index staff_user on staff (user_id);
