-- works from 1
-- Pauses are no longer than a minute.
update webhook set next_try_at = least(next_try_at, now() + interval '1 minute') where failures > 0;
