-- What a completed booking was answered, for whoever sends the request again. Beside the Participation and not in it:
-- a row that is written twice in one transaction has all its references checked twice.
create table completion (
  participation_id bigint primary key references participation on delete cascade,
  provider_id bigint not null references provider,
  answer jsonb not null
);
insert into completion select id, provider_id, completion from participation where completion is not null;
alter table participation drop column completion;

-- The address first: an index that begins with the CRM invites the planner to read all the people of that CRM.
drop index app_user_consumer_email;
create unique index app_user_consumer_email on app_user (lower(email), crm_id) where reference is null;
drop index app_user_mobile;
create index app_user_mobile on app_user (mobile, crm_id) where mobile is not null;

-- As before, but people are looked up by what names them (`offset 0` is a fence), and a row that would stay as it is
-- is not written.
create or replace function ensure_consumer(
  in_provider bigint, in_email text, in_mobile text, in_first text, in_last text, in_language text, default_language text
) returns table (customer_id bigint, customer_uuid uuid) language plpgsql as $$
declare
  in_crm bigint := (select crm_id from provider where id = in_provider);
  person bigint;
begin
  select id into person
    from (select id, crm_id from app_user where lower(email) = lower(in_email) and reference is not null offset 0) users
    where crm_id = in_crm;
  if person is null then
    select id into person
      from (select id, crm_id from app_user where lower(email) = lower(in_email) and reference is null offset 0) consumers
      where crm_id = in_crm;
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
    where id = person and ((first_name is null and in_first is not null) or (last_name is null and in_last is not null)
      or (mobile is null and in_mobile is not null));
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
    where customer.id = customer_id and (user_id is null or (mobile is null and in_mobile is not null)
      or (language is null and in_language is not null));
  end if;
  return next;
end
$$;
