-- works from 1
create or replace function note_booking() returns trigger language plpgsql as $$
begin
  -- Whose hold it was matters only as long as it is one.
  new.client := null;
  if new.state = 'BOOKED' then
    new.booked_at := coalesce(new.booked_at, app_clock());
  end if;
  -- A row that is inserted as cancelled comes from a backup or another system: when is not known.
  if tg_op = 'UPDATE' then
    new.cancelled_at := case when new.state = 'CANCELED' then coalesce(new.cancelled_at, app_clock()) end;
  end if;
  return new;
end
$$;
