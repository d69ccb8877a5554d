-- A mail is written by the transaction that causes it and rendered from data when it is sent or looked at.
-- state: queued (a job will send it), sent, failed (given up), kept (there is no SMTP server; read it in the console).
create table mail (
  id bigint generated always as identity primary key,
  crm_id bigint not null references crm,
  provider_id bigint references provider,
  uuid uuid not null unique default gen_random_uuid(),
  kind text not null,
  recipient text,
  language text not null,
  data jsonb not null,
  user_id bigint references app_user,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mail_newest on mail (id desc);
create index mail_provider on mail (provider_id, id desc);
create index mail_waiting on mail (created_at) where state = 'queued';
create index mail_user on mail (user_id);

-- Who still works: jobs of a worker that has not been seen for a while are handed to others.
create table worker_heartbeat (
  worker_id text primary key,
  seen_at timestamptz not null default now()
);

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
