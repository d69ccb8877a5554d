-- works from 1
-- Files of customers and appointments that are imported line by line. Each line has its own result, written in the
-- transaction of the change, so an interrupted import goes on where it stopped.
create table data_import (
  provider_id bigint not null references provider (id),
  id bigint generated always as identity,
  uuid uuid not null default gen_random_uuid() unique,
  kind text not null check (kind in ('customers', 'appointments')),
  state text not null default 'UPLOADED'
    check (state in ('UPLOADED', 'CHECKING', 'CHECKED', 'RUNNING', 'DONE', 'UNDOING', 'UNDONE')),
  file_name text,
  -- A keyed hash of the content: recognises the same file.
  digest text not null,
  headers jsonb not null,
  -- The field of each column; remembered for the next file with these headers.
  mapping jsonb,
  options jsonb not null,
  -- In whose name it runs.
  actor jsonb not null,
  line_count int not null,
  -- An import of all or no lines that met a line it could not import.
  was_stopped boolean not null default false,
  created_at timestamptz not null default app_clock(),
  changed_at timestamptz not null default app_clock(),
  primary key (provider_id, id)
);
create index data_import_old on data_import (changed_at);

create table data_import_line (
  provider_id bigint not null references provider (id),
  import_id bigint not null,
  -- The row of a spreadsheet.
  line int not null,
  -- Deleted with the import of the line, or after some days.
  cells jsonb,
  result text check (result in ('CREATED', 'CHANGED', 'UNCHANGED', 'SKIPPED', 'REFUSED', 'UNDONE', 'KEPT')),
  -- Codes and rules without values.
  problems jsonb,
  customer_id bigint references customer (id),
  appointment_id bigint,
  -- For undoing: whether the customer is new, what was changed in it, and when both were last changed.
  is_new_customer boolean,
  before jsonb,
  saved_at timestamptz,
  booked_at timestamptz,
  -- Other lines have the same address: relatives, whom the name distinguishes.
  shares_email boolean not null default false,
  primary key (provider_id, import_id, line),
  foreign key (provider_id, import_id) references data_import (provider_id, id) on delete cascade
);
create index data_import_line_customer on data_import_line (customer_id) where customer_id is not null;
-- Erasing a person looks for their lines in files that are not imported yet.
create index data_import_line_cells on data_import_line (provider_id) where cells is not null;
