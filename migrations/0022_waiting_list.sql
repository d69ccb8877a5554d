-- works from 1
-- The waiting list. An offer is a hold (a RESERVED Participation of that Customer); `waiting_offer` says whom it was made to, and how
-- it ended.
-- A table of its own: every call reads the Provider with all its columns, and a new one would end the prepared statements of the
-- previous version on all connections at once. Without a row, the defaults apply.
create table waiting_rule (
  provider_id bigint primary key references provider,
  offer_minutes integer not null default 120 check (offer_minutes between 5 and 10080),
  quiet_from text not null default '21:00',
  quiet_until text not null default '08:00'
);

create table waiting_entry (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  customer_id bigint not null references customer,
  uuid uuid not null default gen_random_uuid() unique,
  product_id bigint not null references product,
  -- Null for any Resource.
  resource_ids bigint[],
  channel_key text not null,
  from_date date not null,
  to_date date not null,
  -- Bit 0 is Monday.
  weekdays smallint not null default 127 check (weekdays between 1 and 127),
  -- Minutes of the local day.
  from_minute smallint not null default 0,
  to_minute smallint not null default 1440,
  note text,
  priority integer not null default 0,
  priority_reason text,
  -- "Earlier than mine": the booking that an offer would replace.
  replaces bigint references participation on delete cascade,
  places smallint not null default 1,
  -- Equal for equal wishes.
  wish text not null,
  state text not null check (state in ('UNCONFIRMED', 'WAITING', 'OFFERED', 'BOOKED', 'LEFT', 'ENDED')),
  ended_because text,
  unanswered smallint not null default 0,
  language text,
  locale text,
  time_zone text,
  since timestamptz not null default app_clock(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check (from_date <= to_date),
  check (from_minute >= 0 and from_minute < to_minute and to_minute <= 1440)
);
create index waiting_entry_line on waiting_entry (provider_id, priority desc, since, id) where state = 'WAITING';
create index waiting_entry_channel on waiting_entry (provider_id, channel_key) where state = 'WAITING';
create index waiting_entry_list on waiting_entry (provider_id, id);
create index waiting_entry_open on waiting_entry (provider_id) where state in ('UNCONFIRMED', 'WAITING', 'OFFERED');
create index waiting_entry_unconfirmed on waiting_entry (created_at) where state = 'UNCONFIRMED';
create index waiting_entry_customer on waiting_entry (customer_id);
create index waiting_entry_product on waiting_entry (product_id);
create index waiting_entry_replaces on waiting_entry (replaces) where replaces is not null;
create index waiting_entry_over on waiting_entry (to_date) where state in ('UNCONFIRMED', 'WAITING', 'OFFERED');
create unique index waiting_entry_wish on waiting_entry (provider_id, customer_id, wish) where state in ('WAITING', 'OFFERED');

create table waiting_offer (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  entry_id bigint not null references waiting_entry on delete cascade,
  customer_id bigint not null references customer,
  uuid uuid not null default gen_random_uuid() unique,
  -- The hold is found by it, and completed with it.
  placeholder uuid not null unique,
  resource_id bigint not null references resource,
  start_at timestamptz not null,
  end_at timestamptz not null,
  made_at timestamptz not null default app_clock(),
  expires_at timestamptz not null,
  by_hand boolean not null default false,
  outcome text check (outcome in ('TAKEN', 'DECLINED', 'LAPSED', 'WITHDRAWN')),
  ended_at timestamptz
);
-- One live offer for each person and entry, and never the same time twice.
create unique index waiting_offer_live on waiting_offer (provider_id, customer_id) where outcome is null;
create unique index waiting_offer_open on waiting_offer (entry_id) where outcome is null;
create unique index waiting_offer_once on waiting_offer (entry_id, resource_id, start_at);
create index waiting_offer_held on waiting_offer (resource_id) where outcome is null;
create index waiting_offer_due on waiting_offer (expires_at) where outcome is null;
create index waiting_offer_resource on waiting_offer (resource_id, start_at);
create index waiting_offer_customer on waiting_offer (customer_id);

-- Up to which revision a Resource was searched for times to offer.
create table waiting_scan (
  provider_id bigint not null references provider on delete cascade,
  resource_id bigint primary key references resource on delete cascade,
  revision bigint not null,
  scanned_at timestamptz not null default app_clock()
);
create index waiting_scan_provider on waiting_scan (provider_id);
