-- works from 1
-- What an event says beside its subject: a uuid and former reference, or how many records it stands for.
alter table event add column extra jsonb;
