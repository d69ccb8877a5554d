-- works from 1
-- Days of a large business, counted at night for its reports. Can be counted again at any time, so a crash may empty it.
create unlogged table report_day (
  provider_id bigint not null references provider on delete cascade,
  day date not null,
  -- Days begin at midnight there.
  time_zone text not null,
  body json not null,
  primary key (provider_id, day)
);
