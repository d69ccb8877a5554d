-- A booking writes a dozen rows and half a hundred index entries. What finds nothing is left out.

-- The index by Appointment finds the same rows.
drop index participation_to_remind;

-- One index for both questions: which Customers a User is, and whether they are one of this Provider.
drop index customer_of_user;
create unique index customer_of_user on customer (user_id, provider_id) where user_id is not null;
drop index customer_user;

-- Consumers have neither a username nor a reference.
drop index app_user_username;
create unique index app_user_username on app_user (lower(username)) where username is not null;
alter table app_user drop constraint app_user_reference;
create unique index app_user_reference on app_user (crm_id, reference) where reference is not null;

-- As before, in fewer statements: the CRM is found with the person, and who is new is nobody's Customer by their User.
create or replace function ensure_consumer(
  in_provider bigint, in_email text, in_mobile text, in_first text, in_last text, in_language text, default_language text
) returns table (customer_id bigint, customer_uuid uuid) language plpgsql as $$
declare
  in_crm bigint;
  person bigint;
  is_new boolean := false;
begin
  select provider.crm_id, found.id into in_crm, person
    from provider left join lateral (
      select id from (
        select id, crm_id, false as is_consumer from app_user where lower(email) = lower(in_email) and reference is not null
        union all
        select id, crm_id, true from app_user where lower(email) = lower(in_email) and reference is null
        offset 0
      ) as people
      where people.crm_id = provider.crm_id order by is_consumer limit 1
    ) as found on true
    where provider.id = in_provider;
  if person is null and in_mobile is not null then
    select id into person from app_user where crm_id = in_crm and mobile = in_mobile order by id limit 1;
  end if;
  if person is null then
    insert into app_user (crm_id, email, first_name, last_name, mobile, language)
      values (in_crm, in_email, in_first, in_last, in_mobile, coalesce(in_language, default_language))
      on conflict (crm_id, lower(email)) where reference is null do update set email = app_user.email
      returning id, xmax = 0 into person, is_new;
  else
    update app_user set first_name = coalesce(first_name, in_first), last_name = coalesce(last_name, in_last),
      mobile = coalesce(mobile, in_mobile)
    where id = person and ((first_name is null and in_first is not null) or (last_name is null and in_last is not null)
      or (mobile is null and in_mobile is not null));
  end if;

  if not is_new then
    select customer.id, customer.uuid into customer_id, customer_uuid from customer
      where provider_id = in_provider and user_id = person;
  end if;
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

-- Records are put together without it.
drop function iso_utc(timestamptz);
