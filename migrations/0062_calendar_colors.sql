-- works from 1
-- What the colours in the console's calendar stand for.
alter table provider add column calendar_colors text not null default 'RESOURCE'
  check (calendar_colors in ('RESOURCE', 'PRODUCT'));
