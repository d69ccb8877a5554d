-- works from 1
-- Every change of an Appointment concerns one of its indexes, so room for it in its own page saves nothing. Mails and Participations need some, but less than they had.
alter table appointment set (fillfactor = 100);
alter table participation set (fillfactor = 90);
alter table mail set (fillfactor = 85);
