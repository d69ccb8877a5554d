import type { Queryable } from '../db/base/pool.ts'
import { insertMails, type NewMail } from '../db/mails.ts'
import type { MailData, MailKind } from '../rules/mails.ts'

/** Queues a mail in the caller's transaction. The data must be what this kind of mail is made from. */
export function queueMail<K extends MailKind>(tx: Queryable, mail: NewMail & { kind: K; data: MailData[K] }) {
  return insertMails(tx, [mail])
}
