import Type from 'typebox'
import { listEvents } from '../../db/events.ts'
import { EventRecord } from '../events/events.ts'
import { tell } from '../events/tell.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'

export const getAudit = consoleRoute({
  method: 'GET',
  path: '/console/api/audit',
  operationId: 'listAudit',
  tag: 'Console',
  summary: 'Who did what, newest first',
  description: 'The events of the Providers that one sees. Page on with `before`: `next` of the page before.',
  query: {
    before: Type.Optional(Type.Integer({ minimum: 1, description: '`next` of the page before.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Events on a page.' }),
  },
  replies: { 200: Type.Object({ events: Type.Array(EventRecord), next: Nullable(Type.Integer()) }) },
  async handle({ query, caller, service }) {
    const rows = await listEvents(service.db, {
      providerIds: caller.providerIds,
      before: query.before ?? null,
      limit: query.limit,
    })
    const next = rows.length === query.limit ? rows.at(-1)!.id : null
    return answer(200, { events: await tell(service.db, rows), next })
  },
})
