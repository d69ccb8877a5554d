-- works from 1
-- Invitations of addresses that already have a login elsewhere. An address has one login; the invitation becomes that login when
-- the person opens the link, so that no CRM can keep another from inviting an address.
create table invitation (
  crm_id bigint not null references crm on delete cascade,
  user_id bigint references app_user on delete cascade,
  uuid uuid not null default gen_random_uuid() unique,
  email text not null,
  name text not null,
  role text not null check (role in ('administrator', 'staff')),
  language text not null,
  hash bytea not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check (role <> 'staff' or user_id is not null)
);
create unique index invitation_email on invitation (crm_id, lower(email));
create index invitation_user on invitation (user_id) where user_id is not null;
