-- works from 1
-- without a transaction
-- The Timeslots of a week, however many follow. Long ones, which may have begun long before, have an index of their own.
drop index concurrently if exists timeslot_start;
create index concurrently timeslot_start on timeslot (resource_id, start_at);
drop index concurrently if exists timeslot_long;
create index concurrently timeslot_long on timeslot (resource_id, end_at) where end_at - start_at > interval '24 hours';
