-- works from 1
-- How the message travels. The previous version sends emails only, and takes the jobs of emails only.
alter table mail add column channel text not null default 'email';
