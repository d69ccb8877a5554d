-- works from 1
-- without a transaction
-- Webhooks that failed, are being delivered to, or start again from an earlier event. All others wait for an event.
drop index concurrently if exists webhook_active;
create index concurrently webhook_active on webhook (next_try_at) where off_reason is null and (failures > 0 or worked_until > '-infinity');
