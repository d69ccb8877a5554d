import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pickLanguage } from '../languages.ts'
import type { Service } from '../service.ts'
import { type BookData, type BookQuery, loadBookData } from './book-data.ts'
import { seedScript } from './book-seed.ts'
import { standIn } from './book-slots.ts'
import { addBookingSteps } from './book-steps.ts'
import { type Words, wordsIn } from './book-texts.ts'
import { consumerApi } from './consumer-api.ts'
import { type Html, html } from './html.ts'
import { sendPage } from './layout.ts'
import { widgetPath } from './widget-files.ts'

export type BookRequest = FastifyRequest<{ Params: { ref: string }; Querystring: Record<string, unknown> }>
export type BookPage = { data: BookData; words: Words; reply: FastifyReply }

/** `/book/{ref}`: the widget, with the first slots in the page; without JavaScript a plain form books. */
export function addBookingPage(app: FastifyInstance, service: Service) {
  app.get('/book/:ref', { schema: { hide: true } }, async (request: BookRequest, reply) => {
    const page = await openPage(app, service, request, reply)
    if (!page) return reply
    const scripts = [widgetPath()].filter(path => path !== null)
    return sendBookPage(page, 200, widget(page), { head: openGraph(service, page.data), scripts })
  })
  addBookingSteps(app, service)
}

/** Null when there is nothing of that name: then the page that says so has been sent. */
export async function openPage(
  app: FastifyInstance,
  { config }: Service,
  request: BookRequest,
  reply: FastifyReply,
): Promise<BookPage | null> {
  const query = readQuery(request.query)
  const data = await loadBookData(consumerApi(app, request), request.params.ref, query)
  const accepted = request.headers['accept-language']
  const words = wordsIn(pickLanguage(query.lang, pickLanguage(accepted, config.language)), accepted)
  if (data) return { data, words, reply }
  await sendPage(reply, 404, words.language, words.more.notFoundTitle, html`<p>${words.texts.unknown}</p>`)
  return null
}

type Extra = { head?: Html; scripts?: string[] }

/** Every step has the Provider's name on top and its legal notice below. */
export function sendBookPage(
  { data, words, reply }: BookPage,
  status: number,
  content: Html,
  extra: Extra = {},
) {
  const { theme, impressum, name } = data.place.provider
  return sendPage(reply, status, words.language, titleOf(data), html`<h1>${name}</h1>${content}`, {
    theme,
    isWide: true,
    isBare: true,
    footer: impressum ? html`${impressum}` : null,
    ...extra,
  })
}

function readQuery(raw: Record<string, unknown>): BookQuery {
  const text = (name: string) => {
    const value = [raw[name]].flat()[0]
    return typeof value === 'string' && !['', 'undefined', 'null'].includes(value) ? value : undefined
  }
  return { channelKey: text('channelKey'), product: text('product'), date: text('date'), lang: text('lang') }
}

const titleOf = ({ place }: BookData) => `${place.resource.name} – ${place.provider.name}`

function widget({ data, words }: BookPage): Html {
  const { channelKey, product, date } = data.query
  return html`<holdfast-booking ref="${data.ref}" lang="${words.language}"${attribute('channel-key', channelKey)}${attribute('product', product)}${attribute('date', date)}>
<div class="stand-in">${standIn(data, words)}</div>
${seedScript(data)}
</holdfast-booking>`
}

const attribute = (name: string, value: string | undefined) =>
  value !== undefined && html` ${name}="${value}"`

function openGraph({ baseUrl }: Service, data: BookData): Html {
  const { resource, provider } = data.place
  const description = data.product?.description ?? resource.description ?? provider.name
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${titleOf(data)}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${`${baseUrl}/book/${encodeURIComponent(data.ref)}`}">
${provider.theme?.logoUrl && html`<meta property="og:image" content="${provider.theme.logoUrl}">`}`
}
