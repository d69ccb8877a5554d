import type { FastifyInstance } from 'fastify'
import type { Business } from '../../db/booking/businesses.ts'
import { snapshotOf } from '../../http/booking/public-data.ts'
import { queueKeyOf } from '../../http/wire/callers/clients.ts'
import type { Route } from '../../http/wire/route.ts'
import { type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { widgetScripts } from '../widget-files.ts'
import { isLarge, type Visitor } from './data.ts'
import { answerEarly, KeptPage, keptFor, sendKept } from './kept-page.ts'
import {
  type BookPage,
  type BookRequest,
  findPlaces,
  renderBookPage,
  sendUnknown,
  titleOf,
  type Visit,
  visitOf,
  wordsOf,
} from './open-page.ts'
import { seedScript } from './seed.ts'
import { attribute, bookPath, seriesLink, waitingListLink, widgetPlaceholder } from './slots.ts'
import { addBookingSteps } from './steps.ts'

/** `/book/{ref}`: the widget, with the first slots embedded in the page; without JavaScript, a plain form. */
export function addBookingPage(app: FastifyInstance, service: Service) {
  const route = { answerEarly } as unknown as Route
  app.get('/book/:ref', async (request: BookRequest, reply) => {
    const visit = visitOf(request)
    const known = await keptFor(service, visit, request.raw)
    const visitor = { service, line: queueKeyOf(request) }
    const page = known instanceof KeptPage ? known : await makePage({ ...visitor, checked: known }, visit)
    if (!page) return sendUnknown(service, visit, reply)
    if (page.business?.by === 'former-slug')
      return reply.redirect(currentAddress(request, page.business), 302)
    const { params, query } = request
    app.knownAddresses.keep(request.raw.url!, { route, pattern: '/book/:ref', params, query })
    return sendKept(service, page, request, reply)
  })
  addBookingSteps(app, service)
}

/** The same page under the slug that the business has now. */
const currentAddress = ({ raw }: BookRequest, { address }: Business) =>
  raw.url!.replace(/^\/book\/[^/?]+/, `/book/${address}`)

/** After a change, all who watch the page share one computation. */
function makePage(visitor: Visitor, visit: Visit): Promise<KeptPage | null> {
  const { service, checked } = visitor
  const make = () => renderFor(visitor, visit)
  return checked ? service.lists.share(`${snapshotOf(checked.found)} ${visit.key}`, make) : make()
}

async function renderFor(visitor: Visitor, visit: Visit): Promise<KeptPage | null> {
  const { service } = visitor
  const data = await findPlaces(visitor, visit)
  if (!data) return null
  const page = { data, words: wordsOf(visit, data.place.provider.language) }
  const scripts = isLarge(data.refs) ? [] : widgetScripts(page.words.language)
  const content = isLarge(data.refs) ? plainContent(page) : widget(page)
  const rendered = renderBookPage(page, content, { head: openGraph(service, page), scripts })
  const made = new KeptPage(rendered, data)
  service.lists.set(visit.key, made)
  return made
}

type Shown = Omit<BookPage, 'reply'>

const plainContent = ({ data, words }: Shown): Html =>
  html`<div class="stand-in">${widgetPlaceholder(data, words)}${waitingListLink(data, words)}</div>`

function widget({ data, words }: Shown): Html {
  const { channelKey, product, date, resource } = data.query
  return html`<holdfast-booking resource="${data.refs.join()}" lang="${words.language}"${attribute('channel-key', channelKey)}${attribute('product', product)}${attribute('date', date)}${attribute('selected-resource', resource)}>
${plainContent({ data, words })}
${seedScript(data)}
</holdfast-booking>${seriesLink(data, words)}`
}

function openGraph({ baseUrl }: Service, { data, words }: Shown): Html {
  const { resource, provider } = data.place
  const about = data.isAny ? null : resource.description
  const description = data.product?.description || about || provider.description || provider.name
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${titleOf(data, words)}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${`${baseUrl}${bookPath(data)}`}">
${provider.theme?.logoUrl && html`<meta property="og:image" content="${provider.theme.logoUrl}">`}`
}
