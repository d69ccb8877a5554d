-- works from 1
-- without a transaction
drop index concurrently if exists provider_words;
create index concurrently provider_words on provider using gin (name_words(name || ' ' || reference));
drop index concurrently if exists provider_name;
create index concurrently provider_name on provider (name, id);
drop index concurrently if exists crm_words;
create index concurrently crm_words on crm using gin (name_words(name));
