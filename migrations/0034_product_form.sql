-- works from 1
-- From now on, participation.held_questions is null unless the form has changed since the slot was held.
update product set form = (
  select json_agg(question.definition || jsonb_build_object('uuid', question.uuid, 'key', question.key, 'type', question.type,
    'position', wanted.position) order by wanted.position)
  from unnest(product.question_keys) with ordinality as wanted (key, position)
  join question on question.provider_id = product.provider_id and question.key = wanted.key
  where not question.archived
)
where question_keys <> '{}';
