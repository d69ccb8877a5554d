-- works from 1
-- One migration for all: connections of the previous version are replaced after each added column.
-- The address of a business: /book/{slug}. Former ones keep leading to it.
alter table provider add column slug text;
alter table provider add column former_slugs text[] not null default '{}';
-- What the colours in the console's calendar stand for.
alter table provider add column calendar_colors text not null default 'RESOURCE'
  check (calendar_colors in ('RESOURCE', 'PRODUCT'));
-- Booking settings of a business, by the names of the columns of its channels. A channel still has all values, which
-- follow those of the business while they are equal and not listed as the channel's own.
alter table provider add column booking_defaults jsonb not null default '{}';
-- The questions of all Products that have no list of their own.
alter table provider add column question_keys text[] not null default '{}';
alter table provider add column website text;
create unique index provider_slug on provider (slug);
create index provider_former_slugs on provider using gin (former_slugs);
-- Customers can also be sent to the reference of a Provider, in whichever CRM it is.
create index provider_by_reference on provider (reference);
