-- works from 1
-- Paragraphs that a business adds to its emails.
create table email_text (
  provider_id bigint not null references provider (id),
  kind text not null,
  language text not null,
  text text not null,
  primary key (provider_id, kind, language)
);
