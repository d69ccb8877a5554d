import type { FastifyInstance, FastifyRequest } from 'fastify'
import { firstResourceOf } from '../db/setup/resources.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { sendPage } from './layout.ts'
import { widgetPath } from './widget-files.ts'

type Request = FastifyRequest<{ Querystring: { ref?: string } }>

/** How to embed the widget, with a live one and the events it sends. */
export function addDemoPage(app: FastifyInstance, service: Service) {
  app.get('/demo', async (request: Request, reply) => {
    const requestedRef = [request.query.ref].flat()[0]
    const ref = requestedRef || (await demoResource(service))
    const content = html`
      <p>Two lines put a booking calendar on any page. Nothing else is needed: no cookies, no other hosts.</p>
      <pre class="code"><code>${snippet(service.baseUrl, ref ?? 'YOUR-RESOURCE')}</code></pre>
      ${
        ref
          ? html`<h2>Alive</h2><holdfast-booking resource="${ref}"></holdfast-booking>
            <h2>Events</h2><p class="soft">What the page around the widget can listen to, newest first.</p>
            <ol id="events" class="code" aria-live="polite"></ol>`
          : html`<p>There is no demo tenant here. Add <code>?ref=</code> with the reference of a resource.</p>`
      }`
    // Listens before the widget runs, or its first event is missed.
    const scripts = ['/demo.js', widgetPath()].filter(path => path !== null)
    return sendPage(reply, 200, 'en', 'The booking widget', content, { isWide: true, scripts })
  })

  app.get('/demo.js', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('text/javascript; charset=utf-8')
      .send(demoScript),
  )
}

const snippet = (baseUrl: string, ref: string) => `<script src="${baseUrl}/embed.js"></script>
<holdfast-booking resource="${ref}"></holdfast-booking>`

const eventNames = ['ready', 'slots-loaded', 'reserved', 'booked', 'moved', 'lost', 'cancelled', 'error']

const demoScript = `const list = document.getElementById('events')
for (const name of ${JSON.stringify(eventNames)})
  document.addEventListener('holdfast-' + name, event => {
    const line = document.createElement('li')
    line.textContent = event.type + ' ' + JSON.stringify(event.detail)
    list?.prepend(line)
  })
`

/** The first Resource of the demo tenant. */
async function demoResource({ db }: Service): Promise<string | null> {
  return firstResourceOf(db, 'demo')
}
