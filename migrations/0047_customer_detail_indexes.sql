-- works from 1
-- without a transaction
drop index concurrently if exists customer_birth;
create index concurrently customer_birth on customer (provider_id, birth_date, lower(name)) where birth_date is not null;
drop index concurrently if exists customer_tags;
create index concurrently customer_tags on customer using gin (customer_tag_words(provider_id, tags)) where tags <> '{}';
drop index concurrently if exists customer_tagged;
create index concurrently customer_tagged on customer (provider_id, id) where tags <> '{}';
