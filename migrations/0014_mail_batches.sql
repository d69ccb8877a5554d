-- Mails that are written at the same moment are delivered by one job: most of what a job costs is the job. The ids of all of
-- them, so that asking for one that still waits finds that job.
alter table mail add column batch bigint[];

-- Nothing reads it, and with it each mail that is sent is written to every index again.
drop index mail_waiting;
