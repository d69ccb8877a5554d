-- works from 1
-- without a transaction
-- Resources in which nothing was ever booked are not in it: there is nothing to bound. And while indexes look empty to PostgreSQL, which they do
-- until they are first counted, it took this one for finding Resources by their reference, and read all of a Provider each time.
drop index concurrently if exists resource_longest_block;
create index concurrently resource_longest_block on resource (provider_id, longest_block) where longest_block > '0';
drop index concurrently if exists resource_longest;
alter index resource_longest_block rename to resource_longest;
