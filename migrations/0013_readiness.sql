-- works from 1
-- The highest timeline that any instance has seen in a PostgreSQL cluster. A host whose own timeline is lower was replaced.
create table cluster_timeline (
  system_identifier text primary key,
  timeline integer not null
);

-- Each process writes its own row every few seconds, to check that a booking could be written.
create table write_probe (
  process_id uuid primary key,
  written_at timestamptz not null default now()
);
