-- booked_at: when the Participation was confirmed. Whoever is confirmed inside the reminder's window needs no reminder.
alter table participation add column booked_at timestamptz;
alter table participation add column reminded_at timestamptz;

create function note_booking() returns trigger language plpgsql as $$
begin
  if new.state = 'BOOKED' then
    new.booked_at := coalesce(new.booked_at, app_clock());
  end if;
  return new;
end
$$;
create trigger participation_booked before insert or update of state on participation
  for each row execute function note_booking();

create index participation_to_remind on participation (appointment_id) where state = 'BOOKED' and reminded_at is null;
create index appointment_upcoming on appointment (start_at) where state = 'ACTIVE' and deleted_at is null;
