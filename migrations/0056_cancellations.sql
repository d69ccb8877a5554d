-- works from 1
-- Cancelled groups of which people are left, who are cancelled and informed in batches. The job that goes on with it is
-- not part of a backup.
create table cancellation (
  provider_id bigint not null references provider,
  appointment_id bigint not null references appointment on delete cascade,
  actor jsonb not null,
  message text,
  send_mails boolean not null,
  primary key (provider_id, appointment_id)
);
