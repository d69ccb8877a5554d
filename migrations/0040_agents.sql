-- works from 1
-- What an agent proposes to a person: kept with the hold, and removed with it.
alter table participation add column proposal jsonb;
-- Whether agents with a key may book here without the person's confirmation, and how long a proposal is held.
alter table channel add column agent_booking boolean not null default false;
alter table channel add column agent_hold_minutes smallint not null default 15 check (agent_hold_minutes between 5 and 1440);
-- Checked for new rows at once; the next migration checks the older ones without stopping bookings.
alter table event drop constraint event_actor_kind_check;
alter table event add constraint event_actor_kind_check check (actor_kind in ('key', 'console', 'consumer', 'service', 'agent')) not valid;
