-- works from 1
create unique index provider_slug on provider (slug);
create index provider_former_slugs on provider using gin (former_slugs);
-- Customers can also be sent to the reference of a Provider, in whichever CRM it is.
create index provider_by_reference on provider (reference);
