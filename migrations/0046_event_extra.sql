-- works from 1
-- What an event says beside its subject: a uuid, or how many records it stands for. The former reference of a Customer is
-- encrypted, because it may name a person who is erased since.
alter table event add column extra jsonb, add column former_reference bytea;
