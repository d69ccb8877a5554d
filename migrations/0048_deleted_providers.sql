-- works from 1
-- The Account of a deleted Provider can be deleted.
alter table provider alter column account_id drop not null;

-- A Resource or Customer that is created while the Provider is deleted. The foreign key has waited for the deletion by
-- now: triggers run in the order of their names, and those of foreign keys begin with RI.
create function refuse_deleted_provider() returns trigger language plpgsql as $$
begin
  if exists (select from provider where id = new.provider_id and deleted_at is not null) then
    raise exception 'The Provider was deleted.' using errcode = 'HF404';
  end if;
  return null;
end
$$;
create trigger zz_provider_exists after insert on resource for each row when (new.deleted_at is null)
  execute function refuse_deleted_provider();
create trigger zz_provider_exists after insert on customer for each row when (new.erased_at is null)
  execute function refuse_deleted_provider();
