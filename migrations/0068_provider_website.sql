-- works from 1
alter table provider add column website text;
