-- works from 1
-- without a transaction
-- Mails of a Provider in the order in which they come, which fills one page after the other. Newest first, each was left half empty.
drop index concurrently if exists mail_of_provider;
create index concurrently mail_of_provider on mail (provider_id, id);
drop index concurrently if exists mail_provider;
alter index mail_of_provider rename to mail_provider;
