-- works from 1
-- Finds calendars that were not read for long, without a look at the others.
create index calendar_check_checked on calendar_check (checked_at);
