-- In the order in which they are listed: nothing is left to sort.
drop index participation_appointment;
create index participation_appointment on participation (appointment_id, id);

-- The same text as before, in a fifth of the time: to_char is slow.
create or replace function iso_utc(at timestamptz) returns text language sql stable parallel safe as $$
  select trim('"' from to_json(date_trunc('milliseconds', at) at time zone 'UTC')::text) || 'Z'
$$;
