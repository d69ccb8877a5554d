-- works from 1
create index opening_hours_zone_changed on opening_hours (provider_id, resource_id) where zone_changed;
