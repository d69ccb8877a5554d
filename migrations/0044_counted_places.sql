-- works from 1
-- without a transaction
-- Triggers keep the counts of large groups, so that programs of earlier versions do too; holds and their completion do not
-- fire them.
create or replace function recount_places() returns trigger language plpgsql as 'begin update appointment set counted_places = counted_places - case when old.state in (''BOOKED'', ''REQUESTED'') then old.places else 0 end, counted_people = counted_people - 1 where id = old.appointment_id and counted_to >= old.id; if tg_op = ''UPDATE'' then if new.state = ''RESERVED'' then update appointment set counted_to = null, counted_places = null, counted_people = null where id = new.appointment_id and counted_to >= new.id; else update appointment set counted_places = counted_places + case when new.state in (''BOOKED'', ''REQUESTED'') then new.places else 0 end, counted_people = counted_people + 1 where id = new.appointment_id and counted_to >= new.id; end if; end if; return null; end';
create or replace trigger participation_recounted after update of state, places, appointment_id on participation for each row when (old.appointment_id <> new.appointment_id or (old.state <> 'RESERVED' and (old.state, old.places) is distinct from (new.state, new.places))) execute function recount_places();
create or replace trigger participation_uncounted after delete on participation for each row when (old.state <> 'RESERVED') execute function recount_places();
-- Finds a person in a group by email address. A hash, because the address would double the index.
drop index concurrently if exists participation_addressed;
create index concurrently participation_addressed on participation (appointment_id, hashtext(lower(email))) where state in ('BOOKED', 'REQUESTED') and email is not null;
