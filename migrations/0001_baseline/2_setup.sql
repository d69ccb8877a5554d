-- Who offers what: CRMs and their keys, people, Accounts, Providers, Products, Resources and how they are booked.

-- The tenant that an integrator works in. Its name is the {crmId} of the paths.
-- erased_at: when one of its Customers was last erased. What receivers answer to news from before that is not kept.
create table crm (
  id bigint generated always as identity primary key,
  name text not null unique,
  language text,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  -- After how long the daily job forgets; null: as the operator has set it for all.
  retention_mail_days integer check (retention_mail_days between 7 and 36500),
  retention_customer_months integer check (retention_customer_months between 1 and 1200)
);

-- What an integrator shows with each request. Only its hash is kept; the prefix is for people who look for it.
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
-- What happened names a key by its prefix.
create index api_key_prefix on api_key (prefix);

-- A User without a reference is somebody who once booked; Create User may attach a reference later.
-- unconfirmed: the columns that a stranger filled in by booking under this address. They are kept, and never shown to others.
-- mobile_key: the number as people are found by it, E.164 where it can be read as one.
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
  mobile_key text,
  unconfirmed text[] not null default '{}',
  language text not null,
  verification_nonce uuid not null default gen_random_uuid(),
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index app_user_reference on app_user (crm_id, reference) where reference is not null;
create unique index app_user_username on app_user (lower(username)) where username is not null;
create unique index app_user_email on app_user (lower(email)) where reference is not null;
-- In a CRM one address is one person, whether they have a reference or once booked: who makes the User and who books at the
-- same moment get the same one. The address first: an index that begins with the CRM invites the planner to read all the
-- people of that CRM.
create unique index app_user_person_email on app_user (lower(email), crm_id);
create index app_user_mobile on app_user (mobile_key, crm_id) where mobile_key is not null;

-- Who pays, and for what kind of business.
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

-- Whose appointments are booked: a business with a time zone and a language.
-- privacy_url, terms: what consumers are told before they book; terms_required: they must agree to the terms.
-- resource_word: what its Resources are to consumers, such as Doctor or Room.
-- accent_color, logo_url: how its pages, mails and widgets look. Both are checked before they get here. A logo that we
-- keep is named by its path, which stays right wherever the service moves; one elsewhere by its whole address.
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
  pre_identification boolean not null default false,
  accent_color text,
  logo_url text,
  privacy_url text,
  terms text,
  terms_required boolean not null default false,
  resource_word text,
  created_at timestamptz not null default now(),
  constraint provider_reference unique (crm_id, reference)
);
create index provider_owner on provider (owner_id);
create index provider_account on provider (account_id);

-- The logo that a Provider has handed to us.
create table logo (
  provider_id bigint primary key references provider,
  uuid uuid not null unique default gen_random_uuid(),
  type text not null,
  bytes bytea not null
);

-- The Users who work for a Provider.
create table staff (
  provider_id bigint not null references provider,
  user_id bigint not null references app_user,
  attached_at timestamptz not null default now(),
  primary key (provider_id, user_id)
);
create index staff_user on staff (user_id);

-- What can be booked, how long it may take, and the minutes that are needed before and after.
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
create index product_by_reference on product (reference);

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

-- The ways to reach the person of a profile, in the order in which they are shown.
create table contact_channel (
  crm_id bigint not null references crm,
  profile_id bigint not null references contact_profile on delete cascade,
  type text not null,
  label text,
  value text not null,
  position integer not null,
  primary key (profile_id, type)
);

-- Who or what is booked: a person, a room, a machine.
-- revision: raised by every change to what the Resource can still sell. The update that raises it is also the lock
-- that queues rivals, and readers tell from it whether their picture is still true.
-- touched: what the last changes concerned, newest first, as `revision:from-to;` with minutes since 1970. A change that says
-- nothing here may have concerned anything. Who knows an older picture needs only look at what was touched since.
-- longest_block: how long its longest Appointment keeps it, buffers included; it never shrinks. With it, what can be
-- in the way of one slot is a short piece of an index, however many Appointments come after.
-- Room beside each row (fillfactor): it is changed by every booking, and its indexes stay as they are.
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
  touched text not null default '0:0-0;',
  longest_block interval not null default '0',
  created_at timestamptz not null default now(),
  deleted_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create unique index resource_reference on resource (provider_id, reference) where deleted_at is null;
-- Deleted ones too: nobody inherits a name.
create index resource_by_reference on resource (reference);
-- Deleted ones too: their Appointments are still listed under their reference.
create index resource_by_provider on resource (provider_id, reference);
-- The longest block of a whole Provider, which bounds what overlaps a period.
create index resource_longest on resource (provider_id, longest_block);
create index resource_contact on resource (contact_user_id);
create index resource_profile on resource (contact_profile_id) where contact_profile_id is not null;

-- The Products of a Resource, in the order of the list. None: it supports every Product of its Provider.
create table resource_product (
  provider_id bigint not null references provider,
  resource_id bigint not null references resource on delete cascade,
  product_id bigint not null references product,
  position integer not null,
  primary key (resource_id, product_id)
);
create index resource_product_product on resource_product (product_id);

-- A way to book a Resource, and its rules. Each Resource has all four from the start. product_ids null = all Products.
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
  -- So long before the start consumers can no longer cancel or move by themselves.
  change_notice_minutes integer not null default 0,
  constraint channel_key unique (resource_id, key)
);
-- How far ahead the longest reminder looks, asked every minute.
create index channel_reminder on channel (reminder_hours);
