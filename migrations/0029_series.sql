-- works from 1
-- The dates of a person's series. They are Participations, because a date may be a place in a group. Appointments that were created for
-- the series also have its id in `series_id`, like those of `series_data`.
create table series_place (
  provider_id bigint not null references provider,
  series_id uuid not null,
  participation_id bigint not null references participation on delete cascade,
  primary key (provider_id, series_id, participation_id)
);
create unique index series_place_participation on series_place (participation_id);
