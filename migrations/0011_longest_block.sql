-- How long the longest Appointment of a Resource keeps it, buffers included; it never shrinks. With it, what can be in
-- the way of one slot is a short piece of an index, however many Appointments come after.
alter table resource add column longest_block interval not null default '0';
update resource set longest_block = longest
  from (select resource_id, max(blocked_to - blocked_from) as longest from appointment group by resource_id) appointments
  where resource_id = resource.id;

create function note_longest_blocks() returns trigger language plpgsql as $$
begin
  update resource set longest_block = longest
    from (select resource_id, max(blocked_to - blocked_from) as longest from written group by resource_id) written
    where id = resource_id and longest_block < longest;
  return null;
end
$$;
create trigger appointment_written after insert on appointment
  referencing new table as written for each statement execute function note_longest_blocks();

create function note_longest_block() returns trigger language plpgsql as $$
begin
  update resource set longest_block = new.blocked_to - new.blocked_from
    where id = new.resource_id and longest_block < new.blocked_to - new.blocked_from;
  return null;
end
$$;
create trigger appointment_moved after update of blocked_from, blocked_to, resource_id on appointment
  for each row execute function note_longest_block();
