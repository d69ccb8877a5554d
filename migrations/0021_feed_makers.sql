-- works from 1
-- Feeds created by an administrator or operator end when their login is removed.
alter table calendar_feed add column made_by_login uuid;
create index calendar_feed_made_by_login_idx on calendar_feed (made_by_login) where made_by_login is not null;
