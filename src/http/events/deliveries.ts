import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import {
  recordTestDelivery,
  replayWebhook as replay,
  sendNow,
  webhookOf,
} from '../../actions/setup/webhooks.ts'
import { type DeliveryRow, findDelivery, listDeliveries } from '../../db/deliveries.ts'
import { findEvent } from '../../db/events.ts'
import { invalidField, notFound } from '../../errors.ts'
import { readInstant } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { oldestCursor, placeSince, readCursor, refuseIfMissed } from '../../webhooks/cursor.ts'
import { Moment, Uuid } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { WebhookReply, webhookView } from './webhooks.ts'
import { named, withData } from './with-data.ts'

const crmRoute = crmRoutes('B8. Events')

const DeliveryRecord = Type.Object(
  {
    id: Type.String(),
    event: { ...Uuid, description: 'Id of the event, sent as `webhook-id`.' },
    kind: Type.String(),
    at: Moment,
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer({ description: 'Response status. Null if there was no response.' })),
    ms: Type.Integer({ description: 'Duration of the attempt.' }),
    error: Nullable(Type.String()),
    answer: Nullable(Type.String({ description: 'First 1,000 characters of the response.' })),
  },
  { title: 'WebhookDelivery' },
)

const DeliveryReply = Wrapped({ delivery: DeliveryRecord })

export const testWebhook = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks/:webhookUuid/test',
  operationId: 'testWebhook',
  summary: 'Test Webhook',
  description: 'Posts a `test` event immediately and returns the result.',
  replies: { 200: DeliveryReply },
  async prepare({ params, caller, service }) {
    const webhook = await webhookOf(service.db, caller.crm.id, params.webhookUuid)
    const { actor } = caller
    const event = {
      id: randomUUID(),
      sequence: 0,
      ...named('test', webhook.now),
      provider: null,
      actor,
      data: {},
    }
    return sendNow(service, webhook, event, null)
  },
  handle: async ({ service, prepared }) =>
    wrap({ delivery: deliveryRecord(await recordTestDelivery(service, prepared)) }),
})

export const getDeliveries = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/webhooks/:webhookUuid/deliveries',
  operationId: 'getWebhookDeliveries',
  summary: 'Get Webhook Deliveries',
  description:
    'Every attempt of the last 30 days, newest first. For the next page, send the last id as `before`.',
  query: {
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only deliveries older than this id.' })),
    limit: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'Maximum number of deliveries.',
    }),
  },
  replies: { 200: Wrapped({ deliveries: Type.Array(DeliveryRecord) }) },
  async handle({ params, query, caller, service }) {
    const { id } = await webhookOf(service.db, caller.crm.id, params.webhookUuid)
    const rows = await listDeliveries(service.db, id, { before: query.before ?? null, limit: query.limit })
    return wrap({ deliveries: rows.map(deliveryRecord) })
  },
})

export const resendDelivery = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks/:webhookUuid/deliveries/:deliveryId/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Resend Webhook Delivery',
  description: 'Posts the event again immediately, with the same `webhook-id`, and returns the result.',
  replies: { 200: DeliveryReply },
  async prepare({ params, caller, service }) {
    const { crm } = caller
    const webhook = await webhookOf(service.db, crm.id, params.webhookUuid)
    const known = /^\d{1,15}$/.test(params.deliveryId)
      ? await findDelivery(service.db, webhook.id, Number(params.deliveryId))
      : null
    const place = known && placeOf(known)
    const event = place && (await findEvent(service.db, crm.id, place))
    if (!event || event.uuid !== known?.eventUuid) throw notFound('delivery of an event', params.deliveryId)
    const [withRecords] = await withData(service, [event])
    return sendNow(service, webhook, withRecords!, place)
  },
  handle: async ({ service, prepared }) =>
    wrap({ delivery: deliveryRecord(await recordTestDelivery(service, prepared)) }),
})

const Replay = Type.Object(
  {
    after: Type.Optional(
      Nullable(Type.String({ maxLength: 500, description: 'A `next` cursor of the event log.' })),
    ),
    since: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 64,
          description:
            'ISO 8601 date-time such as 2027-03-04T08:00:00Z; without an offset, UTC. Events from up to a minute earlier may be included.',
        }),
      ),
    ),
  },
  { title: 'WebhookReplay' },
)

export const replayWebhook = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks/:webhookUuid/replay',
  operationId: 'replayWebhook',
  summary: 'Replay Webhook',
  description:
    'Delivers again all events after a cursor of the event log, or since a time. Without either, delivers all events that are kept.',
  body: Replay,
  replies: { 200: WebhookReply },
  errors: ['cursor-expired'],
  async handle({ params, body, caller, service }) {
    const { crm } = caller
    const after = await replayStart(service, crm.id, body)
    await refuseIfMissed(service.db, crm.id, after)
    const webhook = await replay(service, caller, params.webhookUuid, after)
    return wrap({ webhook: await webhookView(service, webhook) })
  },
})

function replayStart({ db, signer }: Service, crmId: number, { after, since }: Type.Static<typeof Replay>) {
  if (after && since) throw invalidField('since', 'not-both:since')
  if (after) return readCursor(signer, crmId, after)
  return since ? placeSince(db, crmId, readInstant(since, 'UTC', 'since')) : oldestCursor(db, crmId)
}

const placeOf = ({ era, xid, eventId }: DeliveryRow) =>
  era === null || xid === null || eventId === null ? null : { era, xid, id: eventId }

function deliveryRecord(row: DeliveryRow): Type.Static<typeof DeliveryRecord> {
  const { status } = row
  return {
    id: String(row.id),
    event: row.eventUuid,
    kind: row.kind,
    at: toUtcText(row.at),
    delivered: status !== null && status >= 200 && status < 300,
    status,
    ms: row.ms,
    error: row.error,
    answer: row.answer,
  }
}
