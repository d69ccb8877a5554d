-- works from 1
-- The questions of a Product as its bookings read them, written whenever they change: gathering ten of them for each booking costs more
-- than everything else about answers. Null if it asks nothing. From now on, participation.held_questions is null unless the form has changed
-- since the slot was held.
alter table product add column form json;

update product set form = (
  select json_agg(question.definition || jsonb_build_object('uuid', question.uuid, 'key', question.key, 'type', question.type,
    'position', wanted.position) order by wanted.position)
  from unnest(product.question_keys) with ordinality as wanted (key, position)
  join question on question.provider_id = product.provider_id and question.key = wanted.key
  where not question.archived
)
where question_keys <> '{}';
