-- One index for both questions: the Appointment of a Provider, and the one that only the reference names.
drop index appointment_by_reference;
drop index appointment_reference;
create unique index appointment_reference on appointment (reference, provider_id) where deleted_at is null;

-- A hold has no Customer yet.
drop index participation_customer;
create index participation_customer on participation (customer_id) where customer_id is not null;

-- The primary key reads backwards as well; and who looks for mails of somebody never looks for those of nobody.
drop index mail_newest;
drop index mail_customer;
create index mail_customer on mail (customer_id) where customer_id is not null;
drop index mail_user;
create index mail_user on mail (user_id) where user_id is not null;

-- Rows that are changed soon after they were written: with room beside them, their indexes stay as they are.
alter table resource set (fillfactor = 70);
alter table participation set (fillfactor = 85);
alter table mail set (fillfactor = 85);
