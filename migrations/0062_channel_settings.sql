-- works from 1
-- The settings that a channel has of its own, and whether it asks for a phone number and a message.
alter table channel add column own_settings text[] not null default '{}';
alter table channel add column phone_field text not null default 'OPTIONAL'
  check (phone_field in ('HIDDEN', 'OPTIONAL', 'REQUIRED'));
alter table channel add column ask_message boolean not null default true;
