-- works from 1
-- Feeds and keys created by or for a member of staff end when they leave.
alter table calendar_feed add column made_by bigint references app_user (id);
alter table api_key add column user_id bigint references app_user (id);
