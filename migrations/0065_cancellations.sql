-- works from 1
-- Cancelled groups of which people are left, who are cancelled and informed in batches. The job that goes on with it is
-- not part of a backup.
create table cancellation (
  appointment_id bigint primary key references appointment on delete cascade,
  provider_id bigint not null references provider,
  actor jsonb not null,
  message text,
  send_mails boolean not null
);
