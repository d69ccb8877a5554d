-- works from 1
-- Events that a receiver did not accept, with the later ones about the same records, and when the first is due.
alter table webhook add column retries jsonb, add column retry_at timestamptz;
-- For signatures that receivers check with a public key.
alter table webhook add column signing_key bytea, add column old_signing_key bytea;
-- Pauses are no longer than a minute.
update webhook set next_try_at = least(next_try_at, now() + interval '1 minute') where failures > 0;
