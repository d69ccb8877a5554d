-- works from 1
-- Lets a login link be sent again. The token is encrypted with a key that is not in the database.
alter table login_link add column sealed bytea;

-- Sessions whose cookie is bound to this host are not accepted under the older cookie name, which other hosts can set.
alter table console_session add column host_bound boolean not null default false;
