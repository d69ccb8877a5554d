-- works from 1
-- Booking settings of a business, by the names of the columns of its channels. A channel still has all values, which
-- follow those of the business while they are equal and not listed as the channel's own.
alter table provider add column booking_defaults jsonb not null default '{}';
alter table channel add column own_settings text[] not null default '{}';
