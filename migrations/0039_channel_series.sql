-- works from 1
-- How many dates consumers may book at once; 0 for none.
alter table channel add column series_max smallint not null default 0 check (series_max between 0 and 50);
