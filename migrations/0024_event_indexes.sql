-- works from 1
-- without a transaction
-- For logs of many millions of events. By subject and actor, newest first: the activity of a Provider, a CRM or the installation.
-- By record: the history of an Appointment, and what has changed since a moment. By transaction: new events of all CRMs.
drop index concurrently if exists event_of_provider;
create index concurrently event_of_provider on event (provider_id, split_part(kind, '.', 1), actor_kind, at, id);
drop index concurrently if exists event_of_crm;
create index concurrently event_of_crm on event (crm_id, split_part(kind, '.', 1), actor_kind, era, xid, id);
drop index concurrently if exists event_of_kind;
create index concurrently event_of_kind on event (split_part(kind, '.', 1), actor_kind, era, xid, id);
drop index concurrently if exists event_subject;
create index concurrently event_subject on event (provider_id, subject, at);
drop index concurrently if exists event_log;
create index concurrently event_log on event (era, xid, id);
