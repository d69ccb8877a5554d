-- works from 1
-- Questions on the booking form. A question is never deleted, only archived: its key keeps its type, and earlier answers stay readable.
create table question (
  id bigint generated always as identity,
  provider_id bigint not null references provider (id),
  uuid uuid not null default gen_random_uuid() unique,
  key text not null,
  type text not null,
  definition jsonb not null,
  position integer not null default 0,
  archived boolean not null default false,
  created_at timestamptz not null default now(),
  constraint question_pkey primary key (provider_id, key),
  constraint question_id unique (id)
);

-- Keys instead of ids, in the order of the form.
alter table product add column question_keys text[] not null default '{}';
alter table product add column answers_required boolean not null default false;

-- held_questions: the questions as they were when the hold was made; null if there were none.
alter table participation add column answers jsonb;
alter table participation add column answers_missing boolean not null default false;
alter table participation add column held_questions jsonb;
