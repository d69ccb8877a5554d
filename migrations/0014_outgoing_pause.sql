-- works from 1
-- Emails and webhooks wait while this table has a row: after a restore, or by an operator.
-- `if not exists`: a restore of an older backup creates the table in the transaction that loads the rows.
create table if not exists outgoing_pause (
  single boolean primary key default true check (single),
  reason text not null,
  since timestamptz not null default now()
);
