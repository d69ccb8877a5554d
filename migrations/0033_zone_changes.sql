-- works from 1
-- Opening hours whose Timeslots still follow the Provider's former time zone.
alter table opening_hours add column zone_changed boolean not null default false;
create index opening_hours_zone_changed on opening_hours (provider_id, resource_id) where zone_changed;
