-- works from 1
-- What a Product costs, in the words of the business, and addresses of pictures.
alter table product add column price_text text;
alter table product add column image_url text;
alter table resource add column image_url text;

-- updated_at follows them too.
create or replace trigger product_changed after update of reference, name, description, min_duration, max_duration, lead_minutes, follow_up_minutes, question_keys, answers_required, deleted_at, max_places, place_names_required, price_text, image_url on product for each row when (new.updated_at is not distinct from old.updated_at and (old.reference, old.name, old.description, old.min_duration, old.max_duration, old.lead_minutes, old.follow_up_minutes, old.question_keys, old.answers_required, old.deleted_at, old.max_places, old.place_names_required, old.price_text, old.image_url) is distinct from (new.reference, new.name, new.description, new.min_duration, new.max_duration, new.lead_minutes, new.follow_up_minutes, new.question_keys, new.answers_required, new.deleted_at, new.max_places, new.place_names_required, new.price_text, new.image_url)) execute function note_change();
create or replace trigger resource_changed after update of reference, public_name, internal_name, description, contact_user_id, contact_profile_id, website, archived, address, image_url on resource for each row when (new.updated_at is not distinct from old.updated_at and (old.reference, old.public_name, old.internal_name, old.description, old.contact_user_id, old.contact_profile_id, old.website, old.archived, old.address, old.image_url) is distinct from (new.reference, new.public_name, new.internal_name, new.description, new.contact_user_id, new.contact_profile_id, new.website, new.archived, new.address, new.image_url)) execute function note_change();

-- Products without a list of questions of their own have those of the business.
alter table product add column own_questions boolean not null default false;
update product set own_questions = true where question_keys <> '{}';
