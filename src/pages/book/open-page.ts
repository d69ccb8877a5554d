import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { comesFirst } from '../../db/booking/businesses.ts'
import { findProviderByUuid, type ProviderRow } from '../../db/setup/providers.ts'
import { maxRefs } from '../../http/booking/distinct-refs.ts'
import { queueKeyOf } from '../../http/wire/callers/clients.ts'
import { isStorable } from '../../http/wire/requests/json.ts'
import { acceptedLanguage, type Language, spokenLanguage } from '../../languages.ts'
import { mailLink } from '../../lib/clean-text.ts'
import { type Html, html } from '../../lib/html.ts'
import { isChannelKey } from '../../rules/offers/channels.ts'
import { isUuid } from '../../rules/references.ts'
import { themeOf } from '../../rules/theme.ts'
import type { Service } from '../../service.ts'
import { type RenderedPage, renderPage, sendPage } from '../layout.ts'
import { ownPageLink } from '../links/booking-links.ts'
import { type BookData, type BookQuery, loadBookData, type Visitor } from './data.ts'
import { phoneNumber, providerHead } from './provider-head.ts'
import { formatTag, type Words, wordsIn } from './texts.ts'

export type BookRequest = FastifyRequest<{ Params: { ref: string }; Querystring: Record<string, unknown> }>
export type BookPage = { data: BookData; words: Words; reply: FastifyReply }

/** What a page depends on, besides the Resources themselves. */
export type Visit = {
  /** The readings of the address: a name may contain a comma itself. */
  readings: string[][]
  /** How many Resources it names. */
  count: number
  query: BookQuery
  /** Null: visitors who speak none of our languages get the Provider's. */
  language: Language | null
  accepted: string | undefined
  /** Equal for all visitors who get the same page. */
  key: string
}

/** One Resource, or several: separated by commas, or with `ref` repeated. */
export function visitOf({ params, query: raw, headers }: VisitRequest): Visit {
  const query = readQuery(raw)
  const more = [raw.ref ?? []].flat().flatMap(value => listOf(String(value)))
  const parts = listOf(params.ref)
  const readings = [[params.ref, ...more], ...(parts.length > 1 ? [[...parts, ...more]] : [])]
  const count = new Set(readings.at(-1)).size
  const accepted = headers['accept-language']
  const language = spokenLanguage(query.lang) ?? acceptedLanguage(accepted)
  const key = `page ${JSON.stringify([readings, query, language && formatTag(language, accepted)])}`
  return { readings, count, query, language, accepted, key }
}

type VisitRequest = Pick<BookRequest, 'params' | 'query'> & { headers: IncomingHttpHeaders }

/** Null if there is no such Resource; the error page has then been sent. */
export async function openPage(
  service: Service,
  request: BookRequest,
  reply: FastifyReply,
): Promise<BookPage | null> {
  const visit = visitOf(request)
  const data = await findPlaces({ service, line: queueKeyOf(request) }, visit)
  if (data) return { data, words: wordsOf(visit, data.place.provider.language), reply }
  await sendUnknown(service, visit, reply)
  return null
}

export const wordsOf = ({ language, accepted }: Visit, otherwise: Language): Words =>
  wordsIn(language ?? otherwise, accepted)

/** Otherwise the names of a business lead to Resources if there are any. */
export async function findPlaces(visitor: Visitor, visit: Visit): Promise<BookData | null> {
  const { readings, count, query, language } = visit
  if (count > maxRefs || !readings.flat().every(isStorable)) return null
  const load = (refs: string[]) => loadBookData(visitor, refs, query, language ?? undefined)
  const isUuidOnly = isUuid(readings[0]!.join())
  const named = isUuidOnly ? null : await businessOf(visitor.service, visit)
  for (const refs of named && comesFirst(named) ? [] : readings) {
    const data = await load(refs)
    if (data) return data
  }
  const business = isUuidOnly ? await businessOf(visitor.service, visit) : named
  const data = business && business.refs.length > 0 ? await load(business.refs) : null
  return data && { ...data, business: business! }
}

/** The business that the address names, if it names a single thing. */
export async function businessOf(
  { businesses }: Service,
  { readings, query }: Pick<Visit, 'readings' | 'query'>,
) {
  const [[name, ...others]] = readings as [[string, ...string[]]]
  const { channelKey } = query
  if (others.length > 0 || readings.length > 1) return null
  if (channelKey !== undefined && !isChannelKey(channelKey)) return null
  return businesses.find(name, channelKey)
}

export async function sendUnknown(service: Service, visit: Visit, reply: FastifyReply) {
  const { db, config, suspensions } = service
  const isName = visit.count <= maxRefs && visit.readings.flat().every(isStorable)
  const business = isName ? await businessOf(service, visit) : null
  const provider = business && (await findProviderByUuid(db, business.uuid))
  suspensions.refuseProvider(provider?.id)
  if (provider) return sendUnfinished(provider, visit, reply)
  const { language, pageTexts, texts } = wordsOf(visit, config.language)
  const [status, text] =
    visit.count > maxRefs ? [400, pageTexts.tooManyResources(maxRefs)] : [404, texts.notFound]
  return sendPage(reply, status, language, pageTexts.notFoundTitle, html`<p>${text}</p>`)
}

/** A business without anyone to book yet: its owner sees that the address is right. */
function sendUnfinished(provider: ProviderRow, visit: Visit, reply: FastifyReply) {
  const { language, texts } = wordsOf(visit, provider.language as Language)
  const number = provider.phone ?? provider.mobile
  const contact = [
    provider.email && html`<br><a href="${mailLink(provider.email)}">${provider.email}</a>`,
    number && html`<br>${phoneNumber(number)}`,
  ]
  const content = html`<p>${texts.bookingClosed}</p><p class="soft">${texts.noTimesHint}${contact}</p>`
  const footer = provider.impressum ? html`${provider.impressum}` : null
  return sendPage(reply, 404, language, provider.name, content, { theme: themeOf(provider), footer })
}

const listOf = (text: string) =>
  text
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)

type Extra = { head?: Html; scripts?: string[]; isKept?: boolean; title?: string }

export const sendBookPage = (page: BookPage, status: number, content: Html, extra?: Extra) =>
  sendPage(page.reply, status, ...pageOf(page, content, extra))

export const renderBookPage = (page: Omit<BookPage, 'reply'>, content: Html, extra?: Extra): RenderedPage =>
  renderPage(...pageOf(page, content, extra))

/** Every step shows the Provider's name at the top and its legal notice at the bottom. */
function pageOf(
  { data, words }: Omit<BookPage, 'reply'>,
  content: Html,
  { title, ...extra }: Extra = {},
): Parameters<typeof renderPage> {
  const { theme, impressum } = data.place.provider
  const options = {
    theme,
    isWide: true,
    isBare: true,
    isFramable: true,
    footer: html`<p class="links">${ownPageLink(data.place.resource.uuid, words.language)}</p>${impressum}`,
    ...extra,
  }
  return [words.language, title ?? titleOf(data, words), html`${providerHead(data)}${content}`, options]
}

function readQuery(raw: Record<string, unknown>): BookQuery {
  const text = (name: string) => {
    const value = [raw[name]].flat()[0]
    return typeof value === 'string' && !['', 'undefined', 'null'].includes(value) ? value : undefined
  }
  return {
    channelKey: text('channelKey'),
    product: text('product'),
    date: text('date'),
    lang: text('lang'),
    resource: text('resource'),
  }
}

export const titleOf = ({ place, isAny }: BookData, { texts }: Words) =>
  `${isAny ? texts.title : place.resource.name} – ${place.provider.name}`
