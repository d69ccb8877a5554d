-- works from 1
-- without a transaction
-- Customers in the order of search results.
drop index concurrently if exists customer_name;
create index concurrently customer_name on customer (provider_id, lower(name), id) where erased_at is null;
