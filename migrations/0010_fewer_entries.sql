-- works from 1
-- without a transaction
-- Two Appointments of consumers in one slot overlap, which appointment_no_overlap refuses already.
drop index concurrently if exists appointment_slot;
-- Without the numbers of all that share its job a mail's row is smaller, and more of them are in a page: they need more room to be noted as sent there.
alter table mail set (fillfactor = 75);
