import Type from 'typebox'
import { invalidField } from '../../errors.ts'
import { type EventKind, eventKinds } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { placeAfter, writeCursor } from '../../webhooks/cursor.ts'
import type { EventWithData, LogPage } from '../../webhooks/log.ts'
import { waitForEvents } from '../../webhooks/wait-for-events.ts'
import { providerOf } from '../wire/callers/permit.ts'
import { DocumentedAs, Reference } from '../wire/fields.ts'
import { abortOnClose } from '../wire/requests/request.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { eventsByNoun } from './event-schemas.ts'
import { withData } from './with-data.ts'

export const EventRecord = Type.Object(
  {
    id: Type.String({ description: 'Identifies the event, also in webhooks.' }),
    sequence: Type.Integer({
      description:
        'Of two events about the same record, the later one has the higher number, whatever their order in the log. Numbers are not consecutive.',
    }),
    kind: Type.String({ description: 'Kind of event, such as participation.booked.' }),
    type: Type.String({ description: 'The same as `kind`, as webhooks name it.' }),
    at: Type.String({ description: 'Time of the event, in UTC.' }),
    timestamp: Type.String({ description: 'The same as `at`, as webhooks name it.' }),
    provider: Nullable(
      Type.String({ description: 'Reference of the Provider. Null if the event concerns none.' }),
    ),
    actor: Type.Object({
      kind: Type.String({ description: 'key, console, consumer, service or agent.' }),
      name: Nullable(Type.String({ description: 'Prefix of the key, or uuid of the login.' })),
    }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'The records as they are when the event is read; null if deleted. `reference` names the subject of the event.',
    }),
  },
  { title: 'Event' },
)

export const getEvents = crmRoutes('B8. Events')({
  method: 'GET',
  path: '/crms/:crmId/events',
  operationId: 'getEvents',
  summary: 'Get Events',
  description:
    'Events, oldest first. To get every event exactly in order, send the `next` of each response as `after`. `wait` delays the response until there is an event; returns 429 if 100 requests with this key are already waiting. Returns 410 if the events after the cursor have been deleted.',
  query: {
    after: Type.Optional(
      Type.String({
        description:
          '`next` of an earlier response. Omit to start with the oldest event that is kept; `now` for new events only.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Maximum number of events.' }),
    kinds: Type.Array(Type.String(), { description: 'Only these kinds, separated by commas.' }),
    provider: Type.Optional({
      ...Reference,
      description: 'Only events of the Provider with this reference.',
    }),
    wait: Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for an event.',
    }),
  },
  replies: {
    200: Wrapped({
      events: Type.Array(DocumentedAs(EventRecord, ...eventsByNoun(EventRecord.properties))),
      next: Type.String({ description: 'Cursor to continue from, also if there were no events.' }),
      more: Type.Boolean({ description: 'More events can be read immediately.' }),
    }),
  },
  errors: ['not-found', 'cursor-expired', 'too-many-requests'],
  async handle({ query, caller, service, request }) {
    const { crm } = caller
    const kinds = readKinds(query.kinds.flatMap(text => text.split(',')))
    const provider = query.provider ? await providerOf(service.db, caller, query.provider) : null
    const question = {
      asker: caller.id,
      crmId: crm.id,
      after: await placeAfter(service, crm.id, query.after),
      limit: query.limit,
      filter: { kinds: kinds.length > 0 ? kinds : null, providerIds: provider && [provider.id] },
    }
    const page = await waitForEvents(service, question, query.wait * 1000, abortOnClose(request))
    return wrap({
      events: await dataOf(service, page),
      next: writeCursor(service.signer, crm.id, page.reached),
      more: page.more,
    })
  },
})

/** Requests that share a page share its data too. */
const known = new WeakMap<LogPage, Promise<EventWithData[]>>()

function dataOf(service: Service, page: LogPage): Promise<EventWithData[]> {
  const data = known.get(page) ?? withData(service, page.rows)
  known.set(page, data)
  return data
}

export function readKinds(kinds: string[]): EventKind[] {
  const unknown = kinds.find(kind => !eventKinds.includes(kind as EventKind))
  if (unknown !== undefined)
    throw invalidField('kinds', 'known-name:event', { name: unknown, choices: eventKinds })
  return kinds as EventKind[]
}
