-- What people are told about what happened, and who did it.

-- A mail is written by the transaction that causes it and rendered from data when it is sent or looked at.
-- state: queued (a job will send it), sent, failed (given up), kept (there is no SMTP server; read it in the console).
-- batch: mails that are written at the same moment are delivered by one job: most of what a job costs is the job. The
-- ids of all of them, so that asking for one that still waits finds that job.
-- erase_when_done: the last mail to somebody who was erased, emptied when it is delivered or given up.
create table mail (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  provider_id bigint references provider,
  user_id bigint references app_user,
  participation_id bigint references participation on delete set null,
  uuid uuid not null unique default gen_random_uuid(),
  kind text not null,
  recipient text,
  language text not null,
  data jsonb not null,
  batch bigint[],
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  last_error text,
  erase_when_done boolean not null default false,
  created_at timestamptz not null default now(),
  sent_at timestamptz
) with (fillfactor = 85);
create index mail_provider on mail (provider_id, id desc);
create index mail_participation on mail (participation_id);
create index mail_user on mail (user_id) where user_id is not null;

-- Who did what: one line for each change, never changed again.
create table audit (
  id bigint generated always as identity primary key,
  crm_id bigint references crm,
  provider_id bigint references provider,
  actor_kind text not null check (actor_kind in ('key', 'console', 'consumer', 'system')),
  actor text not null,
  action text not null,
  reference text,
  at timestamptz not null default now()
);
create index audit_provider on audit (provider_id, id desc);
create index audit_crm on audit (crm_id, id desc);
