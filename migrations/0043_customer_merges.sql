-- works from 1
-- Customers that were merged into another one. The former reference, address and person lead to the Customer who is left;
-- `record` holds what undoing needs, for 30 days. Erasing that Customer deletes the rows.
create table customer_merge (
  provider_id bigint not null references provider,
  id bigint generated always as identity,
  uuid uuid not null default gen_random_uuid() unique,
  -- The one that was merged, and the one that it was merged into.
  customer_id bigint not null references customer,
  kept_id bigint not null references customer,
  -- Who answers for it now: another one if kept_id was merged, too.
  into_id bigint not null references customer,
  reference text not null,
  email text,
  user_id bigint references app_user,
  record jsonb,
  merged_at timestamptz not null default app_clock(),
  primary key (provider_id, id),
  unique (customer_id)
);
create index customer_merge_reference on customer_merge (provider_id, reference);
create index customer_merge_email on customer_merge (provider_id, email) where email is not null;
create index customer_merge_user on customer_merge (user_id) where user_id is not null;
create index customer_merge_into on customer_merge (into_id);
create index customer_merge_kept on customer_merge (kept_id);
create index customer_merge_due on customer_merge (merged_at) where record is not null;
