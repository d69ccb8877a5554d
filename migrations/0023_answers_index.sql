-- works from 1
-- without a transaction
-- Finds answers that are to be deleted. Built without stopping bookings.
drop index concurrently if exists participation_answered;
create index concurrently participation_answered on participation (provider_id, id) where answers is not null;
