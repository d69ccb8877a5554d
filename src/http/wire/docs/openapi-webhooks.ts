import Type from 'typebox'
import { eventMeanings } from '../../../rules/messages/event-meanings.ts'
import { eventKinds } from '../../../rules/messages/events.ts'
import { Choice, Moment, Uuid } from '../fields.ts'
import { Nullable } from '../wrapper.ts'
import type { SchemaNames } from './schema-names.ts'

const WebhookEvent = Type.Object(
  {
    id: { ...Uuid, description: 'Identifies the event, as `webhook-id` and in the event log.' },
    sequence: Type.Integer({
      description: 'Of two events about the same record, the later one has the higher number.',
    }),
    type: Choice(eventKinds, { description: 'Kind of event.' }),
    kind: Choice(eventKinds, { description: 'The same as `type`, as the event log names it.' }),
    timestamp: { ...Moment, description: 'Time of the event.' },
    at: { ...Moment, description: 'The same as `timestamp`, as the event log names it.' },
    provider: Nullable(
      Type.String({ description: 'Reference of the Provider. Null if the event concerns none.' }),
    ),
    actor: Type.Object({
      kind: Type.String({ description: 'key, console, consumer, service or agent.' }),
      name: Nullable(Type.String({ description: 'Prefix of the key, or uuid of the login.' })),
    }),
    data: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'Provider, actor, reference, and the records as they are when the event is sent.',
    }),
  },
  { title: 'WebhookEvent' },
)

const headers = {
  'webhook-id': 'Id of the event. The same for every attempt.',
  'webhook-timestamp': 'Time of sending, in seconds since 1970.',
  'webhook-signature':
    'Signatures separated by spaces: `v1,` with an HMAC-SHA256 and `v1a,` with an ed25519 signature, both in base64. Twice as many while the secret is being rotated.',
}

/** Requests that webhook receivers get, one entry per event kind. */
export function webhookSection(names: SchemaNames) {
  return Object.fromEntries(eventKinds.map(kind => [kind, { post: webhook(kind, names) }]))
}

function webhook(kind: (typeof eventKinds)[number], names: SchemaNames) {
  return {
    operationId: `on${kind.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['B8. Events'],
    summary: kind,
    description: eventMeanings[kind],
    security: [],
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: names.shown(WebhookEvent) } } },
    responses: {
      '2XX': {
        description: 'Accepted. On any other response, or none within 15 seconds, the event is sent again.',
      },
      410: { description: 'Gone: the webhook is turned off.' },
    },
  }
}
