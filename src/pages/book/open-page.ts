import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguage, pickLanguage, spokenLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { type ApiCall, readOnlyApi } from '../consumer-api.ts'
import { sendPage } from '../layout.ts'
import { type BookData, type BookQuery, loadBookData } from './data.ts'
import { type Words, wordsIn } from './texts.ts'

export type BookRequest = FastifyRequest<{ Params: { ref: string }; Querystring: Record<string, unknown> }>
export type BookPage = { data: BookData; words: Words; reply: FastifyReply }

/** Null if there is no such Resource; the error page has then been sent. */
export async function openPage(
  app: FastifyInstance,
  { config }: Service,
  request: BookRequest,
  reply: FastifyReply,
): Promise<BookPage | null> {
  const query = readQuery(request.query)
  const accepted = request.headers['accept-language']
  const wished = spokenLanguage(query.lang) ?? acceptedLanguage(accepted) ?? undefined
  const data = await findPlaces(readOnlyApi(app, request), request, query, wished)
  // Visitors who speak none of our languages get the Provider's.
  const spoken = acceptedLanguage(accepted) ?? data?.place.provider.language ?? config.language
  const words = wordsIn(pickLanguage(query.lang, spoken), accepted)
  if (data) return { data, words, reply }
  await sendPage(
    reply,
    404,
    words.language,
    words.pageTexts.notFoundTitle,
    html`<p>${words.texts.notFound}</p>`,
  )
  return null
}

/**
 * One Resource, or several: separated by commas, or with `ref` repeated. A name may contain a comma itself.
 */
async function findPlaces(
  look: ApiCall,
  { params, query: raw }: BookRequest,
  query: BookQuery,
  language: string | undefined,
) {
  const more = [raw.ref ?? []].flat().flatMap(value => listOf(String(value)))
  const whole = await loadBookData(look, [params.ref, ...more], query, language)
  const parts = listOf(params.ref)
  return whole ?? (parts.length > 1 ? loadBookData(look, [...parts, ...more], query, language) : null)
}

const listOf = (text: string) =>
  text
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)

type Extra = { head?: Html; scripts?: string[]; isKept?: boolean; title?: string }

/** Every step shows the Provider's name at the top and its legal notice at the bottom. */
export function sendBookPage(
  { data, words, reply }: BookPage,
  status: number,
  content: Html,
  { title, ...extra }: Extra = {},
) {
  const { theme, impressum, name } = data.place.provider
  return sendPage(
    reply,
    status,
    words.language,
    title ?? titleOf(data, words),
    html`<h1>${name}</h1>${content}`,
    {
      theme,
      isWide: true,
      isBare: true,
      isFramable: true,
      footer: impressum ? html`${impressum}` : null,
      ...extra,
    },
  )
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
