import Type from 'typebox'
import * as actions from '../../actions/setup/webhooks.ts'
import { providersById } from '../../db/setup/providers.ts'
import { listWebhooks, type WebhookRow } from '../../db/webhooks.ts'
import { unseal } from '../../lib/seal.ts'
import { eventKinds } from '../../rules/messages/events.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { publicKeyOf } from '../../webhooks/sign.ts'
import { Choice, Moment, Optional, OptionalText, Reference, ruleText, Url, Uuid } from '../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../wire/if-match.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { readKinds } from './events.ts'

const crmRoute = crmRoutes('B8. Events')

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    ...ruleText('be an https address on the public internet, without a user name'),
  }),
  kinds: Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'Only these kinds of event. Null for all.',
    }),
  ),
  providers: Optional(
    Type.Array(Reference, {
      maxItems: 1000,
      description: 'Only events of these Providers, by reference. Null for all.',
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
        description:
          'paused: by the CRM; gone: the receiver answered 410; failing: every attempt has failed for five days.',
      }),
    ),
    disabledAt: Nullable(Moment),
    failingSince: Nullable(Moment),
    nextTryAt: Nullable({
      ...Moment,
      description: 'Time of the next attempt while the receiver accepts nothing or asked for a pause.',
    }),
    waitingEvents: Type.Integer({
      description:
        'Events that were not accepted and will be sent again, and later events about the same records. Others are not held up.',
    }),
    publicKey: Nullable(
      Type.String({
        description:
          'Checks signatures of version `v1a` (ed25519). Null for webhooks of earlier versions until their secret is rotated.',
      }),
    ),
    missedAt: Nullable({
      ...Moment,
      description:
        'Some events reached the age of EVENT_DAYS and were deleted before they could be delivered.',
    }),
    createdAt: Moment,
  },
  { title: 'Webhook' },
)

const Secret = Type.String({ description: 'Verifies signatures. Shown only once.' })
const WithSecret = Wrapped({ webhook: WebhookRecord, secret: Secret })
const WebhookReply = Wrapped({ webhook: WebhookRecord })

export const createWebhook = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks',
  operationId: 'createWebhook',
  summary: 'Create Webhook',
  description: 'Posts new events to this address, signed according to Standard Webhooks. Up to 50 per CRM.',
  body: Type.Object(fields, { title: 'WebhookInput' }),
  replies: { 201: WithSecret },
  async handle({ body, caller, service }) {
    const { webhook, secret } = await actions.createWebhook(service, caller, withKinds(body))
    return wrap({ webhook: await webhookView(service, webhook), secret })
  },
})

export const getWebhooks = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/webhooks',
  operationId: 'getWebhooks',
  summary: 'Get Webhooks',
  description: 'All webhooks of the CRM, oldest first.',
  replies: { 200: Wrapped({ webhooks: Type.Array(WebhookRecord) }) },
  async handle({ caller, service }) {
    const rows = await listWebhooks(service.db, caller.crm.id)
    return wrap({ webhooks: await Promise.all(rows.map(row => webhookView(service, row))) })
  },
})

export const getWebhook = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/webhooks/:webhookUuid',
  operationId: 'getWebhook',
  summary: 'Get Webhook',
  description:
    'A webhook and its delivery state. The ETag covers its settings; `PATCH` accepts it as If-Match.',
  replies: { 200: WebhookReply },
  async handle({ params, caller, service, reply }) {
    const webhook = await actions.webhookOf(service.db, caller.crm.id, params.webhookUuid)
    withEtag(reply, settingsOf(webhook))
    return wrap({ webhook: await webhookView(service, webhook) })
  },
})

export const updateWebhook = crmRoute({
  method: 'PATCH',
  path: '/crms/:crmId/webhooks/:webhookUuid',
  operationId: 'updateWebhook',
  summary: 'Update Webhook',
  description: 'Changes only the fields that are sent. Setting `enabled` resumes delivery where it stopped.',
  headers: IfMatch,
  body: Type.Partial(Type.Object({ ...fields, enabled: Type.Boolean() }), { title: 'WebhookChange' }),
  replies: { 200: WebhookReply },
  errors: ['changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const check = ifUnchanged(request, settingsOf)
    const webhook = await actions.changeWebhook(service, caller, params.webhookUuid, withKinds(body), check)
    withEtag(reply, settingsOf(webhook))
    return wrap({ webhook: await webhookView(service, webhook) })
  },
})

export const deleteWebhook = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/webhooks/:webhookUuid',
  operationId: 'deleteWebhook',
  summary: 'Delete Webhook',
  description: 'Stops delivery and deletes the delivery log.',
  replies: { 204: null },
  handle: ({ params, caller, service }) => actions.removeWebhook(service, caller, params.webhookUuid),
})

export const rotateWebhook = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/webhooks/:webhookUuid/rotate',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate Webhook Secret',
  description: 'Creates a new secret. For 24 hours, both secrets sign, so that the receiver can switch.',
  replies: { 200: WithSecret },
  async handle({ params, caller, service }) {
    const { webhook, secret } = await actions.rotateWebhook(service, caller, params.webhookUuid)
    return wrap({ webhook: await webhookView(service, webhook), secret })
  },
})

/** The settings only: delivery state is not a change. */
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

export async function webhookView(
  { db, signer }: Service,
  row: WebhookRow,
): Promise<Type.Static<typeof WebhookRecord>> {
  const providers = row.providerIds && (await providersById(db, row.providerIds))
  const signingKey = row.signingKey && unseal(signer.keys('webhooks'), row.signingKey)
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
    nextTryAt: row.failures > 0 || row.nextTryAt > row.now ? toUtcText(row.nextTryAt) : null,
    waitingEvents: row.retries.length,
    publicKey: signingKey ? publicKeyOf(signingKey) : null,
    missedAt: moment(row.missedAt),
    createdAt: toUtcText(row.createdAt),
  }
}

export { WebhookReply }
