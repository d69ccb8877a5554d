-- works from 1
-- Jobs that a committed transaction wants. They are handed to the queue shortly after: the queue notifies its workers, and
-- PostgreSQL commits transactions that notify one after the other. Rows live for a moment, so the table is vacuumed often.
create table job_request (
  priority smallint not null,
  id bigint generated always as identity,
  kind text not null,
  payload json not null,
  run_at timestamptz not null,
  max_attempts smallint,
  key text,
  flags text[],
  primary key (priority, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
