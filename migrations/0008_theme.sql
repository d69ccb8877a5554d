-- How the Provider's pages, mails and widgets look. Both are checked before they get here.
alter table provider add column accent_color text;
alter table provider add column logo_url text;
