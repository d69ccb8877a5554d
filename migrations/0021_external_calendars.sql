-- works from 1
-- Calendars outside that block time of a Resource. They never cancel, move or create anything here.
-- sealed: the address, user name and password, encrypted with SECRET_KEY. Addresses are secrets too: they open the calendar.
-- calendars: the calendars of a CalDAV account that are read, by path; null for all.
-- closed_since: not fresh for stale_hours, and the Resource does not stay open then.
create table calendar_source (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint not null references resource on delete cascade,
  uuid uuid not null unique default gen_random_uuid(),
  kind text not null check (kind in ('ics', 'caldav')),
  name text not null,
  host text not null,
  user_name text,
  sealed bytea not null,
  calendars text[],
  tentative_is_busy boolean not null default true,
  show_titles boolean not null default false,
  stale_hours integer not null default 24 check (stale_hours between 1 and 720),
  stay_open boolean not null default true,
  paused_at timestamptz,
  closed_since timestamptz,
  created_at timestamptz not null default now()
);
create index calendar_source_resource on calendar_source (provider_id, resource_id);
create index calendar_source_of on calendar_source (resource_id);
create index calendar_source_closed on calendar_source (resource_id) where closed_since is not null;

-- What is known about each source. Apart from it, because it is written at every look and the source is not.
-- validators: ETag and the like, to ask whether anything changed; digest: of the last answer.
-- worked_until: the lease of the process that reads it, and its number.
create table calendar_check (
  source_id bigint primary key references calendar_source on delete cascade,
  provider_id bigint not null references provider,
  next_at timestamptz not null default now(),
  worked_until timestamptz not null default '-infinity',
  worked_by uuid,
  validators jsonb not null default '{}',
  digest bytea,
  read_until timestamptz,
  time_zone text,
  checked_at timestamptz,
  changed_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  problem text,
  problem_detail text,
  skipped integer not null default 0,
  stale_told_at timestamptz
) with (fillfactor = 70);
create index calendar_check_due on calendar_check (next_at);

-- Busy time. No row is longer than a day, so that what overlaps a slot is near it in the index. resource_id refers to no table,
-- because checking it would lock the Resource while thousands of rows are written, and bookings would wait.
create table busy_span (
  provider_id bigint not null references provider,
  resource_id bigint not null,
  source_id bigint not null references calendar_source on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz not null,
  title text,
  constraint busy_span_length check (from_at < to_at and to_at <= from_at + interval '1 day')
);
create index busy_span_resource on busy_span (resource_id, to_at);
create index busy_span_source on busy_span (source_id);
