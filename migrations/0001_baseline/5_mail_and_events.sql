-- What people are told about what happened, and who did it.

-- A mail is written by the transaction that causes it and rendered from data when it is sent or looked at.
-- state: queued (a job will send it), sent, failed (given up), kept (there is no SMTP server; read it in the console).
-- batch: mails that are written at the same moment are delivered by one job: most of what a job costs is the job. The
-- ids of all of them, so that asking for one that still waits finds that job.
-- data_of: the mail that keeps the data of this one, too: the two of a booking are made from the same. Both go together.
-- crm_id: null for mails to those who run the service. Neither it nor provider_id is checked at each mail, as in an event below.
-- erase_when_done: the last mail to somebody who was erased, emptied when it is delivered or given up.
-- unsent: failed or kept, which people look for among millions that were sent. By a column of its own: every mail changes its
-- state, and an index by that would have each of them written into all indexes twice.
create table mail (
  id bigint generated always as identity primary key,
  crm_id bigint,
  provider_id bigint,
  user_id bigint references app_user,
  participation_id bigint references participation on delete set null,
  uuid uuid not null unique default gen_random_uuid(),
  kind text not null,
  recipient text,
  language text not null,
  data jsonb,
  data_of bigint,
  batch bigint[],
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  last_error text,
  erase_when_done boolean not null default false,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unsent text generated always as (case when state in ('failed', 'kept') then state end) stored,
  constraint mail_data check (data is not null or data_of is not null)
) with (fillfactor = 85);
create index mail_provider on mail (provider_id, id desc);
-- Who asks what somebody was sent asks by their address.
create index mail_recipient on mail (lower(recipient), id) where recipient is not null;
create index mail_unsent on mail (unsent, id) where unsent is not null;
create index mail_unsent_of on mail (provider_id, unsent, id) where unsent is not null;
-- The usual kinds are found by looking at the newest mails.
create index mail_unusual on mail (kind, id) where kind not in ('booked', 'booking-notice', 'reminder');
-- A few bytes for each hundred pages: mails come in the order of time.
create index mail_age on mail using brin (created_at);
create index mail_participation on mail (participation_id);
create index mail_user on mail (user_id) where user_id is not null;

-- What happened: one row for each change, written by the transaction that makes it and never changed again. Who did
-- what, webhooks and feeds are read from here. It holds no personal data, so that nothing in it has to be erased:
-- subject is the id of the row that the first word of the kind means, and detail is there for what cannot be found by an
-- id (the reference of a Timeslot that is deleted for good, the key of a channel).
-- The order of the log is era, xid, id; see docs/decisions/0003-events.md. No foreign keys: checking them would cost a
-- booking more than the row does, and neither CRMs nor Providers are ever deleted.
create table event (
  crm_id bigint not null,
  era integer not null,
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  uuid uuid not null default gen_random_uuid(),
  kind text not null,
  provider_id bigint,
  subject bigint,
  detail text,
  actor_kind text not null check (actor_kind in ('key', 'console', 'consumer', 'service')),
  actor text,
  at timestamptz not null default app_clock(),
  primary key (crm_id, era, xid, id)
);
-- By time: who asks for the log of a Provider asks for the newest, or for what happened since.
create index event_provider on event (provider_id, at, id);

-- Numbers of transactions begin anew where a dump is restored into another cluster: a new era begins with them.
create table event_era (
  number integer primary key,
  since timestamptz not null default now()
);
insert into event_era (number) values (1);

-- Events are deleted when they are old, from the beginning of each log: up to here. Whoever had read up to this place has
-- missed nothing.
create table event_pruned (
  crm_id bigint primary key references crm,
  era integer not null,
  xid xid8 not null,
  event_id bigint not null
);

-- An address to which a CRM wants its events sent. The events themselves are the queue: after_* is the place in the log up
-- to which all are delivered, ahead are those few behind it that were delivered before one that failed.
-- secret: sealed with a key of the service's. old_secret signs beside it until old_until, so that receivers can change over.
-- off_reason: why it gets nothing (paused by the CRM, gone: it answered 410, failing: days of nothing but failures).
-- worked_until: somebody delivers right now; whoever dies is followed by another then.
create table webhook (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  uuid uuid not null unique default gen_random_uuid(),
  url text not null,
  kinds text[],
  provider_ids bigint[],
  description text,
  secret bytea not null,
  old_secret bytea,
  old_until timestamptz,
  after_era integer not null,
  after_xid xid8 not null,
  after_id bigint not null,
  ahead uuid[] not null default '{}',
  off_reason text check (off_reason in ('paused', 'gone', 'failing')),
  off_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  next_try_at timestamptz not null default now(),
  worked_until timestamptz not null default '-infinity',
  missed_at timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 70);
create index webhook_crm on webhook (crm_id, id);
create index webhook_due on webhook (next_try_at) where off_reason is null;

-- Each attempt to deliver an event. answer: the first characters of what came back; it may repeat what we sent, so an
-- erasure empties it.
create table delivery (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  webhook_id bigint not null references webhook on delete cascade,
  era integer,
  xid xid8,
  event_id bigint,
  event_uuid uuid not null,
  kind text not null,
  status integer,
  ms integer not null,
  error text,
  answer text,
  at timestamptz not null default app_clock()
);
create index delivery_webhook on delivery (webhook_id, id desc);
create index delivery_answer on delivery (crm_id) where answer is not null;
create index delivery_age on delivery (at);
