-- works from 1
-- The four channels of a Resource are written with it, in one statement, and Providers are never taken out of their table: looking for
-- the Provider four times again was a fifth of what a new Resource cost. `backup verify` counts what is against it.
alter table channel drop constraint if exists channel_provider_id_fkey;
