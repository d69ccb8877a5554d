-- works from 1
-- What an entry waits for, as words for an index: Product, Resource with weekday, weeks, and hours of the day. Those who would take a
-- time are then found without reading the others.
create function waiting_keys(state text, provider_id bigint, product_id bigint, resource_ids bigint[], weekdays smallint, from_date date,
  to_date date, from_minute smallint, to_minute smallint) returns text[]
language sql immutable parallel safe as $$
  select case when state = 'WAITING' then array['product ' || product_id] || array(
    select place || ' on ' || weekday
    from unnest(coalesce(resource_ids::text[], array['any of ' || provider_id])) as place,
      unnest(case when weekdays = 127 then array['any'] else array(
        select bit::text from generate_series(0, 6) as bit where weekdays & (1 << bit) <> 0
      ) end) as weekday
  ) || array(
    select 'week ' || week from generate_series((from_date - date '2000-01-03') / 7, (to_date - date '2000-01-03') / 7) as week
  ) || case when from_minute = 0 and to_minute = 1440 then array['any hour'] else array(
    select 'hour ' || hour from generate_series(from_minute / 60, (to_minute - 1) / 60) as hour
  ) end end
$$;
create index waiting_entry_keys on waiting_entry using gin (waiting_keys(state, provider_id, product_id, resource_ids, weekdays,
  from_date, to_date, from_minute, to_minute)) with (fastupdate = off);
-- Statistics would compute the words of every sampled row.
alter index waiting_entry_keys alter column 1 set statistics 0;

-- Entries are deleted some time after they have ended.
create index waiting_entry_ended on waiting_entry (ended_at) where ended_at is not null;
