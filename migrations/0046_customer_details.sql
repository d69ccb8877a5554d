-- works from 1
-- Pairs that look like duplicates and are two people. The smaller id comes first.
create table customer_distinct (
  provider_id bigint not null references provider (id),
  customer_id bigint not null references customer (id),
  other_id bigint not null references customer (id),
  created_at timestamptz not null default now(),
  primary key (provider_id, customer_id, other_id),
  check (customer_id < other_id)
);
create index customer_distinct_customer on customer_distinct (customer_id);
create index customer_distinct_other on customer_distinct (other_id);

-- Words of an index belong to one Provider.
create function customer_tag_words(provider_id bigint, tags text[]) returns text[] language sql immutable parallel safe
  return array(select provider_id || ':' || lower(tag) from unnest(tags) as tag);

-- updated_at follows them too.
create or replace trigger customer_changed after update of reference, name, email, mobile, note, language, birth_date, address, insurer, insurance_number, fields, tags on customer for each row when (new.updated_at is not distinct from old.updated_at and (old.reference, old.name, old.email, old.mobile, old.note, old.language, old.birth_date, old.address, old.insurer, old.insurance_number, old.fields, old.tags) is distinct from (new.reference, new.name, new.email, new.mobile, new.note, new.language, new.birth_date, new.address, new.insurer, new.insurance_number, new.fields, new.tags)) execute function note_change();
