-- works from 1
-- A booking can take several places of a group Appointment, each with a name where the Product asks for it.
alter table product add column max_places smallint not null default 1 check (max_places between 1 and 100);
alter table product add column place_names_required boolean not null default false;

-- Not validated: every existing row has the default, and a scan would hold up bookings.
alter table participation add column places smallint not null default 1;
alter table participation add constraint participation_places_check check (places between 1 and 100) not valid;
alter table participation add column place_names text[];

alter table waiting_entry add column places smallint not null default 1;

-- updated_at follows them too.
create or replace trigger product_changed after update of reference, name, description, min_duration, max_duration, lead_minutes, follow_up_minutes, question_keys, answers_required, deleted_at, max_places, place_names_required on product for each row when (new.updated_at is not distinct from old.updated_at and (old.reference, old.name, old.description, old.min_duration, old.max_duration, old.lead_minutes, old.follow_up_minutes, old.question_keys, old.answers_required, old.deleted_at, old.max_places, old.place_names_required) is distinct from (new.reference, new.name, new.description, new.min_duration, new.max_duration, new.lead_minutes, new.follow_up_minutes, new.question_keys, new.answers_required, new.deleted_at, new.max_places, new.place_names_required)) execute function note_change();
create or replace trigger participation_changed before update of appointment_id, customer_id, reference, email, mobile, name, note, state, attendance, messages, answers, answers_missing, places, place_names on participation for each row when ((old.appointment_id, old.customer_id, old.reference, old.email, old.mobile, old.name, old.note, old.state, old.attendance, old.messages, old.answers, old.answers_missing, old.places, old.place_names) is distinct from (new.appointment_id, new.customer_id, new.reference, new.email, new.mobile, new.name, new.note, new.state, new.attendance, new.messages, new.answers, new.answers_missing, new.places, new.place_names)) execute function note_change_first();
