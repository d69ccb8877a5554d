-- works from 1
-- The booking form of a business: the questions of all Products that have no list of their own, and whether channels
-- ask for a phone number and a message.
alter table provider add column question_keys text[] not null default '{}';
alter table product add column own_questions boolean not null default false;
update product set own_questions = true where question_keys <> '{}';
alter table channel add column phone_field text not null default 'OPTIONAL'
  check (phone_field in ('HIDDEN', 'OPTIONAL', 'REQUIRED'));
alter table channel add column ask_message boolean not null default true;
