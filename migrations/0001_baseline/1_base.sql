-- The model as it was at the first release; what changes afterwards has a numbered file of its own (docs/upgrade.md).
-- works from 1

-- What every other part builds on: the clock, and what the processes of one installation tell each other.

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

-- Counters of the rate limits, shared by all instances. Unlogged: losing them in a crash costs nothing.
create unlogged table rate_window (
  bucket text not null,
  window_start timestamptz not null,
  hits integer not null,
  primary key (bucket, window_start)
);

create function window_of(seconds integer) returns timestamptz language sql stable as $$
  select to_timestamp(floor(extract(epoch from app_now()) / seconds) * seconds)
$$;

-- Counts in the transaction that does what is counted, or ends it where a bucket is full: HF429, with the seconds that
-- its window still lasts. In one order for all: nobody waits for whoever waits for them.
create function count_or_refuse(names text[], seconds integer[], most integer[]) returns void language plpgsql as $$
declare
  wait double precision;
begin
  with wanted as (
    select name, min(length) as length, min(allowed) as allowed, count(*)::integer as hits
    from unnest(names, seconds, most) as asked (name, length, allowed) group by name
  ), counted as (
    insert into rate_window (bucket, window_start, hits)
    select name, window_of(length), hits from wanted order by name
    on conflict (bucket, window_start) do update set hits = rate_window.hits + excluded.hits
    returning bucket, window_start, hits
  )
  select max(length - extract(epoch from app_now() - window_start)) into wait
  from counted join wanted on name = bucket where counted.hits > allowed;
  if wait is not null then
    raise exception 'A rate limit is reached.' using errcode = 'HF429', detail = ceil(wait)::text;
  end if;
end
$$;

-- Answers to requests that came with an Idempotency-Key, for a day. `id` is a hash of caller and key, `digest` tells
-- whether a request is the same one, `answer` is encrypted with the caller's key.
create table kept_answer (
  id bytea primary key,
  digest bytea not null,
  answer bytea not null,
  kept_at timestamptz not null
);
create index kept_answer_age on kept_answer (kept_at);

-- Who still works: jobs of a worker that has not been seen for a while are handed to others.
create table worker_heartbeat (
  worker_id text primary key,
  seen_at timestamptz not null default now()
);

-- Which SECRET_KEY this database has been used with, for whoever starts with another one. One row.
create table secret_fingerprint (
  single boolean primary key default true check (single),
  fingerprint text not null
);
