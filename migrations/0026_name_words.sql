-- works from 1
-- The words of a name, to search CRMs and Providers by the beginnings of words.
create function name_words(name text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array (
    select distinct left(word, 200) from unnest(regexp_split_to_array(lower(name), '[^[:alnum:]]+')) as word where word <> ''
  ))
$$;
