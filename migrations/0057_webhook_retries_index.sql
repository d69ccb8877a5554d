-- works from 1
-- without a transaction
-- Webhooks with events that are sent again on their own. Without it, each look for them read all webhooks.
drop index concurrently if exists webhook_retry;
create index concurrently webhook_retry on webhook (retry_at) where off_reason is null and retry_at is not null;
