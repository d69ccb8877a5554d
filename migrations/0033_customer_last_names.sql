-- works from 1
-- without a transaction
-- Customers by the last word of their name.
drop index concurrently if exists customer_last_name;
create index concurrently customer_last_name on customer (provider_id, regexp_replace(lower(name), '^.*[\s,;]', ''), id) where erased_at is null;
