-- What the migrations make together. Written by `npm run schema`; not meant to be run.

create extension btree_gist;

CREATE OR REPLACE FUNCTION public.app_clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select clock_timestamp() + coalesce(nullif(current_setting('holdfast.clock_shift', true), ''), '0')::interval
$function$;

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select now() + coalesce(nullif(current_setting('holdfast.clock_shift', true), ''), '0')::interval
$function$;

CREATE OR REPLACE FUNCTION public.count_or_refuse(names text[], seconds integer[], most integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  wait double precision;
begin
  with wanted as (
    select name, min(length) as length, min(allowed) as allowed, count(*)::integer as hits
    from unnest(names, seconds, most) as asked (name, length, allowed) group by name
  ), counted as (
    insert into rate_window (bucket, window_start, hits)
    select name, window_of(length), hits from wanted order by name
    on conflict (bucket, window_start) do update set hits = rate_window.hits + excluded.hits
    returning bucket, window_start, hits
  )
  select max(length - extract(epoch from app_now() - window_start)) into wait
  from counted join wanted on name = bucket where counted.hits > allowed;
  if wait is not null then
    raise exception 'A rate limit is reached.' using errcode = 'HF429', detail = ceil(wait)::text;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.customer_tag_words(provider_id bigint, tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT ((customer_tag_words.provider_id || ':'::text) || lower(tag.tag)) FROM unnest(customer_tag_words.tags) tag(tag));

CREATE OR REPLACE FUNCTION public.customer_words(provider_id bigint, name text, email text, mobile text, reference text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(array (
    select distinct provider_id || ':' || left(word, 200) from unnest(
      regexp_split_to_array(lower(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' ||
        case when reference ~ '^[0-9a-f]{8}-[0-9a-f-]{27}@consumer$' then '' else reference end), '[\s,;]+')
      || regexp_replace(coalesce(mobile, ''), '\D', '', 'g')
    ) as word where word <> ''
  ))
$function$;

CREATE OR REPLACE FUNCTION public.fence_tenant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
  tenant bigint;
begin
  if current_setting('holdfast.fence', true) = 'off' then
    return null;
  end if;
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  case tg_argv[0]
    when 'id' then tenant := changed.id;
    when 'crm_id' then tenant := changed.crm_id;
    else select crm_id into tenant from provider where id = changed.provider_id;
  end case;
  if tenant is null then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(1212563524, (tenant % 2147483647)::integer);
  if exists (select from crm where id = tenant and suspended_until > clock_timestamp()) then
    raise exception 'The CRM is suspended.' using errcode = 'HF503', detail = tenant::text;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.follow_business()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Locked, so that no change of the settings misses the channel.
  select populated.* into new from (select booking_defaults from provider where id = new.provider_id for share) as provider,
    jsonb_populate_record(new, provider.booking_defaults) as populated;
  new.own_settings := '{}';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_questions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.name_words(name text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(array (
    select distinct left(word, 200) from unnest(regexp_split_to_array(lower(name), '[^[:alnum:]]+')) as word where word <> ''
  ))
$function$;

CREATE OR REPLACE FUNCTION public.note_booking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Whose hold it was matters only as long as it is one.
  new.client := null;
  if new.state = 'BOOKED' then
    new.booked_at := coalesce(new.booked_at, app_clock());
  end if;
  -- A row that is inserted as cancelled comes from a backup or another system: when is not known.
  if tg_op = 'UPDATE' then
    new.cancelled_at := case when new.state = 'CANCELED' then coalesce(new.cancelled_at, app_clock()) end;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$begin execute format('update %I set updated_at = app_clock() where id = $1', tg_table_name) using new.id; return null; end$function$;

CREATE OR REPLACE FUNCTION public.note_change_first()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$begin new.updated_at := app_clock(); return new; end$function$;

CREATE OR REPLACE FUNCTION public.note_longest_block()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update resource set longest_block = new.blocked_to - new.blocked_from
    where id = new.resource_id and longest_block < new.blocked_to - new.blocked_from;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_longest_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update resource set longest_block = longest
    from (select resource_id, max(blocked_to - blocked_from) as longest from written group by resource_id) written
    where id = resource_id and longest_block < longest;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.recount_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$begin update appointment set counted_places = counted_places - case when old.state in ('BOOKED', 'REQUESTED') then old.places else 0 end, counted_people = counted_people - 1 where id = old.appointment_id and counted_to >= old.id; if tg_op = 'UPDATE' then if new.state = 'RESERVED' then update appointment set counted_to = null, counted_places = null, counted_people = null where id = new.appointment_id and counted_to >= new.id; else update appointment set counted_places = counted_places + case when new.state in ('BOOKED', 'REQUESTED') then new.places else 0 end, counted_people = counted_people + 1 where id = new.appointment_id and counted_to >= new.id; end if; end if; return null; end$function$;

CREATE OR REPLACE FUNCTION public.refuse_deleted_provider()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from provider where id = new.provider_id and deleted_at is not null) then
    raise exception 'The Provider was deleted.' using errcode = 'HF404';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.takes_place(state text, expires_at timestamp with time zone, now timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select state in ('BOOKED', 'REQUESTED') or (state = 'RESERVED' and expires_at > now)
$function$;

CREATE OR REPLACE FUNCTION public.track_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    insert into tracked_change (table_name, row_id) values (tg_table_name, old.id);
  else
    insert into tracked_change (table_name, row_id) values (tg_table_name, new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.waiting_keys(state text, provider_id bigint, product_id bigint, resource_ids bigint[], weekdays smallint, from_date date, to_date date, from_minute smallint, to_minute smallint)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when state = 'WAITING' then array['product ' || product_id] || array(
    select place || ' on ' || weekday
    from unnest(coalesce(resource_ids::text[], array['any of ' || provider_id])) as place,
      unnest(case when weekdays = 127 then array['any'] else array(
        select bit::text from generate_series(0, 6) as bit where weekdays & (1 << bit) <> 0
      ) end) as weekday
  ) || array(
    select 'week ' || week from generate_series((from_date - date '2000-01-03') / 7, (to_date - date '2000-01-03') / 7) as week
  ) || case when from_minute = 0 and to_minute = 1440 then array['any hour'] else array(
    select 'hour ' || hour from generate_series(from_minute / 60, (to_minute - 1) / 60) as hour
  ) end end
$function$;

CREATE OR REPLACE FUNCTION public.window_of(seconds integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select to_timestamp(floor(extract(epoch from app_now()) / seconds) * seconds)
$function$;

create table account (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  reference text not null,
  owner_id bigint not null,
  branch text not null,
  invoice_address jsonb,
  invoice_contact_name text,
  invoice_company_name text,
  invoice_tax_id text,
  email text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default app_now(),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_reference UNIQUE (crm_id, reference),
  constraint account_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint account_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id)
);
create index account_owner ON public.account USING btree (owner_id);

create table api_key (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  prefix text not null,
  hash bytea not null,
  label text,
  scopes text[] not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  user_id bigint,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_uuid_key UNIQUE (uuid),
  constraint api_key_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create index api_key_crm ON public.api_key USING btree (crm_id);
create index api_key_prefix ON public.api_key USING btree (prefix);

create unlogged table api_request (
  crm_id bigint not null,
  id bigint generated always as identity not null,
  key_id bigint not null,
  at timestamp with time zone not null,
  route text not null,
  status smallint not null,
  code text,
  request_id text not null,
  ms integer not null,
  stands_for smallint not null,
  constraint api_request_pkey PRIMARY KEY (crm_id, id),
  constraint api_request_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id) ON DELETE CASCADE,
  constraint api_request_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE CASCADE
);

create table app_user (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  reference text,
  email text,
  username text,
  first_name text,
  last_name text,
  phone text,
  mobile text,
  mobile_key text,
  unconfirmed text[] default '{}'::text[] not null,
  language text not null,
  verification_nonce uuid default gen_random_uuid() not null,
  verified_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default app_now(),
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_uuid_key UNIQUE (uuid),
  constraint app_user_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id)
);
create unique index app_user_email ON public.app_user USING btree (lower(email)) WHERE (reference IS NOT NULL);
create index app_user_mobile ON public.app_user USING btree (mobile_key, crm_id) WHERE (mobile_key IS NOT NULL);
create unique index app_user_person_email ON public.app_user USING btree (lower(email), crm_id);
create unique index app_user_reference ON public.app_user USING btree (crm_id, reference) WHERE (reference IS NOT NULL);
create unique index app_user_username ON public.app_user USING btree (lower(username)) WHERE (username IS NOT NULL);

create table appointment (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint not null,
  product_id bigint not null,
  timeslot_id bigint,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  origin text not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  blocked_from timestamp with time zone not null,
  blocked_to timestamp with time zone not null,
  capacity integer not null,
  accept_bookings boolean not null,
  product_name text,
  contact_user_id bigint,
  contact_profile_id bigint,
  description text,
  notes text,
  address jsonb,
  price_value numeric,
  price_currency text,
  series_id uuid,
  state text default 'ACTIVE'::text not null,
  archived boolean default false not null,
  content_digest bytea,
  claim bigint,
  created_at timestamp with time zone default now() not null,
  moved_at timestamp with time zone,
  deleted_at timestamp with time zone,
  updated_at timestamp with time zone default app_now(),
  counted_to bigint,
  counted_places integer,
  counted_people integer,
  ends_empty boolean default false not null,
  constraint appointment_pkey PRIMARY KEY (id),
  constraint appointment_uuid_key UNIQUE (uuid),
  constraint appointment_no_overlap EXCLUDE USING gist (resource_id WITH =, tstzrange(blocked_from, blocked_to) WITH &&, COALESCE(claim, id) WITH <>) WHERE (((origin = 'consumer'::text) AND (state = 'ACTIVE'::text) AND (deleted_at IS NULL))),
  constraint appointment_capacity_check CHECK ((capacity >= 0)),
  constraint appointment_origin_check CHECK ((origin = ANY (ARRAY['consumer'::text, 'provider'::text]))),
  constraint appointment_price_currency_check CHECK ((price_currency = ANY (ARRAY['EUR'::text, 'CHF'::text]))),
  constraint appointment_state_check CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'CANCELLED'::text]))),
  constraint appointment_window CHECK (((start_at < end_at) AND (blocked_from <= start_at) AND (blocked_to >= end_at))),
  constraint appointment_claim_fkey FOREIGN KEY (claim) REFERENCES appointment(id) ON DELETE SET NULL,
  constraint appointment_contact_profile_id_fkey FOREIGN KEY (contact_profile_id) REFERENCES contact_profile(id),
  constraint appointment_contact_user_id_fkey FOREIGN KEY (contact_user_id) REFERENCES app_user(id),
  constraint appointment_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint appointment_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id),
  constraint appointment_timeslot_id_fkey FOREIGN KEY (timeslot_id) REFERENCES timeslot(id) ON DELETE SET NULL
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_cost_delay=0, fillfactor=100);
create index appointment_active ON public.appointment USING btree (resource_id, blocked_to) WHERE ((state = 'ACTIVE'::text) AND (deleted_at IS NULL));
create index appointment_archived ON public.appointment USING btree (reference, provider_id) WHERE archived;
create index appointment_claim ON public.appointment USING btree (claim) WHERE (claim IS NOT NULL);
create index appointment_contact ON public.appointment USING btree (contact_user_id) WHERE (contact_user_id IS NOT NULL);
create index appointment_gone ON public.appointment USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (origin = 'consumer'::text));
create index appointment_list ON public.appointment USING btree (provider_id, start_at, id) WHERE (deleted_at IS NULL);
create index appointment_profile ON public.appointment USING btree (contact_profile_id) WHERE (contact_profile_id IS NOT NULL);
create unique index appointment_reference ON public.appointment USING btree (reference, provider_id) WHERE ((deleted_at IS NULL) AND (NOT archived));
create index appointment_resource ON public.appointment USING btree (resource_id, start_at);
create index appointment_series ON public.appointment USING btree (provider_id, series_id) WHERE (series_id IS NOT NULL);
create index appointment_timeslot ON public.appointment USING btree (timeslot_id);
create index appointment_upcoming ON public.appointment USING btree (start_at);

create table busy_span (
  provider_id bigint not null,
  resource_id bigint not null,
  source_id bigint not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  title text,
  constraint busy_span_length CHECK (((from_at < to_at) AND (to_at <= (from_at + '1 day'::interval)))),
  constraint busy_span_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint busy_span_source_id_fkey FOREIGN KEY (source_id) REFERENCES calendar_source(id) ON DELETE CASCADE
);
create index busy_span_resource ON public.busy_span USING btree (resource_id, to_at);
create index busy_span_source ON public.busy_span USING btree (source_id);

create table calendar_check (
  source_id bigint not null,
  provider_id bigint not null,
  next_at timestamp with time zone default now() not null,
  worked_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  worked_by uuid,
  validators jsonb default '{}'::jsonb not null,
  digest bytea,
  read_until timestamp with time zone,
  time_zone text,
  checked_at timestamp with time zone,
  changed_at timestamp with time zone,
  failing_since timestamp with time zone,
  failures integer default 0 not null,
  problem text,
  problem_detail text,
  skipped integer default 0 not null,
  stale_told_at timestamp with time zone,
  constraint calendar_check_pkey PRIMARY KEY (source_id),
  constraint calendar_check_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint calendar_check_source_id_fkey FOREIGN KEY (source_id) REFERENCES calendar_source(id) ON DELETE CASCADE
) with (fillfactor=70);
create index calendar_check_checked ON public.calendar_check USING btree (checked_at);
create index calendar_check_due ON public.calendar_check USING btree (next_at);

create table calendar_feed (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint,
  user_id bigint,
  uuid uuid default gen_random_uuid() not null,
  hash bytea not null,
  description text,
  with_names boolean not null,
  created_at timestamp with time zone default now() not null,
  last_read_at timestamp with time zone,
  made_by bigint,
  made_by_login uuid,
  constraint calendar_feed_pkey PRIMARY KEY (id),
  constraint calendar_feed_hash_key UNIQUE (hash),
  constraint calendar_feed_uuid_key UNIQUE (uuid),
  constraint calendar_feed_of CHECK (((resource_id IS NULL) OR (user_id IS NULL))),
  constraint calendar_feed_made_by_fkey FOREIGN KEY (made_by) REFERENCES app_user(id),
  constraint calendar_feed_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint calendar_feed_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE,
  constraint calendar_feed_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create index calendar_feed_made_by_login_idx ON public.calendar_feed USING btree (made_by_login) WHERE (made_by_login IS NOT NULL);
create index calendar_feed_provider ON public.calendar_feed USING btree (provider_id);

create table calendar_mirror (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint not null,
  source_id bigint,
  sealed bytea not null,
  path text not null,
  with_names boolean not null,
  ended_at timestamp with time zone,
  url text,
  token text,
  revision bigint,
  not_before timestamp with time zone default now() not null,
  look_at timestamp with time zone default now() not null,
  worked_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  worked_by uuid,
  done_at timestamp with time zone,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  problem text,
  problem_detail text,
  constraint calendar_mirror_pkey PRIMARY KEY (id),
  constraint calendar_mirror_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint calendar_mirror_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE,
  constraint calendar_mirror_source_id_fkey FOREIGN KEY (source_id) REFERENCES calendar_source(id) ON DELETE SET NULL
) with (fillfactor=70);
create index calendar_mirror_of ON public.calendar_mirror USING btree (resource_id);
create unique index calendar_mirror_resource ON public.calendar_mirror USING btree (provider_id, resource_id) WHERE (ended_at IS NULL);
create index calendar_mirror_source ON public.calendar_mirror USING btree (source_id);

create table calendar_source (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  kind text not null,
  name text not null,
  host text not null,
  user_name text,
  sealed bytea not null,
  calendars text[],
  tentative_is_busy boolean default true not null,
  show_titles boolean default false not null,
  stale_hours integer default 24 not null,
  stay_open boolean default true not null,
  paused_at timestamp with time zone,
  closed_since timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint calendar_source_pkey PRIMARY KEY (id),
  constraint calendar_source_uuid_key UNIQUE (uuid),
  constraint calendar_source_kind_check CHECK ((kind = ANY (ARRAY['ics'::text, 'caldav'::text]))),
  constraint calendar_source_stale_hours_check CHECK (((stale_hours >= 1) AND (stale_hours <= 720))),
  constraint calendar_source_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint calendar_source_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE
);
create index calendar_source_closed ON public.calendar_source USING btree (resource_id) WHERE (closed_since IS NOT NULL);
create index calendar_source_of ON public.calendar_source USING btree (resource_id);
create index calendar_source_resource ON public.calendar_source USING btree (provider_id, resource_id);

create table cancellation (
  provider_id bigint not null,
  appointment_id bigint not null,
  actor jsonb not null,
  message text,
  send_mails boolean not null,
  constraint cancellation_pkey PRIMARY KEY (provider_id, appointment_id),
  constraint cancellation_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES appointment(id) ON DELETE CASCADE,
  constraint cancellation_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table channel (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  key text not null,
  visible boolean default true not null,
  customers_only boolean default false not null,
  booking_process text default 'IMMEDIATE'::text not null,
  product_ids bigint[],
  minimum_notice_minutes integer default 0 not null,
  horizon_days integer,
  show_full boolean default false not null,
  reminder_hours integer default 24 not null,
  change_notice_minutes integer default 0 not null,
  own_settings text[] not null,
  phone_field text default 'OPTIONAL'::text not null,
  ask_message boolean default true not null,
  waiting_list boolean default false not null,
  series_max smallint default 0 not null,
  agent_booking boolean default false not null,
  agent_hold_minutes smallint default 15 not null,
  constraint channel_pkey PRIMARY KEY (id),
  constraint channel_key UNIQUE (resource_id, key),
  constraint channel_uuid_key UNIQUE (uuid),
  constraint channel_agent_hold_minutes_check CHECK (((agent_hold_minutes >= 5) AND (agent_hold_minutes <= 1440))),
  constraint channel_booking_process_check CHECK ((booking_process = ANY (ARRAY['IMMEDIATE'::text, 'REQUESTED'::text]))),
  constraint channel_phone_field_check CHECK ((phone_field = ANY (ARRAY['HIDDEN'::text, 'OPTIONAL'::text, 'REQUIRED'::text]))),
  constraint channel_series_max_check CHECK (((series_max >= 0) AND (series_max <= 50))),
  constraint channel_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE
);
create index channel_reminder ON public.channel USING btree (reminder_hours);

create table closed_time (
  closure_id bigint not null,
  provider_id bigint not null,
  resource_id bigint,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  constraint closed_time_closure_id_fkey FOREIGN KEY (closure_id) REFERENCES closure(id) ON DELETE CASCADE,
  constraint closed_time_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint closed_time_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE
);
create index closed_time_closure ON public.closed_time USING btree (closure_id);
create index closed_time_resource ON public.closed_time USING btree (resource_id) WHERE (resource_id IS NOT NULL);
create index closed_time_span ON public.closed_time USING btree (provider_id, resource_id, to_at);

create table closure (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  from_text text not null,
  to_text text not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  reason text not null,
  is_block boolean default false not null,
  holiday date,
  created_at timestamp with time zone default now() not null,
  constraint closure_pkey PRIMARY KEY (id),
  constraint closure_uuid_key UNIQUE (uuid),
  constraint closure_window CHECK ((from_at < to_at)),
  constraint closure_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);
create unique index closure_holiday ON public.closure USING btree (provider_id, holiday) WHERE (holiday IS NOT NULL);
create index closure_list ON public.closure USING btree (provider_id, to_at);

create table cluster_timeline (
  system_identifier text not null,
  timeline integer not null,
  constraint cluster_timeline_pkey PRIMARY KEY (system_identifier)
);

create table console_session (
  hash bytea not null,
  console_user_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  way text default 'link'::text not null,
  agent text,
  seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  host_bound boolean default false not null,
  constraint console_session_pkey PRIMARY KEY (hash),
  constraint console_session_uuid_key UNIQUE (uuid),
  constraint console_session_way_check CHECK ((way = ANY (ARRAY['link'::text, 'password'::text, 'oidc'::text]))),
  constraint console_session_console_user_id_fkey FOREIGN KEY (console_user_id) REFERENCES console_user(id) ON DELETE CASCADE
);
create index console_session_expiry ON public.console_session USING btree (expires_at);
create index console_session_user ON public.console_session USING btree (console_user_id);

create table console_user (
  id bigint generated always as identity not null,
  crm_id bigint,
  user_id bigint,
  uuid uuid default gen_random_uuid() not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  totp_secret bytea,
  totp_pending bytea,
  totp_step bigint default 0 not null,
  recovery_hashes bytea[] default '{}'::bytea[] not null,
  language text not null,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint console_user_pkey PRIMARY KEY (id),
  constraint console_user_user_id_key UNIQUE (user_id),
  constraint console_user_uuid_key UNIQUE (uuid),
  constraint console_user_role CHECK (
CASE role
    WHEN 'staff'::text THEN (user_id IS NOT NULL)
    WHEN 'administrator'::text THEN (crm_id IS NOT NULL)
    ELSE true
END),
  constraint console_user_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'administrator'::text, 'staff'::text]))),
  constraint console_user_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint console_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create unique index console_user_email ON public.console_user USING btree (lower(email));

create table contact_channel (
  crm_id bigint not null,
  profile_id bigint not null,
  type text not null,
  label text,
  value text not null,
  "position" integer not null,
  constraint contact_channel_pkey PRIMARY KEY (profile_id, type),
  constraint contact_channel_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint contact_channel_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES contact_profile(id) ON DELETE CASCADE
);

create table contact_profile (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  provider_id bigint,
  user_id bigint not null,
  reference text,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint contact_profile_pkey PRIMARY KEY (id),
  constraint contact_profile_reference UNIQUE (provider_id, reference),
  constraint contact_profile_kind CHECK (((provider_id IS NULL) = (reference IS NULL))),
  constraint contact_profile_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint contact_profile_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint contact_profile_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create unique index contact_profile_general ON public.contact_profile USING btree (user_id) WHERE (provider_id IS NULL);

create table crm (
  id bigint generated always as identity not null,
  name text not null,
  language text,
  created_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  retention_mail_days integer,
  retention_customer_months integer,
  suspended_until timestamp with time zone,
  moved_to text,
  constraint crm_pkey PRIMARY KEY (id),
  constraint crm_name_key UNIQUE (name),
  constraint crm_retention_customer_months_check CHECK (((retention_customer_months >= 1) AND (retention_customer_months <= 1200))),
  constraint crm_retention_mail_days_check CHECK (((retention_mail_days >= 7) AND (retention_mail_days <= 36500)))
);
create index crm_suspended ON public.crm USING btree (suspended_until) WHERE (suspended_until IS NOT NULL);
create index crm_words ON public.crm USING gin (name_words(name));

create table crm_departure (
  crm_id bigint not null,
  move uuid not null,
  target text not null,
  left_at timestamp with time zone,
  constraint crm_departure_pkey PRIMARY KEY (crm_id),
  constraint crm_departure_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id) ON DELETE CASCADE
);

create table crm_origin (
  crm_id bigint not null,
  move uuid not null,
  id_offset bigint not null,
  era_base integer not null,
  source_crm_id bigint not null,
  link_keys bytea,
  copied_before xid8,
  arrived_at timestamp with time zone,
  constraint crm_origin_pkey PRIMARY KEY (crm_id, move),
  constraint crm_origin_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id)
);

create table customer (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  user_id bigint,
  name text not null,
  email text,
  mobile text,
  mobile_key text,
  unconfirmed text[] default '{}'::text[] not null,
  note text,
  language text,
  invited boolean default false not null,
  former_emails text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  updated_at timestamp with time zone default app_now(),
  birth_date date,
  address jsonb,
  insurer text,
  insurance_number text,
  fields jsonb default '{}'::jsonb not null,
  tags text[] default '{}'::text[] not null,
  erasure_requested_at timestamp with time zone,
  constraint customer_pkey PRIMARY KEY (id),
  constraint customer_reference UNIQUE (provider_id, reference),
  constraint customer_uuid_key UNIQUE (uuid),
  constraint customer_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint customer_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create index customer_birth ON public.customer USING btree (provider_id, birth_date, lower(name)) WHERE (birth_date IS NOT NULL);
create index customer_email ON public.customer USING btree (provider_id, lower(email)) WHERE (email IS NOT NULL);
create index customer_erased ON public.customer USING btree (provider_id, erased_at) WHERE (erased_at IS NOT NULL);
create index customer_last_name ON public.customer USING btree (provider_id, regexp_replace(lower(name), '^.*[\s,;]'::text, ''::text), id) WHERE (erased_at IS NULL);
create index customer_list ON public.customer USING btree (provider_id, id) WHERE (erased_at IS NULL);
create index customer_mobile ON public.customer USING btree (provider_id, mobile_key) WHERE (mobile_key IS NOT NULL);
create index customer_name ON public.customer USING btree (provider_id, lower(name), id) WHERE (erased_at IS NULL);
create index customer_number_end ON public.customer USING btree (provider_id, reverse(mobile_key) COLLATE "C") WHERE ((reverse(mobile_key) COLLATE "C") IS NOT NULL);
create unique index customer_of_user ON public.customer USING btree (user_id, provider_id) WHERE (user_id IS NOT NULL);
create index customer_search ON public.customer USING gin (customer_words(provider_id, name, email, mobile, reference));
create index customer_tagged ON public.customer USING btree (provider_id, id) WHERE (tags <> '{}'::text[]);
create index customer_tags ON public.customer USING gin (customer_tag_words(provider_id, tags)) WHERE (tags <> '{}'::text[]);

create table customer_distinct (
  provider_id bigint not null,
  customer_id bigint not null,
  other_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint customer_distinct_pkey PRIMARY KEY (provider_id, customer_id, other_id),
  constraint customer_distinct_check CHECK ((customer_id < other_id)),
  constraint customer_distinct_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint customer_distinct_other_id_fkey FOREIGN KEY (other_id) REFERENCES customer(id),
  constraint customer_distinct_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);
create index customer_distinct_customer ON public.customer_distinct USING btree (customer_id);
create index customer_distinct_other ON public.customer_distinct USING btree (other_id);

create table customer_merge (
  provider_id bigint not null,
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  customer_id bigint not null,
  kept_id bigint not null,
  into_id bigint not null,
  reference text not null,
  email text,
  user_id bigint,
  record jsonb,
  merged_at timestamp with time zone default app_clock() not null,
  constraint customer_merge_pkey PRIMARY KEY (provider_id, id),
  constraint customer_merge_customer_id_key UNIQUE (customer_id),
  constraint customer_merge_uuid_key UNIQUE (uuid),
  constraint customer_merge_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint customer_merge_into_id_fkey FOREIGN KEY (into_id) REFERENCES customer(id),
  constraint customer_merge_kept_id_fkey FOREIGN KEY (kept_id) REFERENCES customer(id),
  constraint customer_merge_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint customer_merge_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create index customer_merge_due ON public.customer_merge USING btree (merged_at) WHERE (record IS NOT NULL);
create index customer_merge_email ON public.customer_merge USING btree (provider_id, email) WHERE (email IS NOT NULL);
create index customer_merge_into ON public.customer_merge USING btree (into_id);
create index customer_merge_kept ON public.customer_merge USING btree (kept_id);
create index customer_merge_reference ON public.customer_merge USING btree (provider_id, reference);
create index customer_merge_user ON public.customer_merge USING btree (user_id) WHERE (user_id IS NOT NULL);

create table data_import (
  provider_id bigint not null,
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  kind text not null,
  state text default 'UPLOADED'::text not null,
  file_name text,
  digest text not null,
  headers jsonb not null,
  mapping jsonb,
  options jsonb not null,
  actor jsonb not null,
  line_count integer not null,
  was_stopped boolean default false not null,
  created_at timestamp with time zone default app_clock() not null,
  changed_at timestamp with time zone default app_clock() not null,
  constraint data_import_pkey PRIMARY KEY (provider_id, id),
  constraint data_import_uuid_key UNIQUE (uuid),
  constraint data_import_kind_check CHECK ((kind = ANY (ARRAY['customers'::text, 'appointments'::text]))),
  constraint data_import_state_check CHECK ((state = ANY (ARRAY['UPLOADED'::text, 'CHECKING'::text, 'CHECKED'::text, 'RUNNING'::text, 'DONE'::text, 'UNDOING'::text, 'UNDONE'::text]))),
  constraint data_import_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);
create index data_import_old ON public.data_import USING btree (changed_at);

create table data_import_line (
  provider_id bigint not null,
  import_id bigint not null,
  line integer not null,
  cells jsonb,
  result text,
  problems jsonb,
  customer_id bigint,
  appointment_id bigint,
  is_new_customer boolean,
  before jsonb,
  saved_at timestamp with time zone,
  booked_at timestamp with time zone,
  shares_email boolean default false not null,
  constraint data_import_line_pkey PRIMARY KEY (provider_id, import_id, line),
  constraint data_import_line_result_check CHECK ((result = ANY (ARRAY['CREATED'::text, 'CHANGED'::text, 'UNCHANGED'::text, 'SKIPPED'::text, 'REFUSED'::text, 'UNDONE'::text, 'KEPT'::text]))),
  constraint data_import_line_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint data_import_line_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint data_import_line_provider_id_import_id_fkey FOREIGN KEY (provider_id, import_id) REFERENCES data_import(provider_id, id) ON DELETE CASCADE
);
create index data_import_line_cells ON public.data_import_line USING btree (provider_id) WHERE (cells IS NOT NULL);
create index data_import_line_customer ON public.data_import_line USING btree (customer_id) WHERE (customer_id IS NOT NULL);

create table delivery (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  webhook_id bigint not null,
  era integer,
  xid xid8,
  event_id bigint,
  event_uuid uuid not null,
  kind text not null,
  status integer,
  ms integer not null,
  error text,
  answer text,
  at timestamp with time zone default app_clock() not null,
  constraint delivery_pkey PRIMARY KEY (id),
  constraint delivery_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
);
create index delivery_age ON public.delivery USING btree (at);
create index delivery_answer ON public.delivery USING btree (crm_id) WHERE (answer IS NOT NULL);
create index delivery_webhook ON public.delivery USING btree (webhook_id, id DESC);

create table email_text (
  provider_id bigint not null,
  kind text not null,
  language text not null,
  text text not null,
  constraint email_text_pkey PRIMARY KEY (provider_id, kind, language),
  constraint email_text_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table event (
  crm_id bigint not null,
  era integer not null,
  xid xid8 default pg_current_xact_id() not null,
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  kind text not null,
  provider_id bigint,
  subject bigint,
  detail text,
  actor_kind text not null,
  actor text,
  at timestamp with time zone default app_clock() not null,
  extra jsonb,
  former_reference bytea,
  constraint event_pkey PRIMARY KEY (crm_id, era, xid, id),
  constraint event_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['key'::text, 'console'::text, 'consumer'::text, 'service'::text, 'agent'::text])))
);
create index event_log ON public.event USING btree (era, xid, id);
create index event_of_crm ON public.event USING btree (crm_id, split_part(kind, '.'::text, 1), actor_kind, era, xid, id);
create index event_of_kind ON public.event USING btree (split_part(kind, '.'::text, 1), actor_kind, era, xid, id);
create index event_of_provider ON public.event USING btree (provider_id, split_part(kind, '.'::text, 1), actor_kind, at, id);
create index event_provider ON public.event USING btree (provider_id, at, id);
create index event_subject ON public.event USING btree (provider_id, subject, at);

create table event_era (
  number integer not null,
  since timestamp with time zone default now() not null,
  constraint event_era_pkey PRIMARY KEY (number)
);

create table event_pruned (
  crm_id bigint not null,
  era integer not null,
  xid xid8 not null,
  event_id bigint not null,
  constraint event_pruned_pkey PRIMARY KEY (crm_id),
  constraint event_pruned_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id)
);

create table invitation (
  crm_id bigint not null,
  user_id bigint,
  uuid uuid default gen_random_uuid() not null,
  email text not null,
  name text not null,
  role text not null,
  language text not null,
  hash bytea not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint invitation_hash_key UNIQUE (hash),
  constraint invitation_uuid_key UNIQUE (uuid),
  constraint invitation_check CHECK (((role <> 'staff'::text) OR (user_id IS NOT NULL))),
  constraint invitation_role_check CHECK ((role = ANY (ARRAY['administrator'::text, 'staff'::text]))),
  constraint invitation_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id) ON DELETE CASCADE,
  constraint invitation_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
create unique index invitation_email ON public.invitation USING btree (crm_id, lower(email));
create index invitation_user ON public.invitation USING btree (user_id) WHERE (user_id IS NOT NULL);

create table job_request (
  priority smallint not null,
  id bigint generated always as identity not null,
  kind text not null,
  payload json not null,
  run_at timestamp with time zone not null,
  max_attempts smallint,
  key text,
  flags text[],
  constraint job_request_pkey PRIMARY KEY (priority, id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);

create table kept_answer (
  id bytea not null,
  digest bytea not null,
  answer bytea not null,
  kept_at timestamp with time zone not null,
  constraint kept_answer_pkey PRIMARY KEY (id)
);
create index kept_answer_age ON public.kept_answer USING btree (kept_at);

create table login_link (
  hash bytea not null,
  console_user_id bigint not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  sealed bytea,
  constraint login_link_pkey PRIMARY KEY (hash),
  constraint login_link_console_user_id_fkey FOREIGN KEY (console_user_id) REFERENCES console_user(id) ON DELETE CASCADE
);
create index login_link_user ON public.login_link USING btree (console_user_id);

create table logo (
  provider_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  type text not null,
  bytes bytea not null,
  constraint logo_pkey PRIMARY KEY (provider_id),
  constraint logo_uuid_key UNIQUE (uuid),
  constraint logo_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table mail (
  id bigint generated always as identity not null,
  crm_id bigint,
  provider_id bigint,
  user_id bigint,
  participation_id bigint,
  uuid uuid default gen_random_uuid() not null,
  kind text not null,
  recipient text,
  language text not null,
  data jsonb,
  data_of bigint,
  batch bigint[],
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  last_error text,
  erase_when_done boolean default false not null,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  unsent text generated always as (
CASE
    WHEN (state = ANY (ARRAY['failed'::text, 'kept'::text])) THEN state
    ELSE NULL::text
END),
  own_text text,
  channel text default 'email'::text not null,
  constraint mail_pkey PRIMARY KEY (id),
  constraint mail_uuid_key UNIQUE (uuid),
  constraint mail_data CHECK (((data IS NOT NULL) OR (data_of IS NOT NULL))),
  constraint mail_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'kept'::text]))),
  constraint mail_participation_id_fkey FOREIGN KEY (participation_id) REFERENCES participation(id) ON DELETE SET NULL,
  constraint mail_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
) with (toast_tuple_target=512, fillfactor=75);
create index mail_age ON public.mail USING brin (created_at);
create index mail_participation ON public.mail USING btree (participation_id);
create index mail_provider ON public.mail USING btree (provider_id, id);
create index mail_recipient ON public.mail USING btree (lower(recipient), id) WHERE (recipient IS NOT NULL);
create index mail_unsent ON public.mail USING btree (unsent, id) WHERE (unsent IS NOT NULL);
create index mail_unsent_of ON public.mail USING btree (provider_id, unsent, id) WHERE (unsent IS NOT NULL);
create index mail_unusual ON public.mail USING btree (kind, id) WHERE (kind <> ALL (ARRAY['booked'::text, 'booking-notice'::text, 'reminder'::text]));
create index mail_user ON public.mail USING btree (user_id) WHERE (user_id IS NOT NULL);

create table migration (
  number integer not null,
  name text not null,
  checksum text,
  works_from integer,
  applied_at timestamp with time zone default now() not null,
  constraint migration_pkey PRIMARY KEY (number)
);

create table mirror_entry (
  provider_id bigint not null,
  mirror_id bigint not null,
  uuid uuid not null,
  uid text not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  written text,
  stored text,
  sent text[] default '{}'::text[] not null,
  etag text,
  notice text,
  noticed_at timestamp with time zone,
  constraint mirror_entry_pkey PRIMARY KEY (provider_id, mirror_id, uuid),
  constraint mirror_entry_notice_check CHECK ((notice = ANY (ARRAY['changed'::text, 'deleted'::text]))),
  constraint mirror_entry_mirror_id_fkey FOREIGN KEY (mirror_id) REFERENCES calendar_mirror(id) ON DELETE CASCADE,
  constraint mirror_entry_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);
create index mirror_entry_mirror ON public.mirror_entry USING btree (mirror_id);
create index mirror_entry_notice ON public.mirror_entry USING btree (mirror_id) WHERE (notice IS NOT NULL);
create index mirror_entry_uuid ON public.mirror_entry USING btree (uuid);

create table opening_hours (
  resource_id bigint not null,
  provider_id bigint not null,
  weeks integer default 12 not null,
  made_until date not null,
  zone_changed boolean default false not null,
  constraint opening_hours_pkey PRIMARY KEY (resource_id),
  constraint opening_hours_weeks_check CHECK (((weeks >= 1) AND (weeks <= 104))),
  constraint opening_hours_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint opening_hours_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE
);
create index opening_hours_provider ON public.opening_hours USING btree (provider_id);
create index opening_hours_zone_changed ON public.opening_hours USING btree (provider_id, resource_id) WHERE zone_changed;

create table opening_rule (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  "position" integer not null,
  weekdays integer[] not null,
  from_minute integer not null,
  to_minute integer not null,
  raster integer not null,
  capacity integer not null,
  accept_bookings boolean not null,
  valid_from date,
  valid_until date,
  week_of date,
  cycle_weekdays integer[],
  only_on date,
  is_closed boolean,
  constraint opening_rule_pkey PRIMARY KEY (id),
  constraint opening_rule_uuid_key UNIQUE (uuid),
  constraint opening_rule_capacity_check CHECK ((capacity >= 0)),
  constraint opening_rule_check CHECK (((to_minute > from_minute) AND (to_minute <= (from_minute + 1440)))),
  constraint opening_rule_from_minute_check CHECK (((from_minute >= 0) AND (from_minute <= 1439))),
  constraint opening_rule_raster_check CHECK ((raster > 0)),
  constraint opening_rule_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint opening_rule_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES opening_hours(resource_id) ON DELETE CASCADE
);
create index opening_rule_resource ON public.opening_rule USING btree (resource_id);

create table outgoing_pause (
  single boolean default true not null,
  reason text not null,
  since timestamp with time zone default now() not null,
  constraint outgoing_pause_pkey PRIMARY KEY (single),
  constraint outgoing_pause_single_check CHECK (single)
);

create table participation (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  appointment_id bigint not null,
  customer_id bigint,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  name text,
  email text,
  mobile text,
  note text,
  state text not null,
  expires_at timestamp with time zone,
  placeholder uuid,
  client text,
  renewals smallint default 0 not null,
  completion_digest text,
  messages text[] default '{}'::text[] not null,
  language text,
  locale text,
  time_zone text,
  channel_key text,
  ics_sequence integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  booked_at timestamp with time zone,
  reminded_at timestamp with time zone,
  corrected_at timestamp with time zone,
  deleted_at timestamp with time zone,
  attendance text,
  replaces bigint,
  calendar_uuid uuid,
  moved_from jsonb,
  answers jsonb,
  answers_missing boolean default false not null,
  held_questions jsonb,
  proposal jsonb,
  updated_at timestamp with time zone default app_now(),
  places smallint default 1 not null,
  place_names text[],
  cancelled_at timestamp with time zone,
  constraint participation_pkey PRIMARY KEY (id),
  constraint participation_placeholder_key UNIQUE (placeholder),
  constraint participation_uuid_key UNIQUE (uuid),
  constraint participation_attendance_check CHECK ((attendance = ANY (ARRAY['ATTENDED'::text, 'MISSED'::text]))),
  constraint participation_expiry CHECK (((state = 'RESERVED'::text) = (expires_at IS NOT NULL))),
  constraint participation_places_check CHECK (((places >= 1) AND (places <= 100))),
  constraint participation_state_check CHECK ((state = ANY (ARRAY['RESERVED'::text, 'REQUESTED'::text, 'BOOKED'::text, 'CANCELED'::text, 'DELETED'::text]))),
  constraint participation_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES appointment(id) ON DELETE CASCADE,
  constraint participation_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint participation_replaces_fkey FOREIGN KEY (replaces) REFERENCES participation(id) ON DELETE SET NULL
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_cost_delay=0, fillfactor=90);
create index participation_addressed ON public.participation USING btree (appointment_id, hashtext(lower(email))) WHERE ((state = ANY (ARRAY['BOOKED'::text, 'REQUESTED'::text])) AND (email IS NOT NULL));
create index participation_answered ON public.participation USING btree (provider_id, id) WHERE (answers IS NOT NULL);
create index participation_appointment ON public.participation USING btree (appointment_id, id);
create index participation_archived ON public.participation USING btree (provider_id, reference) WHERE (deleted_at IS NOT NULL);
create index participation_client ON public.participation USING btree (client) WHERE ((state = 'RESERVED'::text) AND (client IS NOT NULL));
create index participation_customer ON public.participation USING btree (customer_id) WHERE (customer_id IS NOT NULL);
create index participation_expiring ON public.participation USING btree (expires_at) WHERE (state = 'RESERVED'::text);
create unique index participation_once ON public.participation USING btree (appointment_id, customer_id) WHERE (state = ANY (ARRAY['BOOKED'::text, 'REQUESTED'::text]));
create index participation_proposed ON public.participation USING btree (((proposal ->> 'mailbox'::text))) WHERE (proposal IS NOT NULL);
create unique index participation_reference ON public.participation USING btree (provider_id, reference) WHERE (deleted_at IS NULL);
create index participation_replaces ON public.participation USING btree (replaces) WHERE (replaces IS NOT NULL);
create index participation_requested ON public.participation USING btree (provider_id) WHERE (state = 'REQUESTED'::text);
create index participation_stranger ON public.participation USING btree (provider_id, lower(email)) WHERE ((customer_id IS NULL) AND (email IS NOT NULL));

create table product (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  name text not null,
  description text,
  min_duration integer,
  max_duration integer,
  lead_minutes integer,
  follow_up_minutes integer,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  question_keys text[] default '{}'::text[] not null,
  answers_required boolean default false not null,
  own_questions boolean not null,
  form json,
  updated_at timestamp with time zone default app_now(),
  max_places smallint default 1 not null,
  place_names_required boolean default false not null,
  price_text text,
  image_url text,
  constraint product_pkey PRIMARY KEY (id),
  constraint product_reference UNIQUE (provider_id, reference),
  constraint product_uuid_key UNIQUE (uuid),
  constraint product_max_places_check CHECK (((max_places >= 1) AND (max_places <= 100))),
  constraint product_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);
create index product_by_reference ON public.product USING btree (reference);

create table provider (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  owner_id bigint not null,
  account_id bigint,
  name text not null,
  email text,
  mobile text,
  phone text,
  impressum text,
  branch text,
  subbranch text,
  description text,
  time_zone text not null,
  language text not null,
  pre_identification boolean default false not null,
  accent_color text,
  logo_url text,
  privacy_url text,
  terms text,
  terms_required boolean default false not null,
  resource_word text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default app_now(),
  deleted_at timestamp with time zone,
  former_reference text,
  slug text,
  former_slugs text[] default '{}'::text[] not null,
  calendar_colors text default 'RESOURCE'::text not null,
  booking_defaults jsonb default '{}'::jsonb not null,
  question_keys text[] default '{}'::text[] not null,
  website text,
  constraint provider_pkey PRIMARY KEY (id),
  constraint provider_reference UNIQUE (crm_id, reference),
  constraint provider_uuid_key UNIQUE (uuid),
  constraint provider_calendar_colors_check CHECK ((calendar_colors = ANY (ARRAY['RESOURCE'::text, 'PRODUCT'::text]))),
  constraint provider_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint provider_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id),
  constraint provider_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id)
);
create index provider_account ON public.provider USING btree (account_id);
create index provider_by_reference ON public.provider USING btree (reference);
create index provider_former_slugs ON public.provider USING gin (former_slugs);
create index provider_name ON public.provider USING btree (name, id);
create index provider_owner ON public.provider USING btree (owner_id);
create unique index provider_slug ON public.provider USING btree (slug);
create index provider_words ON public.provider USING gin (name_words(((name || ' '::text) || reference)));

create table question (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  key text not null,
  type text not null,
  definition jsonb not null,
  "position" integer default 0 not null,
  archived boolean default false not null,
  subject text default 'booking'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint question_pkey PRIMARY KEY (provider_id, key),
  constraint question_id UNIQUE (id),
  constraint question_uuid_key UNIQUE (uuid),
  constraint question_subject_check CHECK ((subject = ANY (ARRAY['booking'::text, 'customer'::text]))),
  constraint question_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create unlogged table rate_window (
  bucket text not null,
  window_start timestamp with time zone not null,
  hits integer not null,
  constraint rate_window_pkey PRIMARY KEY (bucket, window_start)
);

create unlogged table report_day (
  provider_id bigint not null,
  day date not null,
  time_zone text not null,
  body json not null,
  constraint report_day_pkey PRIMARY KEY (provider_id, day),
  constraint report_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id) ON DELETE CASCADE
);

create table resource (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  public_name text not null,
  internal_name text not null,
  description text,
  contact_user_id bigint,
  contact_profile_id bigint,
  website text,
  address jsonb,
  archived boolean default false not null,
  revision bigint default 1 not null,
  touched text default '0:0-0;'::text not null,
  longest_block interval default '00:00:00'::interval not null,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  updated_at timestamp with time zone default app_now(),
  image_url text,
  constraint resource_pkey PRIMARY KEY (id),
  constraint resource_uuid_key UNIQUE (uuid),
  constraint resource_contact_profile_id_fkey FOREIGN KEY (contact_profile_id) REFERENCES contact_profile(id),
  constraint resource_contact_user_id_fkey FOREIGN KEY (contact_user_id) REFERENCES app_user(id),
  constraint resource_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);
create index resource_by_provider ON public.resource USING btree (provider_id, reference);
create index resource_by_reference ON public.resource USING btree (reference);
create index resource_contact ON public.resource USING btree (contact_user_id);
create index resource_longest ON public.resource USING btree (provider_id, longest_block) WHERE (longest_block > '00:00:00'::interval);
create index resource_profile ON public.resource USING btree (contact_profile_id) WHERE (contact_profile_id IS NOT NULL);
create unique index resource_reference ON public.resource USING btree (provider_id, reference) WHERE (deleted_at IS NULL);

create table resource_product (
  provider_id bigint not null,
  resource_id bigint not null,
  product_id bigint not null,
  "position" integer not null,
  constraint resource_product_pkey PRIMARY KEY (resource_id, product_id),
  constraint resource_product_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint resource_product_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint resource_product_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE
);
create index resource_product_product ON public.resource_product USING btree (product_id);

create table secret_fingerprint (
  single boolean default true not null,
  fingerprint text not null,
  still_needed text,
  constraint secret_fingerprint_pkey PRIMARY KEY (single),
  constraint secret_fingerprint_single_check CHECK (single)
);

create table series_place (
  provider_id bigint not null,
  series_id uuid not null,
  participation_id bigint not null,
  constraint series_place_pkey PRIMARY KEY (provider_id, series_id, participation_id),
  constraint series_place_participation_id_fkey FOREIGN KEY (participation_id) REFERENCES participation(id) ON DELETE CASCADE,
  constraint series_place_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);
create unique index series_place_participation ON public.series_place USING btree (participation_id);

create table staff (
  provider_id bigint not null,
  user_id bigint not null,
  attached_at timestamp with time zone default now() not null,
  role text default 'staff'::text not null,
  resource_ids bigint[] default '{}'::bigint[] not null,
  constraint staff_pkey PRIMARY KEY (provider_id, user_id),
  constraint staff_role_check CHECK ((role = ANY (ARRAY['manager'::text, 'staff'::text, 'reception'::text, 'practitioner'::text, 'reader'::text]))),
  constraint staff_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint staff_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
create index staff_user ON public.staff USING btree (user_id);

create table timeslot (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  resource_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  reference text not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  raster integer not null,
  default_capacity integer not null,
  default_accept_bookings boolean not null,
  address jsonb,
  state text not null,
  opening_rule_id bigint,
  opening_day date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default app_now(),
  constraint timeslot_pkey PRIMARY KEY (id),
  constraint timeslot_reference UNIQUE (provider_id, reference),
  constraint timeslot_uuid_key UNIQUE (uuid),
  constraint timeslot_default_capacity_check CHECK ((default_capacity >= 0)),
  constraint timeslot_raster_check CHECK ((raster > 0)),
  constraint timeslot_state_check CHECK ((state = ANY (ARRAY['CREATED'::text, 'BOOKABLE'::text]))),
  constraint timeslot_window CHECK ((start_at < end_at)),
  constraint timeslot_opening_rule_id_fkey FOREIGN KEY (opening_rule_id) REFERENCES opening_rule(id) ON DELETE SET NULL,
  constraint timeslot_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint timeslot_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id)
);
create index timeslot_by_reference ON public.timeslot USING btree (reference);
create index timeslot_long ON public.timeslot USING btree (resource_id, end_at) WHERE ((end_at - start_at) > '24:00:00'::interval);
create unique index timeslot_opening ON public.timeslot USING btree (opening_rule_id, opening_day) WHERE (opening_rule_id IS NOT NULL);
create index timeslot_resource ON public.timeslot USING btree (resource_id, end_at);
create index timeslot_rest ON public.timeslot USING btree (end_at) WHERE ((opening_rule_id IS NULL) AND (opening_day IS NOT NULL));
create index timeslot_start ON public.timeslot USING btree (resource_id, start_at);

create table tracked_change (
  xid xid8 default pg_current_xact_id() not null,
  table_name text not null,
  row_id bigint not null
);
create index tracked_change_xid ON public.tracked_change USING btree (xid);

create table waiting_entry (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  customer_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  product_id bigint not null,
  resource_ids bigint[],
  channel_key text not null,
  from_date date not null,
  to_date date not null,
  weekdays smallint default 127 not null,
  from_minute smallint default 0 not null,
  to_minute smallint default 1440 not null,
  note text,
  priority integer default 0 not null,
  priority_reason text,
  replaces bigint,
  places smallint default 1 not null,
  wish text not null,
  state text not null,
  ended_because text,
  unanswered smallint default 0 not null,
  language text,
  locale text,
  time_zone text,
  since timestamp with time zone default app_clock() not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint waiting_entry_pkey PRIMARY KEY (id),
  constraint waiting_entry_uuid_key UNIQUE (uuid),
  constraint waiting_entry_check CHECK ((from_date <= to_date)),
  constraint waiting_entry_check1 CHECK (((from_minute >= 0) AND (from_minute < to_minute) AND (to_minute <= 1440))),
  constraint waiting_entry_state_check CHECK ((state = ANY (ARRAY['UNCONFIRMED'::text, 'WAITING'::text, 'OFFERED'::text, 'BOOKED'::text, 'LEFT'::text, 'ENDED'::text]))),
  constraint waiting_entry_weekdays_check CHECK (((weekdays >= 1) AND (weekdays <= 127))),
  constraint waiting_entry_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint waiting_entry_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint waiting_entry_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint waiting_entry_replaces_fkey FOREIGN KEY (replaces) REFERENCES participation(id) ON DELETE CASCADE
);
create index waiting_entry_channel ON public.waiting_entry USING btree (provider_id, channel_key) WHERE (state = 'WAITING'::text);
create index waiting_entry_customer ON public.waiting_entry USING btree (customer_id);
create index waiting_entry_ended ON public.waiting_entry USING btree (ended_at) WHERE (ended_at IS NOT NULL);
create index waiting_entry_keys ON public.waiting_entry USING gin (waiting_keys(state, provider_id, product_id, resource_ids, weekdays, from_date, to_date, from_minute, to_minute)) WITH (fastupdate=off);
create index waiting_entry_line ON public.waiting_entry USING btree (provider_id, priority DESC, since, id) WHERE (state = 'WAITING'::text);
create index waiting_entry_list ON public.waiting_entry USING btree (provider_id, id);
create index waiting_entry_open ON public.waiting_entry USING btree (provider_id) WHERE (state = ANY (ARRAY['UNCONFIRMED'::text, 'WAITING'::text, 'OFFERED'::text]));
create index waiting_entry_over ON public.waiting_entry USING btree (to_date) WHERE (state = ANY (ARRAY['UNCONFIRMED'::text, 'WAITING'::text, 'OFFERED'::text]));
create index waiting_entry_product ON public.waiting_entry USING btree (product_id);
create index waiting_entry_replaces ON public.waiting_entry USING btree (replaces) WHERE (replaces IS NOT NULL);
create index waiting_entry_unconfirmed ON public.waiting_entry USING btree (created_at) WHERE (state = 'UNCONFIRMED'::text);
create unique index waiting_entry_wish ON public.waiting_entry USING btree (provider_id, customer_id, wish) WHERE (state = ANY (ARRAY['WAITING'::text, 'OFFERED'::text]));

create table waiting_offer (
  id bigint generated always as identity not null,
  provider_id bigint not null,
  entry_id bigint not null,
  customer_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  placeholder uuid not null,
  resource_id bigint not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  made_at timestamp with time zone default app_clock() not null,
  expires_at timestamp with time zone not null,
  by_hand boolean default false not null,
  outcome text,
  ended_at timestamp with time zone,
  constraint waiting_offer_pkey PRIMARY KEY (id),
  constraint waiting_offer_placeholder_key UNIQUE (placeholder),
  constraint waiting_offer_uuid_key UNIQUE (uuid),
  constraint waiting_offer_outcome_check CHECK ((outcome = ANY (ARRAY['TAKEN'::text, 'DECLINED'::text, 'LAPSED'::text, 'WITHDRAWN'::text]))),
  constraint waiting_offer_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint waiting_offer_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES waiting_entry(id) ON DELETE CASCADE,
  constraint waiting_offer_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint waiting_offer_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id)
);
create index waiting_offer_customer ON public.waiting_offer USING btree (customer_id);
create index waiting_offer_due ON public.waiting_offer USING btree (expires_at) WHERE (outcome IS NULL);
create index waiting_offer_held ON public.waiting_offer USING btree (resource_id) WHERE (outcome IS NULL);
create unique index waiting_offer_live ON public.waiting_offer USING btree (provider_id, customer_id) WHERE (outcome IS NULL);
create unique index waiting_offer_once ON public.waiting_offer USING btree (entry_id, resource_id, start_at);
create unique index waiting_offer_open ON public.waiting_offer USING btree (entry_id) WHERE (outcome IS NULL);
create index waiting_offer_resource ON public.waiting_offer USING btree (resource_id, start_at);

create table waiting_rule (
  provider_id bigint not null,
  offer_minutes integer default 120 not null,
  quiet_from text default '21:00'::text not null,
  quiet_until text default '08:00'::text not null,
  constraint waiting_rule_pkey PRIMARY KEY (provider_id),
  constraint waiting_rule_offer_minutes_check CHECK (((offer_minutes >= 5) AND (offer_minutes <= 10080))),
  constraint waiting_rule_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
);

create table waiting_scan (
  provider_id bigint not null,
  resource_id bigint not null,
  revision bigint not null,
  scanned_at timestamp with time zone default app_clock() not null,
  constraint waiting_scan_pkey PRIMARY KEY (resource_id),
  constraint waiting_scan_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id) ON DELETE CASCADE,
  constraint waiting_scan_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id) ON DELETE CASCADE
);
create index waiting_scan_provider ON public.waiting_scan USING btree (provider_id);

create table webhook (
  id bigint generated always as identity not null,
  crm_id bigint not null,
  uuid uuid default gen_random_uuid() not null,
  url text not null,
  kinds text[],
  provider_ids bigint[],
  description text,
  secret bytea not null,
  old_secret bytea,
  old_until timestamp with time zone,
  after_era integer not null,
  after_xid xid8 not null,
  after_id bigint not null,
  ahead uuid[] default '{}'::uuid[] not null,
  off_reason text,
  off_at timestamp with time zone,
  failing_since timestamp with time zone,
  failures integer default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  worked_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  missed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  retries jsonb,
  retry_at timestamp with time zone,
  signing_key bytea,
  old_signing_key bytea,
  constraint webhook_pkey PRIMARY KEY (id),
  constraint webhook_uuid_key UNIQUE (uuid),
  constraint webhook_off_reason_check CHECK ((off_reason = ANY (ARRAY['paused'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_crm_id_fkey FOREIGN KEY (crm_id) REFERENCES crm(id)
) with (fillfactor=70);
create index webhook_active ON public.webhook USING btree (next_try_at) WHERE ((off_reason IS NULL) AND ((failures > 0) OR (worked_until > '-infinity'::timestamp with time zone)));
create index webhook_crm ON public.webhook USING btree (crm_id, id);
create index webhook_due ON public.webhook USING btree (next_try_at) WHERE (off_reason IS NULL);
create index webhook_retry ON public.webhook USING btree (retry_at) WHERE ((off_reason IS NULL) AND (retry_at IS NOT NULL));

create table worker_heartbeat (
  worker_id text not null,
  seen_at timestamp with time zone default now() not null,
  constraint worker_heartbeat_pkey PRIMARY KEY (worker_id)
);

create table write_probe (
  process_id uuid not null,
  written_at timestamp with time zone default now() not null,
  constraint write_probe_pkey PRIMARY KEY (process_id)
);

CREATE TRIGGER account_changed AFTER UPDATE OF owner_id, branch, invoice_address, invoice_contact_name, invoice_company_name, invoice_tax_id, email ON public.account FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND (((((((old.owner_id IS DISTINCT FROM new.owner_id) OR (old.branch IS DISTINCT FROM new.branch)) OR (old.invoice_address IS DISTINCT FROM new.invoice_address)) OR (old.invoice_contact_name IS DISTINCT FROM new.invoice_contact_name)) OR (old.invoice_company_name IS DISTINCT FROM new.invoice_company_name)) OR (old.invoice_tax_id IS DISTINCT FROM new.invoice_tax_id)) OR (old.email IS DISTINCT FROM new.email)))) EXECUTE FUNCTION note_change();

CREATE TRIGGER app_user_changed AFTER UPDATE OF reference, email, username, first_name, last_name, phone, mobile ON public.app_user FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND (((((((old.reference IS DISTINCT FROM new.reference) OR (old.email IS DISTINCT FROM new.email)) OR (old.username IS DISTINCT FROM new.username)) OR (old.first_name IS DISTINCT FROM new.first_name)) OR (old.last_name IS DISTINCT FROM new.last_name)) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.mobile IS DISTINCT FROM new.mobile)))) EXECUTE FUNCTION note_change();

CREATE TRIGGER appointment_changed BEFORE UPDATE OF reference, accept_bookings, address, archived, capacity, contact_user_id, description, start_at, end_at, notes, price_value, price_currency, product_id, resource_id, series_id, state ON public.appointment FOR EACH ROW WHEN (((((((((((((((((old.reference IS DISTINCT FROM new.reference) OR (old.accept_bookings IS DISTINCT FROM new.accept_bookings)) OR (old.address IS DISTINCT FROM new.address)) OR (old.archived IS DISTINCT FROM new.archived)) OR (old.capacity IS DISTINCT FROM new.capacity)) OR (old.contact_user_id IS DISTINCT FROM new.contact_user_id)) OR (old.description IS DISTINCT FROM new.description)) OR (old.start_at IS DISTINCT FROM new.start_at)) OR (old.end_at IS DISTINCT FROM new.end_at)) OR (old.notes IS DISTINCT FROM new.notes)) OR (old.price_value IS DISTINCT FROM new.price_value)) OR (old.price_currency IS DISTINCT FROM new.price_currency)) OR (old.product_id IS DISTINCT FROM new.product_id)) OR (old.resource_id IS DISTINCT FROM new.resource_id)) OR (old.series_id IS DISTINCT FROM new.series_id)) OR (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION note_change_first();

CREATE TRIGGER appointment_moved AFTER UPDATE OF blocked_from, blocked_to, resource_id ON public.appointment FOR EACH ROW EXECUTE FUNCTION note_longest_block();

CREATE TRIGGER appointment_written AFTER INSERT ON public.appointment REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_longest_blocks();

CREATE TRIGGER channel_follows BEFORE INSERT ON public.channel FOR EACH ROW WHEN ((new.own_settings IS NULL)) EXECUTE FUNCTION follow_business();

CREATE TRIGGER customer_changed AFTER UPDATE OF reference, name, email, mobile, note, language, birth_date, address, insurer, insurance_number, fields, tags ON public.customer FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND ((((((((((((old.reference IS DISTINCT FROM new.reference) OR (old.name IS DISTINCT FROM new.name)) OR (old.email IS DISTINCT FROM new.email)) OR (old.mobile IS DISTINCT FROM new.mobile)) OR (old.note IS DISTINCT FROM new.note)) OR (old.language IS DISTINCT FROM new.language)) OR (old.birth_date IS DISTINCT FROM new.birth_date)) OR (old.address IS DISTINCT FROM new.address)) OR (old.insurer IS DISTINCT FROM new.insurer)) OR (old.insurance_number IS DISTINCT FROM new.insurance_number)) OR (old.fields IS DISTINCT FROM new.fields)) OR (old.tags IS DISTINCT FROM new.tags)))) EXECUTE FUNCTION note_change();

CREATE TRIGGER zz_provider_exists AFTER INSERT ON public.customer FOR EACH ROW WHEN ((new.erased_at IS NULL)) EXECUTE FUNCTION refuse_deleted_provider();

CREATE TRIGGER participation_booked BEFORE INSERT OR UPDATE OF state ON public.participation FOR EACH ROW WHEN ((new.state <> 'RESERVED'::text)) EXECUTE FUNCTION note_booking();

CREATE TRIGGER participation_changed BEFORE UPDATE OF appointment_id, customer_id, reference, email, mobile, name, note, state, attendance, messages, answers, answers_missing, places, place_names ON public.participation FOR EACH ROW WHEN (((((((((((((((old.appointment_id IS DISTINCT FROM new.appointment_id) OR (old.customer_id IS DISTINCT FROM new.customer_id)) OR (old.reference IS DISTINCT FROM new.reference)) OR (old.email IS DISTINCT FROM new.email)) OR (old.mobile IS DISTINCT FROM new.mobile)) OR (old.name IS DISTINCT FROM new.name)) OR (old.note IS DISTINCT FROM new.note)) OR (old.state IS DISTINCT FROM new.state)) OR (old.attendance IS DISTINCT FROM new.attendance)) OR (old.messages IS DISTINCT FROM new.messages)) OR (old.answers IS DISTINCT FROM new.answers)) OR (old.answers_missing IS DISTINCT FROM new.answers_missing)) OR (old.places IS DISTINCT FROM new.places)) OR (old.place_names IS DISTINCT FROM new.place_names))) EXECUTE FUNCTION note_change_first();

CREATE TRIGGER participation_recounted AFTER UPDATE OF state, places, appointment_id ON public.participation FOR EACH ROW WHEN (((old.appointment_id <> new.appointment_id) OR ((old.state <> 'RESERVED'::text) AND ((old.state IS DISTINCT FROM new.state) OR (old.places IS DISTINCT FROM new.places))))) EXECUTE FUNCTION recount_places();

CREATE TRIGGER participation_uncounted AFTER DELETE ON public.participation FOR EACH ROW WHEN ((old.state <> 'RESERVED'::text)) EXECUTE FUNCTION recount_places();

CREATE TRIGGER product_changed AFTER UPDATE OF reference, name, description, min_duration, max_duration, lead_minutes, follow_up_minutes, question_keys, answers_required, deleted_at, max_places, place_names_required, price_text, image_url ON public.product FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND ((((((((((((((old.reference IS DISTINCT FROM new.reference) OR (old.name IS DISTINCT FROM new.name)) OR (old.description IS DISTINCT FROM new.description)) OR (old.min_duration IS DISTINCT FROM new.min_duration)) OR (old.max_duration IS DISTINCT FROM new.max_duration)) OR (old.lead_minutes IS DISTINCT FROM new.lead_minutes)) OR (old.follow_up_minutes IS DISTINCT FROM new.follow_up_minutes)) OR (old.question_keys IS DISTINCT FROM new.question_keys)) OR (old.answers_required IS DISTINCT FROM new.answers_required)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.max_places IS DISTINCT FROM new.max_places)) OR (old.place_names_required IS DISTINCT FROM new.place_names_required)) OR (old.price_text IS DISTINCT FROM new.price_text)) OR (old.image_url IS DISTINCT FROM new.image_url)))) EXECUTE FUNCTION note_change();

CREATE TRIGGER product_follows BEFORE INSERT ON public.product FOR EACH ROW WHEN ((new.own_questions IS NULL)) EXECUTE FUNCTION follow_questions();

CREATE TRIGGER provider_changed AFTER UPDATE OF reference, name, email, mobile, phone, impressum, branch, subbranch, description, time_zone, language ON public.provider FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND (((((((((((old.reference IS DISTINCT FROM new.reference) OR (old.name IS DISTINCT FROM new.name)) OR (old.email IS DISTINCT FROM new.email)) OR (old.mobile IS DISTINCT FROM new.mobile)) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.impressum IS DISTINCT FROM new.impressum)) OR (old.branch IS DISTINCT FROM new.branch)) OR (old.subbranch IS DISTINCT FROM new.subbranch)) OR (old.description IS DISTINCT FROM new.description)) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.language IS DISTINCT FROM new.language)))) EXECUTE FUNCTION note_change();

CREATE TRIGGER resource_changed AFTER UPDATE OF reference, public_name, internal_name, description, contact_user_id, contact_profile_id, website, archived, address, image_url ON public.resource FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND ((((((((((old.reference IS DISTINCT FROM new.reference) OR (old.public_name IS DISTINCT FROM new.public_name)) OR (old.internal_name IS DISTINCT FROM new.internal_name)) OR (old.description IS DISTINCT FROM new.description)) OR (old.contact_user_id IS DISTINCT FROM new.contact_user_id)) OR (old.contact_profile_id IS DISTINCT FROM new.contact_profile_id)) OR (old.website IS DISTINCT FROM new.website)) OR (old.archived IS DISTINCT FROM new.archived)) OR (old.address IS DISTINCT FROM new.address)) OR (old.image_url IS DISTINCT FROM new.image_url)))) EXECUTE FUNCTION note_change();

CREATE TRIGGER zz_provider_exists AFTER INSERT ON public.resource FOR EACH ROW WHEN ((new.deleted_at IS NULL)) EXECUTE FUNCTION refuse_deleted_provider();

CREATE TRIGGER timeslot_changed AFTER UPDATE OF reference, start_at, end_at, raster, default_capacity, default_accept_bookings, address, state ON public.timeslot FOR EACH ROW WHEN (((NOT (new.updated_at IS DISTINCT FROM old.updated_at)) AND ((((((((old.reference IS DISTINCT FROM new.reference) OR (old.start_at IS DISTINCT FROM new.start_at)) OR (old.end_at IS DISTINCT FROM new.end_at)) OR (old.raster IS DISTINCT FROM new.raster)) OR (old.default_capacity IS DISTINCT FROM new.default_capacity)) OR (old.default_accept_bookings IS DISTINCT FROM new.default_accept_bookings)) OR (old.address IS DISTINCT FROM new.address)) OR (old.state IS DISTINCT FROM new.state)))) EXECUTE FUNCTION note_change();
