-- works from 1
-- without a transaction
-- All columns that the later migrations of this version need, so that the running instances replace the prepared
-- statements of each table once. They wait for one table at a time. Each statement can be run again.

-- answers: to the questions of the Product. held_questions: the questions as they were when the hold was made; null if
-- there were none. proposal: what an agent proposes to a person; removed with the hold. places: of a group Appointment,
-- each with a name where the Product asks for it. cancelled_at: for reports; unknown for earlier cancellations.
alter table participation
  add column if not exists answers jsonb,
  add column if not exists answers_missing boolean not null default false,
  add column if not exists held_questions jsonb,
  add column if not exists proposal jsonb,
  add column if not exists updated_at timestamptz default now(),
  add column if not exists places smallint not null default 1,
  add column if not exists place_names text[],
  add column if not exists cancelled_at timestamptz;

-- A large group is not counted person by person for each booking: Participations up to counted_to, none of them a hold,
-- are counted here. ends_empty: made by staff for one person, and of no use without them.
alter table appointment
  add column if not exists updated_at timestamptz default now(),
  add column if not exists counted_to bigint,
  add column if not exists counted_places integer,
  add column if not exists counted_people integer,
  add column if not exists ends_empty boolean not null default false;

alter table timeslot add column if not exists updated_at timestamptz default now();

-- A deleted Provider keeps its row, for the history of its Appointments and events. Its reference can be used again.
-- slug: the address /book/{slug}; former ones keep leading to it. calendar_colors: what they stand for in the console.
-- booking_defaults: booking settings by the names of the columns of channels. A channel still has all values, which
-- follow those of the business while they are equal and not listed as the channel's own. question_keys: of all Products
-- that have no list of their own.
alter table provider
  add column if not exists updated_at timestamptz default now(),
  add column if not exists deleted_at timestamptz,
  add column if not exists former_reference text,
  add column if not exists slug text,
  add column if not exists former_slugs text[] not null default '{}',
  add column if not exists calendar_colors text not null default 'RESOURCE'
    check (calendar_colors in ('RESOURCE', 'PRODUCT')),
  add column if not exists booking_defaults jsonb not null default '{}',
  add column if not exists question_keys text[] not null default '{}',
  add column if not exists website text;

-- own_settings: the settings that a channel has of its own. agent_booking: whether agents with a key may book here
-- without the person's confirmation; agent_hold_minutes: how long a proposal is held. series_max: how many dates
-- consumers may book at once; 0 for none.
alter table channel
  add column if not exists own_settings text[] not null default '{}',
  add column if not exists phone_field text not null default 'OPTIONAL'
    check (phone_field in ('HIDDEN', 'OPTIONAL', 'REQUIRED')),
  add column if not exists ask_message boolean not null default true,
  add column if not exists waiting_list boolean not null default false,
  add column if not exists series_max smallint not null default 0 check (series_max between 0 and 50),
  add column if not exists agent_booking boolean not null default false,
  add column if not exists agent_hold_minutes smallint not null default 15 check (agent_hold_minutes between 5 and 1440);

-- question_keys: keys instead of ids, in the order of the form. form: the questions as bookings read them, written
-- whenever they change: gathering ten of them for each booking costs more than everything else about answers. Null if
-- nothing is asked. price_text: what it costs, in the words of the business.
alter table product
  add column if not exists question_keys text[] not null default '{}',
  add column if not exists answers_required boolean not null default false,
  add column if not exists own_questions boolean not null default false,
  add column if not exists form json,
  add column if not exists updated_at timestamptz default now(),
  add column if not exists max_places smallint not null default 1 check (max_places between 1 and 100),
  add column if not exists place_names_required boolean not null default false,
  add column if not exists price_text text,
  add column if not exists image_url text;

alter table resource
  add column if not exists updated_at timestamptz default now(),
  add column if not exists image_url text;

-- What a business knows about its customers beyond their contact details.
alter table customer
  add column if not exists updated_at timestamptz default now(),
  add column if not exists birth_date date,
  add column if not exists address jsonb,
  add column if not exists insurer text,
  add column if not exists insurance_number text,
  add column if not exists fields jsonb not null default '{}',
  add column if not exists tags text[] not null default '{}',
  add column if not exists erasure_requested_at timestamptz;

alter table app_user add column if not exists updated_at timestamptz default now();

alter table account add column if not exists updated_at timestamptz default now();

-- The role of each member of a Provider's staff; the owner is provider.owner_id. resource_ids: the calendars that belong
-- to a practitioner.
alter table staff
  add column if not exists role text default 'staff' not null
    constraint staff_role_check check (role in ('manager', 'staff', 'reception', 'practitioner', 'reader')),
  add column if not exists resource_ids bigint[] default '{}' not null;

-- extra: a uuid, or how many records an event stands for. The former reference of a Customer is encrypted, because it may
-- name a person who is erased since.
alter table event
  add column if not exists extra jsonb,
  add column if not exists former_reference bytea;

-- own_text: the paragraph of the business as it was when the email was queued; its placeholders are filled in from data.
-- channel: how the message travels. The previous version sends emails only, and takes the jobs of emails only.
alter table mail
  add column if not exists own_text text,
  add column if not exists channel text not null default 'email';

-- retries: events that a receiver did not accept, with the later ones about the same records; retry_at: when the first is
-- due. The keys are for signatures that receivers check with a public key.
alter table webhook
  add column if not exists retries jsonb,
  add column if not exists retry_at timestamptz,
  add column if not exists signing_key bytea,
  add column if not exists old_signing_key bytea;

-- Hours of every second week (week_of: the Monday of an open one) and of single days (only_on; is_closed: nothing opens
-- on it). Programs that do not know them read `weekdays`, which is empty for both, and open nothing: cycle_weekdays has
-- those of every second week.
alter table opening_rule
  add column if not exists week_of date,
  add column if not exists cycle_weekdays integer[],
  add column if not exists only_on date,
  add column if not exists is_closed boolean;

-- Opening hours whose Timeslots still follow the Provider's former time zone.
alter table opening_hours add column if not exists zone_changed boolean not null default false;

-- suspended_until: 'infinity' if set by an operator, seconds ahead during a move to another installation. moved_to: the
-- new address of a CRM that was moved away; '' if none was given.
alter table crm
  add column if not exists suspended_until timestamptz,
  add column if not exists moved_to text;

-- Feeds and keys created by or for a member of staff end when they leave; feeds created by an administrator or operator
-- end when their login is removed.
alter table calendar_feed
  add column if not exists made_by bigint references app_user (id),
  add column if not exists made_by_login uuid;
alter table api_key add column if not exists user_id bigint references app_user (id);

-- Lets a login link be sent again. The token is encrypted with a key that is not in the database.
alter table login_link add column if not exists sealed bytea;

-- Sessions whose cookie is bound to this host are not accepted under the older cookie name, which other hosts can set.
alter table console_session add column if not exists host_bound boolean not null default false;

-- The fingerprint of a former SECRET_KEY that values in this database are still encrypted with; null if none are.
alter table secret_fingerprint add column if not exists still_needed text;
