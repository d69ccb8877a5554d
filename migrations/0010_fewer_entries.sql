-- works from 1
-- without a transaction
-- Two Appointments of consumers in one slot overlap, which appointment_no_overlap refuses already.
drop index concurrently if exists appointment_slot;
-- Without the numbers of all that share its job a mail's row is smaller, and more of them are in a page: they need more room to be noted as sent there.
alter table mail set (fillfactor = 75);
-- What is nearly always another value, and is looked for by itself or not at all, need not be counted: each count is written into the log.
alter table mail alter uuid set statistics 0, alter data set statistics 0, alter data_of set statistics 0, alter batch set statistics 0;
alter table event alter uuid set statistics 0;
alter table participation alter uuid set statistics 0, alter placeholder set statistics 0, alter name set statistics 0,
  alter note set statistics 0, alter completion_digest set statistics 0, alter messages set statistics 0;
alter table appointment alter uuid set statistics 0;
alter table customer alter uuid set statistics 0, alter name set statistics 0, alter note set statistics 0;
alter table app_user alter uuid set statistics 0, alter first_name set statistics 0, alter last_name set statistics 0,
  alter verification_nonce set statistics 0;
