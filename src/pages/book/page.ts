import type { FastifyInstance } from 'fastify'
import { sendFirstPage } from '../../http/wire/requests/lists.ts'
import { type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { widgetPath } from '../widget-files.ts'
import { type BookPage, type BookRequest, openPage, sendBookPage, titleOf } from './open-page.ts'
import { seedScript } from './seed.ts'
import { bookPath, waitingListLink, widgetPlaceholder } from './slots.ts'
import { addBookingSteps } from './steps.ts'

/** `/book/{ref}`: the widget, with the first slots embedded in the page; without JavaScript, a plain form. */
export function addBookingPage(app: FastifyInstance, service: Service) {
  // Sent in two parts, since the slots make the page long for a slow connection: up to the first morning or
  // afternoon, then the rest. It contains no secrets, so compressing it reveals nothing.
  app.get('/book/:ref', { onSend: sendFirstPage('</ul>') }, async (request: BookRequest, reply) => {
    const page = await openPage(app, service, request, reply)
    if (!page) return reply
    const scripts = [widgetPath()].filter(path => path !== null)
    return sendBookPage(page, 200, widget(page), { head: openGraph(service, page), scripts })
  })
  addBookingSteps(app, service)
}

function widget({ data, words }: BookPage): Html {
  const { channelKey, product, date, resource } = data.query
  return html`<holdfast-booking resource="${data.refs.join()}" lang="${words.language}"${attribute('channel-key', channelKey)}${attribute('product', product)}${attribute('date', date)}${attribute('selected-resource', resource)}>
<div class="stand-in">${widgetPlaceholder(data, words)}${waitingListLink(data, words)}</div>
${seedScript(data)}
</holdfast-booking>`
}

const attribute = (name: string, value: string | undefined) =>
  value !== undefined && html` ${name}="${value}"`

function openGraph({ baseUrl }: Service, { data, words }: BookPage): Html {
  const { resource, provider } = data.place
  const about = data.isAny ? null : resource.description
  const description = data.product?.description ?? about ?? provider.name
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${titleOf(data, words)}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${`${baseUrl}${bookPath(data)}`}">
${provider.theme?.logoUrl && html`<meta property="og:image" content="${provider.theme.logoUrl}">`}`
}
