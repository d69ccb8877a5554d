-- works from 1
create index crm_suspended on crm (suspended_until) where suspended_until is not null;

-- Installations that a CRM came from. Links and cursors they signed remain valid here.
create table crm_origin (
  crm_id bigint not null references crm,
  move uuid not null,
  -- Added to ids of the former installation.
  id_offset bigint not null,
  -- Added to the eras of the former installation, so that their order continues.
  era_base integer not null,
  -- The id of the CRM in cursors of the former installation.
  source_crm_id bigint not null,
  -- The signing keys of the former installation, encrypted.
  link_keys bytea,
  -- All transactions of the former installation before this one have been copied; null if none.
  copied_before xid8,
  arrived_at timestamptz,
  primary key (crm_id, move)
);

-- CRMs that are being or were moved away.
create table crm_departure (
  crm_id bigint primary key references crm on delete cascade,
  move uuid not null,
  target text not null,
  left_at timestamptz
);

-- Refuses writes to a suspended CRM. Its triggers exist only while a CRM is being moved or deleted. The shared lock lasts until
-- the transaction ends, so a command with the exclusive lock knows that no earlier write is in progress.
create function fence_tenant() returns trigger language plpgsql as $$
declare
  changed record;
  tenant bigint;
begin
  if current_setting('holdfast.fence', true) = 'off' then
    return null;
  end if;
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  case tg_argv[0]
    when 'id' then tenant := changed.id;
    when 'crm_id' then tenant := changed.crm_id;
    else select crm_id into tenant from provider where id = changed.provider_id;
  end case;
  if tenant is null then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(1212563524, (tenant % 2147483647)::integer);
  if exists (select from crm where id = tenant and suspended_until > clock_timestamp()) then
    raise exception 'The CRM is suspended.' using errcode = 'HF503', detail = tenant::text;
  end if;
  return null;
end
$$;
