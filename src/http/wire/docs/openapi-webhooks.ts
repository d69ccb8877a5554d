import Type from 'typebox'
import { eventMeanings } from '../../../rules/messages/event-meanings.ts'
import { eventKinds } from '../../../rules/messages/events.ts'
import { Choice, Moment } from '../fields.ts'
import type { SchemaNames } from './schema-names.ts'

const WebhookEvent = Type.Object(
  {
    type: Choice(eventKinds, { description: 'Kind of event.' }),
    timestamp: { ...Moment, description: 'Time of the event.' },
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
    '`v1,` and an HMAC-SHA256 in base64. Several, separated by spaces, while the secret is being rotated.',
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
