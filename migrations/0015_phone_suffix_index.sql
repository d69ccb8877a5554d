-- works from 1
-- without a transaction
-- Finds customers by the last digits of their number: reversed, they are a prefix that an index finds.
-- The condition is about the reversed number, so that the planner never takes this index for a search by the whole number.
drop index concurrently if exists customer_number_end;
create index concurrently customer_number_end on customer (provider_id, (reverse(mobile_key) collate "C")) where reverse(mobile_key) collate "C" is not null;
