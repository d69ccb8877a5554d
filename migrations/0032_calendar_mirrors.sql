-- works from 1
-- Bookings of a Resource, written into one calendar outside. Which bookings are written follows from the bookings themselves: a mirror
-- whose revision is not the Resource's compares the two, so nothing is lost whenever a process dies.
-- sealed: of its own, because what was written is removed after the source is gone or has another address.
-- url: of the calendar, once found; token: the server's, when all entries were last compared.
-- ended_at: switched off. What it wrote is removed, then the row.
create table calendar_mirror (
  id bigint generated always as identity primary key,
  provider_id bigint not null references provider,
  resource_id bigint not null references resource on delete cascade,
  source_id bigint references calendar_source on delete set null,
  sealed bytea not null,
  path text not null,
  with_names boolean not null,
  ended_at timestamptz,
  url text,
  token text,
  revision bigint,
  not_before timestamptz not null default now(),
  look_at timestamptz not null default now(),
  worked_until timestamptz not null default '-infinity',
  worked_by uuid,
  done_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  problem text,
  problem_detail text
) with (fillfactor = 70);
create unique index calendar_mirror_resource on calendar_mirror (provider_id, resource_id) where ended_at is null;
create index calendar_mirror_of on calendar_mirror (resource_id);
create index calendar_mirror_source on calendar_mirror (source_id);

-- What a mirror wrote. uid stays as it was written first; servers refuse to change it.
-- written: digest of what we wrote last; null if it is to be written again. stored: the same as the server keeps it, if it differs.
-- sent: digests of what was sent since, because its answer may be lost.
-- etag: of the entry in the calendar; null if there is none. notice: what was done to it there.
create table mirror_entry (
  provider_id bigint not null references provider,
  mirror_id bigint not null references calendar_mirror on delete cascade,
  uuid uuid not null,
  uid text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  written text,
  stored text,
  sent text[] not null default '{}',
  etag text,
  notice text check (notice in ('changed', 'deleted')),
  noticed_at timestamptz,
  primary key (provider_id, mirror_id, uuid)
);
create index mirror_entry_mirror on mirror_entry (mirror_id);
create index mirror_entry_uuid on mirror_entry (uuid);
create index mirror_entry_notice on mirror_entry (mirror_id) where notice is not null;
