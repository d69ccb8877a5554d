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
  -- A question about the customer is a field of the business's own; the others are asked with each booking.
  subject text not null default 'booking' check (subject in ('booking', 'customer')),
  created_at timestamptz not null default now(),
  constraint question_pkey primary key (provider_id, key),
  constraint question_id unique (id)
);
