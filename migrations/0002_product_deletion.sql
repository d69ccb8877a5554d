-- works from 1
-- A deleted Product leaves every list and is offered no more; its row stays for the Appointments that were made with it.
-- A program that does not know the column goes on offering it, where a Resource supports all Products, until it is replaced.
alter table product add column deleted_at timestamptz;
