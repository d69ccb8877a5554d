-- The calendar of a Provider: for whom, when it is open, and what is in it.

-- Somebody a Provider knows; behind it may be a User, who can be the Customer of many.
-- invited: made or accepted by the CRM or the console. Whoever merely booked is a Customer too, but not one for whom a
-- channel for Customers is open.
-- mobile_key and unconfirmed: as those of a User.
-- former_emails: in small letters. What was written under one of them is still theirs: to be mailed and to be erased.
create table customer (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  user_id bigint references app_user,
  name text not null,
  email text,
  mobile text,
  mobile_key text,
  unconfirmed text[] not null default '{}',
  note text,
  language text,
  invited boolean not null default false,
  former_emails text[] not null default '{}',
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  constraint customer_reference unique (provider_id, reference)
);
create index customer_email on customer (provider_id, lower(email)) where email is not null;
-- When somebody was forgotten last: calendars that were fetched before are fetched anew.
create index customer_erased on customer (provider_id, erased_at) where erased_at is not null;
create index customer_list on customer (provider_id, id) where erased_at is null;
create index customer_mobile on customer (provider_id, mobile_key) where mobile_key is not null;
-- One index for both questions: which Customers a User is, and whether they are one of this Provider.
create unique index customer_of_user on customer (user_id, provider_id) where user_id is not null;

-- What somebody types at the reception finds a Customer by the beginning of any word of these. Each word begins with the
-- Provider: a single letter then leads to that Provider's words, and not to everybody's. Digits of a number stand together,
-- whatever stood between them.
create function customer_words(provider_id bigint, name text, email text, mobile text, reference text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(array (
    select distinct provider_id || ':' || left(word, 200) from unnest(
      regexp_split_to_array(lower(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || reference), '[\s,;]+')
      || regexp_replace(coalesce(mobile, ''), '\D', '', 'g')
    ) as word where word <> ''
  ))
$$;
create index customer_search on customer using gin (customer_words(provider_id, name, email, mobile, reference));

-- Opening hours of a Resource: rules in local time that are made into Timeslots some weeks ahead, by a daily job.
create table opening_hours (
  resource_id bigint primary key references resource on delete cascade,
  provider_id bigint not null references provider,
  weeks integer not null default 12 check (weeks between 1 and 104),
  made_until date not null
);
create index opening_hours_provider on opening_hours (provider_id);

-- from_minute, to_minute: since local midnight; past 1440 the rule runs into the next day. weekdays: 1 is Monday.
create table opening_rule (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint not null references opening_hours on delete cascade,
  uuid uuid not null unique default gen_random_uuid(),
  position integer not null,
  weekdays integer[] not null,
  from_minute integer not null check (from_minute between 0 and 1439),
  to_minute integer not null check (to_minute > from_minute and to_minute <= from_minute + 1440),
  raster integer not null check (raster > 0),
  capacity integer not null check (capacity >= 0),
  accept_bookings boolean not null,
  valid_from date,
  valid_until date
);
create index opening_rule_resource on opening_rule (resource_id);

-- When a Resource can be booked: a window cut into slots of `raster` minutes.
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
  -- Made by opening hours for this day; without a rule it is what is left of one, for those who are booked in it.
  opening_rule_id bigint references opening_rule on delete set null,
  opening_day date,
  created_at timestamptz not null default now(),
  constraint timeslot_reference unique (provider_id, reference),
  constraint timeslot_window check (start_at < end_at)
);
create index timeslot_resource on timeslot (resource_id, end_at);
create index timeslot_by_reference on timeslot (reference);
create unique index timeslot_opening on timeslot (opening_rule_id, opening_day) where opening_rule_id is not null;
create index timeslot_rest on timeslot (end_at) where opening_rule_id is null and opening_day is not null;

-- Time that a Provider takes off offer. Timeslots stay as they are, and so does whoever is booked.
-- from_text, to_text: as it was said, for a day or a time without a zone is read in the zone the Provider has.
-- is_block: staff keep this time for themselves; nobody outside sees why.
-- holiday: the day of a public holiday, which is added once, however often it is asked for.
create table closure (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  uuid uuid not null unique default gen_random_uuid(),
  from_text text not null,
  to_text text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  reason text not null,
  is_block boolean not null default false,
  holiday date,
  created_at timestamptz not null default now(),
  constraint closure_window check (from_at < to_at)
);
create index closure_list on closure (provider_id, to_at);
create unique index closure_holiday on closure (provider_id, holiday) where holiday is not null;

-- What a closure means for Resources: one row for each, or one without a Resource for all of the Provider, also for those
-- that are made later. Its times stand here too: slot lists are made with one look into the index and need no more.
create table closed_time (
  closure_id bigint not null references closure on delete cascade,
  provider_id bigint not null references provider,
  resource_id bigint references resource on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz not null
);
create index closed_time_closure on closed_time (closure_id);
create index closed_time_span on closed_time (provider_id, resource_id, to_at);
create index closed_time_resource on closed_time (resource_id) where resource_id is not null;

-- A Resource is busy with a Product from start to end; its Participations say who comes.
-- blocked_from, blocked_to: the Appointment with the buffers of its Product, fixed when it is made.
-- Vacuumed early and often (autovacuum_...): most holds never become a booking, and what they leave is to be used again.
-- origin: 'consumer' when a reservation or booking made it out of a Timeslot; it lives as long as somebody is in it.
-- claim: the Appointment whose time it may share. Somebody has asked to move from there to here, by less than it lasts, and has
-- both until the provider has decided; then one of the two ends.
-- moved_at: when the provider last gave it another time; calendars in which nobody's name stands count by it.
-- provider_id: that of its Resource. Not checked by itself, here as in a Participation: each check costs a hold as much as an index.
create table appointment (
  id bigint generated always as identity primary key,
  provider_id bigint not null,
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
  claim bigint references appointment on delete set null,
  created_at timestamptz not null default now(),
  moved_at timestamptz,
  deleted_at timestamptz,
  constraint appointment_window check (start_at < end_at and blocked_from <= start_at and blocked_to >= end_at),
  -- The last word against overselling: whatever the code above it does, two of these never overlap, unless they are one claim.
  constraint appointment_no_overlap exclude using gist (
    resource_id with =, tstzrange(blocked_from, blocked_to) with &&, coalesce(claim, id) with <>
  ) where (origin = 'consumer' and state = 'ACTIVE' and deleted_at is null)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
-- One index for both questions: the Appointment of a Provider, and the one that only the reference names.
-- What is deleted, or was archived with its Resource, keeps no reference from being used again.
create unique index appointment_reference on appointment (reference, provider_id)
  where deleted_at is null and not archived;
-- Few have a contact of their own.
create index appointment_contact on appointment (contact_user_id) where contact_user_id is not null;
create index appointment_profile on appointment (contact_profile_id) where contact_profile_id is not null;
create index appointment_archived on appointment (reference, provider_id) where archived;
-- A slot becomes one Appointment: two first bookers join it and never make twins.
create unique index appointment_slot on appointment (timeslot_id, start_at)
  where origin = 'consumer' and state = 'ACTIVE' and deleted_at is null and claim is null;
create index appointment_claim on appointment (claim) where claim is not null;
create index appointment_active on appointment (resource_id, blocked_to) where state = 'ACTIVE' and deleted_at is null;
create index appointment_list on appointment (provider_id, start_at, id) where deleted_at is null;
create index appointment_resource on appointment (resource_id, start_at);
create index appointment_timeslot on appointment (timeslot_id);
create index appointment_series on appointment (provider_id, series_id) where series_id is not null;
-- Of all Appointments on purpose: before the first statistics the planner takes a partial index for a tiny one and
-- reads all of it. With the same condition as appointment_active, this one made every slot list read everybody's.
create index appointment_upcoming on appointment (start_at);
create index appointment_gone on appointment (deleted_at) where deleted_at is not null and origin = 'consumer';

-- Keeps resource.longest_block true: once a statement for what is inserted, a row at a time for what is moved.
create function note_longest_blocks() returns trigger language plpgsql as $$
begin
  update resource set longest_block = longest
    from (select resource_id, max(blocked_to - blocked_from) as longest from written group by resource_id) written
    where id = resource_id and longest_block < longest;
  return null;
end
$$;
create trigger appointment_written after insert on appointment
  referencing new table as written for each statement execute function note_longest_blocks();

create function note_longest_block() returns trigger language plpgsql as $$
begin
  update resource set longest_block = new.blocked_to - new.blocked_from
    where id = new.resource_id and longest_block < new.blocked_to - new.blocked_from;
  return null;
end
$$;
create trigger appointment_moved after update of blocked_from, blocked_to, resource_id on appointment
  for each row execute function note_longest_block();

-- A calendar that other programs subscribe to by a secret address, of which only the hash is kept.
-- Of a Resource, of a User of the staff, or of the whole Provider where neither is named.
create table calendar_feed (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint references resource on delete cascade,
  user_id bigint references app_user,
  uuid uuid not null unique default gen_random_uuid(),
  hash bytea not null unique,
  description text,
  with_names boolean not null,
  created_at timestamptz not null default now(),
  last_read_at timestamptz,
  constraint calendar_feed_of check (resource_id is null or user_id is null)
);
create index calendar_feed_provider on calendar_feed (provider_id);
