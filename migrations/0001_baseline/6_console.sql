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
  language text not null,
  created_at timestamptz not null default now(),
  constraint console_user_role check (
    case role when 'staff' then user_id is not null when 'administrator' then crm_id is not null else true end
  )
);
create unique index console_user_email on console_user (lower(email));

-- One-time links: first login of an invited person, or a forgotten password.
create table login_link (
  hash bytea primary key,
  console_user_id bigint not null references console_user on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);

-- Somebody who is logged in, by the hash of their cookie.
create table console_session (
  hash bytea primary key,
  console_user_id bigint not null references console_user on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index console_session_expiry on console_session (expires_at);
