-- placeholder: the name of a hold, known to its holder only; it keeps identifying the booking made from it, so that
-- a repeated completion is recognised (completion_digest) and answered as the first one was (completion).
-- client: a keyed hash of the holder's address, for the cap on live holds.
alter table participation add column placeholder uuid unique;
alter table participation add column completion_digest text;
alter table participation add column completion jsonb;
alter table participation add column client text;
create index participation_client on participation (client) where state = 'RESERVED';

create unique index customer_of_user on customer (provider_id, user_id) where user_id is not null;

alter table provider add column pre_identification boolean not null default false;

create index appointment_gone on appointment (deleted_at) where deleted_at is not null and origin = 'consumer';

-- The Customer of a Provider that a consumer is, and the User behind it: found by email first, then by mobile, made
-- where there is none. Missing names and numbers are filled in; nothing known is overwritten.
create function ensure_consumer(
  in_provider bigint, in_email text, in_mobile text, in_first text, in_last text, in_language text, default_language text
) returns table (customer_id bigint, customer_uuid uuid) language plpgsql as $$
declare
  in_crm bigint := (select crm_id from provider where id = in_provider);
  person bigint;
begin
  select id into person from app_user
    where crm_id = in_crm and lower(email) = lower(in_email) and reference is not null;
  if person is null then
    select id into person from app_user
      where crm_id = in_crm and lower(email) = lower(in_email) and reference is null;
  end if;
  if person is null and in_mobile is not null then
    select id into person from app_user where crm_id = in_crm and mobile = in_mobile order by id limit 1;
  end if;
  if person is null then
    insert into app_user (crm_id, email, first_name, last_name, mobile, language)
      values (in_crm, in_email, in_first, in_last, in_mobile, coalesce(in_language, default_language))
      on conflict (crm_id, lower(email)) where reference is null do update set email = app_user.email
      returning id into person;
  else
    update app_user set first_name = coalesce(first_name, in_first), last_name = coalesce(last_name, in_last),
      mobile = coalesce(mobile, in_mobile)
    where id = person and (first_name is null or last_name is null or mobile is null);
  end if;

  select customer.id, customer.uuid into customer_id, customer_uuid from customer
    where provider_id = in_provider and user_id = person;
  if customer_id is null then
    select customer.id, customer.uuid into customer_id, customer_uuid from customer
      where provider_id = in_provider and user_id is null and erased_at is null and lower(email) = lower(in_email)
      order by customer.id limit 1 for key share;
  end if;
  if customer_id is null and in_mobile is not null then
    select customer.id, customer.uuid into customer_id, customer_uuid from customer
      where provider_id = in_provider and user_id is null and erased_at is null and mobile = in_mobile
      order by customer.id limit 1 for key share;
  end if;
  if customer_id is null then
    insert into customer (provider_id, reference, user_id, name, email, mobile, language)
      values (in_provider, gen_random_uuid() || '@consumer', person, concat_ws(' ', in_first, in_last), in_email,
        in_mobile, in_language)
      on conflict (provider_id, user_id) where user_id is not null do update set user_id = excluded.user_id
      returning customer.id, customer.uuid into customer_id, customer_uuid;
  else
    update customer set user_id = coalesce(user_id, person), mobile = coalesce(mobile, in_mobile),
      language = coalesce(language, in_language)
    where customer.id = customer_id and (user_id is null or mobile is null or language is null);
  end if;
  return next;
end
$$;

create index timeslot_by_reference on timeslot (reference);
create index appointment_by_reference on appointment (reference) where deleted_at is null;
create index product_by_reference on product (reference);
