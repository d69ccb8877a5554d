-- People are found and made by plain statements, several at once.
drop function ensure_consumer(bigint, text, text, text, text, text, text);

-- Participations that came along with an Appointment: no Customer, but perhaps the same person's.
create index participation_stranger on participation (provider_id, lower(email)) where customer_id is null and email is not null;

-- Deleted ones too: their Appointments are still listed under their reference.
create index resource_by_provider on resource (provider_id, reference);

-- How far ahead the longest reminder looks, asked every minute.
create index channel_reminder on channel (reminder_hours);

-- Requests that wait for an answer: few, whatever has been booked.
create index participation_requested on participation (provider_id) where state = 'REQUESTED';

-- A mail's Participation says whose it is.
alter table mail drop column customer_id;
