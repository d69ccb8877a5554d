-- works from 1
-- Rows that were written while a CRM is being moved, so that the last changes are found without reading whole tables. Its triggers
-- exist only during a move.
create table tracked_change (
  xid xid8 not null default pg_current_xact_id(),
  table_name text not null,
  row_id bigint not null
);
create index tracked_change_xid on tracked_change (xid);

create function track_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into tracked_change (table_name, row_id) values (tg_table_name, old.id);
  else
    insert into tracked_change (table_name, row_id) values (tg_table_name, new.id);
  end if;
  return null;
end
$$;
