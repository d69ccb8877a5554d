-- works from 1
-- The same for the Products that the previous version inserts: they ask the questions of the business.
create function follow_questions() returns trigger language plpgsql as $$
begin
  new.own_questions := new.question_keys <> '{}';
  if new.own_questions then
    return new;
  end if;
  select question_keys into new.question_keys from provider where id = new.provider_id for share;
  new.form := (
    select json_agg(question.definition || jsonb_build_object('uuid', question.uuid, 'key', question.key, 'type', question.type,
      'position', wanted.position) order by wanted.position)
    from unnest(new.question_keys) with ordinality as wanted (key, position)
    join question on question.provider_id = new.provider_id and question.key = wanted.key
    where not question.archived
  );
  return new;
end $$;
create trigger product_follows before insert on product for each row when (new.own_questions is null) execute function follow_questions();
alter table product alter column own_questions drop default;
