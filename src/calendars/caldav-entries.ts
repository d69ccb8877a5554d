import { type DavAccount, davRequest, findCalendars, strongEtag } from './caldav.ts'
import { CalendarProblem } from './problem.ts'
import { digestInThread } from './read-in-thread.ts'
import { type CalendarResponse, statusProblem } from './request.ts'

// Writing single entries. Every write names the version that it replaces, so that nothing is overwritten or written twice, however
// often it is repeated.

/** One calendar of an account. */
export type DavCollection = { account: DavAccount; url: string }

/** The address of one of the account's calendars. */
export async function findCollection(account: DavAccount, path: string): Promise<string> {
  const found = (await findCalendars(account)).find(one => one.path === path)
  if (!found) throw new CalendarProblem('calendars')
  return found.url
}

/** The address of an entry, which we choose. */
const addressOf = ({ url }: DavCollection, uuid: string) =>
  new URL(`${uuid}.ics`, url.endsWith('/') ? url : `${url}/`).href

/** An entry as it is in the calendar; null if there is none. */
export type StoredEntry = { etag: string; digest: string }

export async function getEntry(collection: DavCollection, uuid: string): Promise<StoredEntry | null> {
  const answer = await send(collection, 'GET', uuid)
  if (isMissing(answer)) return null
  if (answer.status !== 200 || !answer.headers.etag) throw statusProblem(answer)
  return { etag: strongEtag(answer.headers.etag), digest: await digestInThread(answer.text) }
}

/** What is in the calendar now, or `conflict` if it is not the version expected. An ETag of null expects none. */
export async function putEntry(
  collection: DavCollection,
  uuid: string,
  text: string,
  etag: string | null,
): Promise<{ etag: string; digest: string | null } | 'conflict' | 'refused'> {
  const answer = await send(collection, 'PUT', uuid, etag, text)
  if (isConflict(answer)) return 'conflict'
  if (isRefused(answer)) return 'refused'
  if (![200, 201, 204].includes(answer.status)) throw statusProblem(answer)
  if (answer.headers.etag) return { etag: strongEtag(answer.headers.etag), digest: null }
  // A server that changes what it stores sends no ETag.
  return (await getEntry(collection, uuid)) ?? 'conflict'
}

export async function deleteEntry(
  collection: DavCollection,
  uuid: string,
  etag: string,
): Promise<'done' | 'conflict'> {
  const answer = await send(collection, 'DELETE', uuid, etag)
  if (isConflict(answer)) return 'conflict'
  if (!isMissing(answer) && ![200, 202, 204].includes(answer.status)) throw statusProblem(answer)
  return 'done'
}

function send(
  collection: DavCollection,
  method: 'GET' | 'PUT' | 'DELETE',
  uuid: string,
  etag?: string | null,
  body?: string,
) {
  const condition: Record<string, string> = etag ? { 'if-match': etag } : { 'if-none-match': '*' }
  return davRequest(collection.account, {
    method,
    url: addressOf(collection, uuid),
    headers: {
      ...(method === 'GET' ? {} : condition),
      ...(body === undefined ? {} : { 'content-type': 'text/calendar; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body }),
  })
}

const isMissing = ({ status }: CalendarResponse) => status === 404 || status === 410
const isConflict = ({ status }: CalendarResponse) => status === 412
/** Only this entry; others may be accepted. */
const isRefused = ({ status }: CalendarResponse) => [400, 409, 413, 415, 422].includes(status)
