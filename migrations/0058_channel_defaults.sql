-- works from 1
-- The previous version names no settings for the channels that it inserts: they get those of the business. Current
-- programs name own_settings, and so do imports of what they wrote; older backups have businesses without settings.
create function follow_business() returns trigger language plpgsql as $$
begin
  -- Locked, so that no change of the settings misses the channel.
  select populated.* into new from (select booking_defaults from provider where id = new.provider_id for share) as provider,
    jsonb_populate_record(new, provider.booking_defaults) as populated;
  new.own_settings := '{}';
  return new;
end $$;
create trigger channel_follows before insert on channel for each row when (new.own_settings is null) execute function follow_business();
alter table channel alter column own_settings drop default;
