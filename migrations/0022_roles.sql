-- works from 1
-- The role of each member of a Provider's staff. The owner is provider.owner_id.
alter table staff add column role text default 'staff' not null
  constraint staff_role_check check (role in ('manager', 'staff', 'reception', 'practitioner', 'reader'));
-- The Resources whose calendars belong to a practitioner.
alter table staff add column resource_ids bigint[] default '{}' not null;
