-- Who takes part in an Appointment, from the hold to the booking.

-- A hold is a RESERVED Participation; past expires_at it counts for nothing, whether tidied up or not.
-- placeholder: the name of a hold, known to its holder only; it keeps identifying the booking made from it, so that
-- a repeated completion is recognised (completion_digest) and answered as the first one was.
-- client: a keyed hash of the holder's address, for the cap on live holds.
-- time_zone, locale: as the consumer saw the times while booking; mails and pages show them so again.
-- corrected_at: when its consumer put their mistyped address right; that is done once.
-- attendance: whether they came, as the provider says; null while nobody has said.
-- replaces: the booking that is given back once this request to move it is accepted.
-- calendar_uuid: the entry in people's calendars, where it began with the booking that this one replaces.
-- booked_at: when it was confirmed. Whoever is confirmed inside the reminder's window needs no reminder.
-- Room beside each row (fillfactor): a hold is changed soon after it was written, and its indexes stay as they are.
create table participation (
  id bigint generated always as identity primary key,
  provider_id bigint not null,
  appointment_id bigint not null references appointment on delete cascade,
  customer_id bigint references customer,
  uuid uuid not null unique default gen_random_uuid(),
  reference text not null,
  name text,
  email text,
  mobile text,
  note text,
  state text not null check (state in ('RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED')),
  expires_at timestamptz,
  placeholder uuid unique,
  client text,
  renewals smallint not null default 0,
  completion_digest text,
  messages text[] not null default '{}',
  language text,
  locale text,
  time_zone text,
  channel_key text,
  ics_sequence integer not null default 0,
  created_at timestamptz not null default now(),
  booked_at timestamptz,
  reminded_at timestamptz,
  corrected_at timestamptz,
  deleted_at timestamptz,
  attendance text check (attendance in ('ATTENDED', 'MISSED')),
  replaces bigint references participation on delete set null,
  calendar_uuid uuid,
  constraint participation_expiry check ((state = 'RESERVED') = (expires_at is not null))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create unique index participation_reference on participation (provider_id, reference) where deleted_at is null;
create index participation_archived on participation (provider_id, reference) where deleted_at is not null;
create unique index participation_once on participation (appointment_id, customer_id)
  where state in ('BOOKED', 'REQUESTED');
-- In the order in which they are listed: nothing is left to sort.
create index participation_appointment on participation (appointment_id, id);
-- A hold has no Customer yet.
create index participation_customer on participation (customer_id) where customer_id is not null;
-- Those that came along with an Appointment: no Customer, but perhaps the same person's.
create index participation_stranger on participation (provider_id, lower(email)) where customer_id is null and email is not null;
create index participation_expiring on participation (expires_at) where state = 'RESERVED';
create index participation_client on participation (client) where state = 'RESERVED' and client is not null;
-- Requests that wait for an answer: few, whatever has been booked.
create index participation_requested on participation (provider_id) where state = 'REQUESTED';

-- Requests to move a booking: few.
create index participation_replaces on participation (replaces) where replaces is not null;

create function note_booking() returns trigger language plpgsql as $$
begin
  -- Whose hold it was matters only as long as it is one.
  new.client := null;
  if new.state = 'BOOKED' then
    new.booked_at := coalesce(new.booked_at, app_clock());
  end if;
  return new;
end
$$;
-- Most Participations begin as a hold, which has nothing to note.
create trigger participation_booked before insert or update of state on participation
  for each row when (new.state <> 'RESERVED') execute function note_booking();

-- Counts against capacity: confirmed, requested, and held until the hold expires.
create function takes_place(state text, expires_at timestamptz, now timestamptz) returns boolean
language sql immutable parallel safe as $$
  select state in ('BOOKED', 'REQUESTED') or (state = 'RESERVED' and expires_at > now)
$$;
