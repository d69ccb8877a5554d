import { createHash } from 'node:crypto'
import type { CalendarClient, SourceSecrets } from './request.ts'
import { statusProblem } from './request.ts'

/** How to ask the server whether anything changed: ETags, dates and tokens, by name. */
export type Validators = Record<string, string>

/** A calendar of an account. `path` names it in the account. */
export type FoundCalendar = { path: string; name: string }

export type Fetched = { validators: Validators; calendars: FoundCalendar[] } & (
  | { isUnchanged: true }
  | { isUnchanged: false; texts: string[]; digest: Buffer }
)

type Question = { secrets: SourceSecrets; validators: Validators }

/** Reads an ICS address. */
export async function fetchIcs(client: CalendarClient, { secrets, validators }: Question): Promise<Fetched> {
  const answer = await client.send({
    method: 'GET',
    url: secrets.url,
    headers: {
      accept: 'text/calendar, */*;q=0.5',
      ...basicAuth(secrets),
      ...(validators.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators.modified ? { 'if-modified-since': validators.modified } : {}),
    },
  })
  if (answer.status === 304) return { isUnchanged: true, validators, calendars: [] }
  if (answer.status !== 200) throw statusProblem(answer)
  const { etag, 'last-modified': modified } = answer.headers
  return {
    isUnchanged: false,
    calendars: [],
    validators: { ...(etag ? { etag } : {}), ...(modified ? { modified } : {}) },
    texts: [answer.text],
    digest: digestOf([answer.text]),
  }
}

export const basicAuth = ({ user, password }: SourceSecrets): Record<string, string> =>
  user === null
    ? {}
    : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` }

/** Some servers stamp every entry with the time of the request, which changes nothing. */
export function digestOf(texts: string[]): Buffer {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text.replace(/^DTSTAMP[:;].*\r?\n/gm, '')).update('\0')
  return hash.digest()
}
