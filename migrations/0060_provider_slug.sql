-- works from 1
-- The address of a business: /book/{slug}. Former ones keep leading to it.
alter table provider add column slug text;
alter table provider add column former_slugs text[] not null default '{}';
create unique index provider_slug on provider (slug);
create index provider_former_slugs on provider using gin (former_slugs);
-- Customers can also be sent to the reference of a Provider, in whichever CRM it is.
create index provider_by_reference on provider (reference);
