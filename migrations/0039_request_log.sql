-- works from 1
-- The calls of API keys, for integrators. Unlogged: a crash empties it, and writing it costs little.
create unlogged table api_request (
  crm_id bigint not null references crm on delete cascade,
  id bigint generated always as identity,
  key_id bigint not null references api_key on delete cascade,
  at timestamptz not null,
  route text not null,
  status smallint not null,
  code text,
  request_id text not null,
  ms integer not null,
  stands_for smallint not null,
  primary key (crm_id, id)
);
