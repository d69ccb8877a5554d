import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { texts as widgetTexts } from '../../web/widget/src/texts/index.ts'
import { pickLanguage } from '../languages.ts'
import type { Service } from '../service.ts'
import { type BookData, type BookQuery, loadBookData } from './book-data.ts'
import { completeBooking, reserveSlot } from './book-form.ts'
import { seedScript } from './book-seed.ts'
import { standIn } from './book-slots.ts'
import { bookTexts } from './book-texts.ts'
import { consumerApi } from './consumer-api.ts'
import { type Html, html } from './html.ts'
import { type PageOptions, sendPage } from './layout.ts'
import { widgetPath } from './widget-files.ts'

export type BookRequest = FastifyRequest<{ Params: { ref: string }; Querystring: Record<string, unknown> }>

/** `/book/{ref}`: the widget, with the first slots in the page; without JavaScript a plain form books. */
export function addBookingPage(app: FastifyInstance, service: Service) {
  const schema = { hide: true }
  app.get('/book/:ref', { schema }, async (request: BookRequest, reply) => {
    const query = readBookQuery(request.query)
    const data = await loadBookData(consumerApi(app, request), request.params.ref, query)
    const language = bookLanguage(service, request, query)
    if (!data) return sendNothing(reply, language)
    return sendPage(reply, 200, language, titleOf(data), content(data, language), {
      ...bookPage(data),
      head: openGraph(service, data),
      scripts: [widgetPath()].filter(path => path !== null),
    })
  })

  app.post('/book/:ref/reserve', { schema }, (request: BookRequest, reply) =>
    reserveSlot(app, service, request, reply),
  )
  app.post('/book/:ref/complete', { schema }, (request: BookRequest, reply) =>
    completeBooking(app, service, request, reply),
  )
}

export function readBookQuery(raw: Record<string, unknown>): BookQuery {
  const text = (name: string) => {
    const value = [raw[name]].flat()[0]
    return typeof value === 'string' && value !== '' && value !== 'undefined' && value !== 'null'
      ? value
      : undefined
  }
  return { channelKey: text('channelKey'), product: text('product'), date: text('date'), lang: text('lang') }
}

export function bookLanguage({ config }: Service, request: FastifyRequest, { lang }: BookQuery) {
  return pickLanguage(lang, pickLanguage(request.headers['accept-language'], config.language))
}

/** The frame that the steps without JavaScript have too. */
export function bookPage({ place }: BookData): PageOptions {
  const { theme, impressum } = place.provider
  return { theme, isWide: true, isBare: true, footer: impressum ? html`${impressum}` : null }
}

export const titleOf = ({ place }: BookData) => `${place.resource.name} – ${place.provider.name}`

function content(data: BookData, language: keyof typeof widgetTexts): Html {
  const { ref, query, place } = data
  return html`<h1>${place.provider.name}</h1>
<holdfast-booking ref="${ref}" lang="${language}"${attribute('channel-key', query.channelKey)}${attribute('product', query.product)}${attribute('date', query.date)}>
<div class="stand-in">${standIn(data, language)}</div>
${seedScript(data)}
</holdfast-booking>`
}

const attribute = (name: string, value: string | undefined) =>
  value !== undefined && html` ${name}="${value}"`

function openGraph({ baseUrl }: Service, { ref, place, product }: BookData): Html {
  const { resource, provider } = place
  const description = product?.description ?? resource.description ?? provider.name
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${`${resource.name} – ${provider.name}`}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${`${baseUrl}/book/${encodeURIComponent(ref)}`}">
${provider.theme?.logoUrl && html`<meta property="og:image" content="${provider.theme.logoUrl}">`}`
}

export function sendNothing(reply: FastifyReply, language: keyof typeof widgetTexts) {
  return sendPage(
    reply,
    404,
    language,
    bookTexts[language].notFoundTitle,
    html`<p>${widgetTexts[language].unknown}</p>`,
  )
}
