-- works from 1
-- without a transaction
-- Counts the proposals to one recipient. Built without stopping bookings.
drop index concurrently if exists participation_proposed;
create index concurrently participation_proposed on participation ((proposal ->> 'mailbox')) where proposal is not null;
alter table event validate constraint event_actor_kind_check;
