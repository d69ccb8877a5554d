-- works from 1
-- References that we made up ourselves for consumers who book are found whole, by the index of references: half of what stands in the
-- index of words was made of them. Those that are in it stay until their Customer is written anew, and do no harm.
create or replace function customer_words(provider_id bigint, name text, email text, mobile text, reference text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(array (
    select distinct provider_id || ':' || left(word, 200) from unnest(
      regexp_split_to_array(lower(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' ||
        case when reference ~ '^[0-9a-f]{8}-[0-9a-f-]{27}@consumer$' then '' else reference end), '[\s,;]+')
      || regexp_replace(coalesce(mobile, ''), '\D', '', 'g')
    ) as word where word <> ''
  ))
$$;
