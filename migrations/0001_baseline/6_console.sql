-- Who may open the console, and how they get in.

-- Operators see everything; administrators one CRM; staff see the Providers that their User is attached to.
create table console_user (
  id bigint generated always as identity primary key,
  crm_id bigint references crm,
  user_id bigint unique references app_user,
  uuid uuid not null unique default gen_random_uuid(),
  email text not null,
  name text not null,
  role text not null check (role in ('operator', 'administrator', 'staff')),
  password_hash text,
  -- Sealed with a key of the service. Pending: shown to its owner, who has not proved yet that their device has it.
  totp_secret bytea,
  totp_pending bytea,
  -- A code works once: none of this step or before it is taken again.
  totp_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  language text not null,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  constraint console_user_role check (
    case role when 'staff' then user_id is not null when 'administrator' then crm_id is not null else true end
  )
);
create unique index console_user_email on console_user (lower(email));

-- One-time links: the first login of an invited person, or one that somebody asked for by mail.
create table login_link (
  hash bytea primary key,
  console_user_id bigint not null references console_user on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index login_link_user on login_link (console_user_id);

-- Somebody who is logged in, by the hash of their cookie.
create table console_session (
  hash bytea primary key,
  console_user_id bigint not null references console_user on delete cascade,
  uuid uuid not null unique default gen_random_uuid(),
  way text not null default 'link' check (way in ('link', 'password', 'oidc')),
  -- What the browser says it is, so that people know their own.
  agent text,
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index console_session_expiry on console_session (expires_at);
create index console_session_user on console_session (console_user_id);
