import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../languages.ts'
import type { MessageKind } from '../rules/messages/messages.ts'
import type { Queryable } from './base/pool.ts'

type EmailText = { kind: MessageKind; language: Language; text: string }

export const listEmailTexts = (db: Queryable, providerId: number): Promise<EmailText[]> =>
  db.query<EmailText>(sql`select kind, language, text from email_text where provider_id = ${providerId}`)

/** Null removes the text. */
export async function saveEmailText(
  tx: Queryable,
  providerId: number,
  { kind, language, text }: Omit<EmailText, 'text'> & { text: string | null },
) {
  await tx.query(
    text === null
      ? sql`delete from email_text where provider_id = ${providerId} and kind = ${kind} and language = ${language}`
      : sql`
        insert into email_text (provider_id, kind, language, text) values (${providerId}, ${kind}, ${language}, ${text})
        on conflict (provider_id, kind, language) do update set text = excluded.text
      `,
  )
}

/** What the business adds to this email. */
export const textFor = (mail: Sql): Sql => sql`(
  select text from email_text
  where email_text.provider_id = ${mail}.provider_id and email_text.kind = ${mail}.kind
    and email_text.language = ${mail}.language
)`
