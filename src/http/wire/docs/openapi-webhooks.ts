import Type from 'typebox'
import { eventMeanings } from '../../../rules/news/event-meanings.ts'
import { eventKinds } from '../../../rules/news/events.ts'
import { Choice, Moment } from '../fields.ts'
import type { SchemaNames } from './schema-names.ts'

const WebhookEvent = Type.Object(
  {
    type: Choice(eventKinds, { description: 'What happened.' }),
    timestamp: { ...Moment, description: 'When it happened.' },
    data: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'Provider, actor, reference, and the records as they are when the event is sent.',
    }),
  },
  { title: 'WebhookEvent' },
)

const headers = {
  'webhook-id': 'Id of the event: the same however often it is sent.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and an HMAC-SHA256 in base64; several, separated by blanks, while secrets change.',
}

/** What receivers of webhooks are sent, one entry for each kind of event. */
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
      '2XX': { description: 'Taken. Anything else, or nothing within 15 seconds: it is sent again.' },
      410: { description: 'No longer wanted: the webhook is switched off.' },
    },
  }
}
