import Type from 'typebox'
import { invalidField } from '../../errors.ts'
import { type EventKind, eventKinds } from '../../rules/news/events.ts'
import { placeAfter, writeCursor } from '../../webhooks/cursor.ts'
import { follow } from '../../webhooks/follow.ts'
import { providerOf } from '../setup/providers.ts'
import { Reference } from '../wire/fields.ts'
import { answer, crmRoute } from '../wire/route.ts'
import { untilGone } from '../wire/server/until-gone.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { tell } from './tell.ts'

export const EventRecord = Type.Object(
  {
    id: Type.String({ description: 'Of this event, wherever it is told.' }),
    kind: Type.String({ description: 'What happened, such as participation.booked.' }),
    at: Type.String({ description: 'When, in UTC.' }),
    provider: Nullable(
      Type.String({ description: 'Reference of the Provider; null where it concerns none.' }),
    ),
    actor: Type.Object({
      kind: Type.String({ description: 'key, console, consumer or service.' }),
      name: Nullable(Type.String({ description: 'Prefix of the key, or uuid of the login.' })),
    }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'The records as they are when the event is read; null for what is gone. `reference` names what it is about.',
    }),
  },
  { title: 'Event' },
)

export const getEvents = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/events',
  operationId: 'getEvents',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Get Events',
  description:
    'What happened, oldest first. Ask again with `after` = the `next` of the answer before: nobody who does so misses an event. `wait` holds the answer until something happens. A cursor whose events are no longer there: 410.',
  query: {
    after: Type.Optional(
      Type.String({
        description:
          'The `next` of an earlier answer. Absent: from the oldest that is kept. `now`: only what happens from now on.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'So many at the most.' }),
    kinds: Type.Array(Type.String(), { description: 'Only these kinds, separated by commas.' }),
    provider: Type.Optional({
      ...Reference,
      description: 'Only what concerns this Provider: its reference.',
    }),
    wait: Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for something.',
    }),
  },
  replies: {
    200: Wrapped({
      events: Type.Array(EventRecord),
      next: Type.String({ description: 'Where to go on, also when there was nothing.' }),
      more: Type.Boolean({ description: 'There is more to be read at once.' }),
    }),
  },
  errors: ['not-found', 'cursor-expired'],
  async handle({ query, caller, service, request }) {
    const { crm } = caller
    const kinds = readKinds(query.kinds.flatMap(text => text.split(',')))
    const provider = query.provider ? await providerOf(service, caller, query.provider) : null
    const question = {
      crmId: crm.id,
      after: await placeAfter(service, crm.id, query.after),
      limit: query.limit,
      filter: { kinds: kinds.length > 0 ? kinds : null, providerIds: provider && [provider.id] },
    }
    const page = await follow(service, question, query.wait * 1000, untilGone(request))
    return answer(
      200,
      wrap({
        events: await tell(service.db, page.rows),
        next: writeCursor(service.signer, crm.id, page.reached),
        more: page.more,
      }),
    )
  },
})

export function readKinds(kinds: string[], field = 'kinds'): EventKind[] {
  const unknown = kinds.find(kind => !eventKinds.includes(kind as EventKind))
  if (unknown !== undefined)
    throw invalidField(field, `"${unknown}" is no kind of event. Choose from ${eventKinds.join(', ')}.`)
  return kinds as EventKind[]
}
