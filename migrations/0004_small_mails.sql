-- works from 1
-- What a mail tells stands beside its row, packed. Noting that it was sent then writes a small row anew, in its own page and without
-- a word to any index. What is large enough for that is decided where mails are written (src/db/mails.ts).
alter table mail set (toast_tuple_target = 512, fillfactor = 80);
