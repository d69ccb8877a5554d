import type { DavEntry } from './caldav-xml.ts'
import { basicAuth, digestOf, type Fetched, type FoundCalendar, type Validators } from './fetch.ts'
import { CalendarProblem } from './problem.ts'
import { readXmlInThread } from './read-in-thread.ts'
import type { SourceSecrets } from './request.ts'
import { type CalendarClient, type CalendarRequest, statusProblem } from './request.ts'

// The few CalDAV requests that reading and mirroring need. Written here instead of taken from a library, because every request
// must go through our own client, which guards addresses and limits time and size.

export type DavAccount = { client: CalendarClient; secrets: SourceSecrets }

/** A calendar at its full address. */
type DavCalendar = FoundCalendar & { url: string; token: string | null }

const xml = 'application/xml; charset=utf-8'
const namespaces =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'

export async function davRequest({ client, secrets }: DavAccount, request: CalendarRequest) {
  return client.send({ ...request, headers: { ...basicAuth(secrets), ...request.headers } })
}

async function multistatus(
  account: DavAccount,
  method: 'PROPFIND' | 'REPORT',
  url: string,
  depth: '0' | '1',
  body: string,
) {
  const headers = { depth, 'content-type': xml }
  const answer = await davRequest(account, {
    method,
    url,
    headers,
    body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
  })
  if (answer.status !== 207) throw statusProblem(answer)
  return { entries: await readXmlInThread(answer.text), url: answer.url }
}

const propfind = (account: DavAccount, url: string, depth: '0' | '1', properties: string) =>
  multistatus(
    account,
    'PROPFIND',
    url,
    depth,
    `<d:propfind ${namespaces}><d:prop>${properties}</d:prop></d:propfind>`,
  )

const calendarProperties =
  '<d:resourcetype/><d:displayname/><d:sync-token/><s:getctag/><c:supported-calendar-component-set/>'

/**
 * The calendars of an account. People enter the address of one calendar, of their account, or only that of the server; from each
 * of them the way leads over the principal to the calendars.
 */
export async function findCalendars(account: DavAccount): Promise<DavCalendar[]> {
  const { url } = account.secrets
  const found = await propfind(account, url, '1', calendarProperties).catch(ignoreMissing)
  const here = found ? calendarsIn(found.entries, found.url) : []
  if (here.length > 0) return here
  const home =
    (await homeOf(account, url)) ?? (await homeOf(account, new URL('/.well-known/caldav', url).href))
  if (!home) throw new CalendarProblem('calendars')
  const listed = await propfind(account, home, '1', calendarProperties)
  const calendars = calendarsIn(listed.entries, listed.url)
  if (calendars.length === 0) throw new CalendarProblem('calendars')
  return calendars
}

const notThere = ['missing', 'server', 'forbidden']

function ignoreMissing(error: unknown): null {
  if (error instanceof CalendarProblem && notThere.includes(error.code)) return null
  throw error
}

async function homeOf(account: DavAccount, url: string): Promise<string | null> {
  const properties = '<d:current-user-principal/><c:calendar-home-set/>'
  const found = await propfind(account, url, '0', properties).catch(ignoreMissing)
  const [entry] = found?.entries ?? []
  if (entry?.home) return new URL(entry.home, found!.url).href
  if (!entry?.principal) return null
  const principal = new URL(entry.principal, found!.url).href
  const next = await propfind(account, principal, '0', '<c:calendar-home-set/>')
  const home = next.entries[0]?.home
  return home ? new URL(home, next.url).href : null
}

const calendarsIn = (entries: DavEntry[], base: string): DavCalendar[] =>
  entries
    .filter(one => one.isCalendar && one.holdsEvents)
    .map(({ href, name, token }) => {
      const url = new URL(href, base)
      const last = url.pathname.split('/').filter(Boolean).at(-1) ?? url.pathname
      return { path: url.pathname, name: name ?? decodeURIComponent(last), url: url.href, token }
    })

/** All entries of the calendars that are read; nothing if their tokens are the known ones. */
export async function fetchCaldav(
  account: DavAccount,
  wanted: string[] | null,
  validators: Validators,
  period: { from: number; to: number },
): Promise<Fetched> {
  const all = await findCalendars(account)
  const read = wanted === null ? all : all.filter(one => wanted.includes(one.path))
  if (read.length === 0) throw new CalendarProblem('calendars')
  const calendars = all.map(({ path, name }) => ({ path, name }))
  const tokens = Object.fromEntries(read.flatMap(one => (one.token ? [[one.path, one.token]] : [])))
  const isKnown = read.every(one => one.token !== null && validators[one.path] === one.token)
  if (isKnown && Object.keys(validators).length === read.length)
    return { isUnchanged: true, validators: tokens, calendars }
  const texts: string[] = []
  for (const one of read)
    texts.push(...(await entriesOf(account, one.url, period)).flatMap(entry => entry.data ?? []))
  return { isUnchanged: false, validators: tokens, calendars, texts, digest: digestOf(texts) }
}

const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

async function entriesOf(account: DavAccount, url: string, { from, to }: { from: number; to: number }) {
  const range = `<c:time-range start="${stamp(from)}" end="${stamp(to)}"/>`
  const filter = `<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${range}</c:comp-filter></c:comp-filter></c:filter>`
  const body = `<c:calendar-query ${namespaces}><d:prop><d:getetag/><c:calendar-data/></d:prop>${filter}</c:calendar-query>`
  const { entries } = await multistatus(account, 'REPORT', url, '1', body)
  return entries
}

/** Changes whenever anything in the calendar changes; null if the server has none. Fails if the calendar is gone. */
export async function tokenOf(account: DavAccount, url: string): Promise<string | null> {
  const { entries } = await propfind(account, url, '0', calendarProperties)
  if (!entries[0]?.isCalendar) throw new CalendarProblem('missing')
  return entries[0].token
}

/** ETags of entries by name. An entry that has none may be gone; some servers leave it out. */
export async function etagsOf(
  account: DavAccount,
  url: string,
  names: string[],
): Promise<Map<string, string>> {
  const base = new URL(url).pathname.replace(/\/?$/, '/')
  const hrefs = names.map(name => `<d:href>${escaped(base + name)}</d:href>`).join('')
  const body = `<c:calendar-multiget ${namespaces}><d:prop><d:getetag/></d:prop>${hrefs}</c:calendar-multiget>`
  const { entries } = await multistatus(account, 'REPORT', url, '1', body)
  return new Map(
    entries.flatMap(({ href, etag }) => (etag ? [[href.split('/').at(-1)!, strongEtag(etag)] as const] : [])),
  )
}

/** Proxies that compress mark ETags as weak, and If-Match never matches those. */
export const strongEtag = (etag: string) => etag.replace(/^W\//, '')

const escaped = (text: string) => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)
