-- works from 1
create index calendar_feed_made_by_login_idx on calendar_feed (made_by_login) where made_by_login is not null;
