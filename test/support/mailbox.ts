// The emails to an address, as the console shows them.

import { consoleCall, type TestService } from './service.ts'

export type Mail = {
  uuid: string
  kind: string
  to: string | null
  language: string
  subject: string | null
  state: string
  attempts: number
  lastError: string | null
  text: string
  html: string
  ics: { method: string; content: string } | null
}

/** All mails to this address with their contents, oldest first. */
export async function mailsTo({ app }: TestService, address: string): Promise<Mail[]> {
  const { body } = await consoleCall(app, 'GET', `/mails?limit=200&to=${encodeURIComponent(address)}`)
  const mails: Mail[] = []
  for (const { uuid } of body.mails.toReversed())
    mails.push((await consoleCall(app, 'GET', `/mails/${uuid}`)).body)
  return mails
}

export async function mailKindsTo({ app }: TestService, address: string): Promise<string[]> {
  const { body } = await consoleCall(app, 'GET', `/mails?limit=200&to=${encodeURIComponent(address)}`)
  return body.mails.toReversed().map((mail: Mail) => mail.kind)
}

export async function countMails({ service }: TestService): Promise<number> {
  const { rows } = await service.db.pool.query('select count(*)::int as count from mail')
  return rows[0].count
}
