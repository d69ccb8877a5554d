-- works from 1
-- What somebody who moved left (appointmentUuid, startAt, endAt): a move that is sent again is answered as it was the first time.
alter table participation add column moved_from jsonb;
