import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openCalendar } from '../actions/scheduling/calendars/calendars.ts'
import { loadFeed } from '../db/scheduling/feeds.ts'
import { notFound } from '../errors.ts'
import { calendarText } from '../feeds/calendar.ts'
import { matchesEtag } from '../http/wire/requests/lists.ts'
import { sha256 } from '../lib/hash.ts'
import type { Service } from '../service.ts'

type FeedRequest = FastifyRequest<{ Params: { name: string } }>

const day = 86_400_000
const daysBack = 30
const daysAhead = 400

/** `/calendar/<secret>.ics`: the feed that calendar programs subscribe to. */
export function addCalendarFeed(app: FastifyInstance, service: Service) {
  const host = new URL(service.baseUrl).hostname
  app.get('/calendar/:name', async (request: FeedRequest, reply) => {
    const secret = /^([\w-]{20,64})\.ics$/.exec(request.params.name)?.[1]
    const feed = secret ? await openCalendar(service, secret) : null
    if (!feed) throw notFound('Calendar', 'this address')
    // The period advances once a day.
    const today = Math.floor(feed.now / day) * day
    const etag = `"${sha256(`${feed.revision} ${today} ${feed.names}`).toString('base64url').slice(0, 22)}"`
    reply
      .header('etag', etag)
      .header('cache-control', 'private, no-cache')
      .header('x-robots-tag', 'noindex')
      .header('x-content-type-options', 'nosniff')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const entries = await loadFeed(service.db, feed, today - daysBack * day, today + daysAhead * day)
    return reply.type('text/calendar; charset=utf-8').send(await calendarText(feed, entries, host))
  })
}
