-- works from 1
-- Hours of every second week (week_of: the Monday of an open one) and of single days (only_on; is_closed: nothing opens on it). Programs
-- that do not know them read `weekdays`, which is empty for both, and open nothing: cycle_weekdays has those of every second week.
alter table opening_rule
  add column week_of date,
  add column cycle_weekdays integer[],
  add column only_on date,
  add column is_closed boolean;
