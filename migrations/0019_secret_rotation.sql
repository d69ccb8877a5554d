-- works from 1
-- The fingerprint of a former SECRET_KEY that values in this database are still encrypted with; null if none are.
alter table secret_fingerprint add column still_needed text;
