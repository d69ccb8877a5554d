import Type from 'typebox'
import * as actions from '../../actions/setup/webhooks.ts'
import { providersById } from '../../db/setup/providers.ts'
import { listWebhooks, type WebhookRow } from '../../db/webhooks.ts'
import { eventKinds } from '../../rules/news/events.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { Choice, Moment, must, Optional, OptionalText, Reference, Url, Uuid } from '../wire/fields.ts'
import { answer, crmRoute, noContent } from '../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../wire/unchanged.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { readKinds } from './events.ts'

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    ...must('be an https address of the public internet, without a user name'),
  }),
  kinds: Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'Only these kinds of event; null: all.',
    }),
  ),
  providers: Optional(
    Type.Array(Reference, {
      maxItems: 1000,
      description: 'Only what concerns these Providers, by reference; null: all.',
    }),
  ),
  description: OptionalText(255),
}

const WebhookRecord = Type.Object(
  {
    uuid: Uuid,
    url: Url,
    kinds: Nullable(Type.Array(Choice(eventKinds))),
    providers: Nullable(Type.Array(Type.String())),
    description: Nullable(Type.String()),
    enabled: Type.Boolean(),
    disabledReason: Nullable(
      Choice(['paused', 'gone', 'failing'], {
        description: 'paused by the CRM; gone: it answered 410; failing: five days of nothing but failures.',
      }),
    ),
    disabledAt: Nullable(Moment),
    failingSince: Nullable(Moment),
    nextTryAt: Nullable({ ...Moment, description: 'While it fails: when it is tried again.' }),
    missedAt: Nullable({
      ...Moment,
      description: 'Events were deleted, being older than EVENT_DAYS, before they could be delivered.',
    }),
    createdAt: Moment,
  },
  { title: 'Webhook' },
)

const Secret = Type.String({ description: 'Checks signatures; shown this once.' })
const WithSecret = Wrapped({ webhook: WebhookRecord, secret: Secret })
const WebhookReply = Wrapped({ webhook: WebhookRecord })

export const createWebhook = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks',
  operationId: 'createWebhook',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Create Webhook',
  description:
    'From now on events are posted to this address, signed as Standard Webhooks describe it. 50 at the most.',
  body: Type.Object(fields, { title: 'WebhookInput' }),
  replies: { 201: WithSecret },
  async handle({ body, caller, service }) {
    const { webhook, secret } = await actions.createWebhook(service, caller, withKinds(body))
    return answer(201, wrap({ webhook: await shown(service, webhook), secret }))
  },
})

export const getWebhooks = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/webhooks',
  operationId: 'getWebhooks',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Get Webhooks',
  description: 'All of the CRM, oldest first.',
  replies: { 200: Wrapped({ webhooks: Type.Array(WebhookRecord) }) },
  async handle({ caller, service }) {
    const rows = await listWebhooks(service.db, caller.crm.id)
    return answer(200, wrap({ webhooks: await Promise.all(rows.map(row => shown(service, row))) }))
  },
})

export const getWebhook = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/webhooks/:webhookUuid',
  operationId: 'getWebhook',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Get Webhook',
  description:
    'One webhook, and how it is doing. With an ETag of its settings, which `PATCH` takes as If-Match.',
  replies: { 200: WebhookReply },
  errors: ['not-found'],
  async handle({ params, caller, service, reply }) {
    const webhook = await actions.webhookOf(service.db, caller.crm.id, params.webhookUuid)
    tagged(reply, settingsOf(webhook))
    return answer(200, wrap({ webhook: await shown(service, webhook) }))
  },
})

export const updateWebhook = crmRoute({
  method: 'PATCH',
  path: '/crms/:crmId/webhooks/:webhookUuid',
  operationId: 'updateWebhook',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Update Webhook',
  description:
    'Only the fields sent change. Switched on again (`enabled`), it goes on from where it stopped.',
  headers: IfMatch,
  body: Type.Partial(Type.Object({ ...fields, enabled: Type.Boolean() }), { title: 'WebhookChange' }),
  replies: { 200: WebhookReply },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const check = ifUnchanged(request, settingsOf)
    const webhook = await actions.changeWebhook(service, caller, params.webhookUuid, withKinds(body), check)
    tagged(reply, settingsOf(webhook))
    return answer(200, wrap({ webhook: await shown(service, webhook) }))
  },
})

export const deleteWebhook = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/webhooks/:webhookUuid',
  operationId: 'deleteWebhook',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Delete Webhook',
  description: 'Nothing more is posted to it; what was delivered is forgotten.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    await actions.removeWebhook(service, caller, params.webhookUuid)
    return noContent()
  },
})

export const rotateWebhook = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks/:webhookUuid/rotate',
  operationId: 'rotateWebhookSecret',
  tag: 'B8. Events',
  scope: 'events',
  summary: 'Rotate Webhook Secret',
  description: 'A new secret. For 24 hours both sign, so that the receiver can change over.',
  replies: { 200: WithSecret },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const { webhook, secret } = await actions.rotateWebhook(service, caller, params.webhookUuid)
    return answer(200, wrap({ webhook: await shown(service, webhook), secret }))
  },
})

/** What somebody sets. How deliveries go is no change of it. */
const settingsOf = ({ url, kinds, providerIds, description, offReason }: WebhookRow) => ({
  url,
  kinds,
  providerIds,
  description,
  enabled: offReason === null,
})

const withKinds = <T extends { kinds?: string[] | null }>(body: T) => ({
  ...body,
  kinds: body.kinds && readKinds(body.kinds),
})

export async function shown({ db }: Service, row: WebhookRow): Promise<Type.Static<typeof WebhookRecord>> {
  const providers = row.providerIds && (await providersById(db, row.providerIds))
  const moment = (at: number | null) => (at === null ? null : toUtcText(at))
  const { uuid, url, kinds, description, offReason } = row
  return {
    uuid,
    url,
    kinds: kinds && readKinds(kinds),
    providers: providers?.map(one => one.reference) ?? null,
    description,
    enabled: offReason === null,
    disabledReason: offReason,
    disabledAt: moment(row.offAt),
    failingSince: moment(row.failingSince),
    nextTryAt: row.failures > 0 ? toUtcText(row.nextTryAt) : null,
    missedAt: moment(row.missedAt),
    createdAt: toUtcText(row.createdAt),
  }
}

export { WebhookReply }
