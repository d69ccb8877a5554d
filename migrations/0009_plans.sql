-- Before the first statistics (a database that was filled a minute ago) the planner takes a partial index for a tiny one
-- and reads all of it: with the same condition as appointment_active, this one made every slot list read everybody's
-- Appointments. Without a condition it is taken for what it is there for only: the Appointments of a period.
drop index appointment_upcoming;
create index appointment_upcoming on appointment (start_at);
