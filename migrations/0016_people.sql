-- People are found and made by plain statements, several at once.
drop function ensure_consumer(bigint, text, text, text, text, text, text);

-- A mail's Participation says whose it is.
alter table mail drop column customer_id;
