-- works from 1
-- The paragraph of the business as it was when the email was queued. Its placeholders are filled in from data.
alter table mail add column own_text text;
