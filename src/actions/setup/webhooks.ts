import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { type DeliveryRow, insertDeliveries } from '../../db/deliveries.ts'
import { lastEvent, type Place } from '../../db/events.ts'
import { loginsToTell } from '../../db/setup/console-users.ts'
import { findProvider } from '../../db/setup/providers.ts'
import { switchOff } from '../../db/webhook-work.ts'
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhooksOf,
  moveWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookRow,
} from '../../db/webhooks.ts'
import { invalidField, notFound } from '../../errors.ts'
import { seal } from '../../lib/seal.ts'
import { webhookLetter } from '../../mail/letters.ts'
import { type EventKind, theService } from '../../rules/news/events.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { oldest } from '../../webhooks/cursor.ts'
import { sendEvent } from '../../webhooks/deliver.ts'
import { whyNotAllowed } from '../../webhooks/guard.ts'
import type { ToldEvent } from '../../webhooks/log.ts'
import { newSecret } from '../../webhooks/sign.ts'
import { happened } from '../happened.ts'

export type WebhookFields = {
  url: string
  kinds?: EventKind[] | null
  providers?: string[] | null
  description?: string | null
}

const mostWebhooks = 50
const oldSecretHours = 24

/** It gets what happens from now on. The secret is told this once. */
export async function createWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  fields: WebhookFields,
): Promise<{ webhook: WebhookRow; secret: string }> {
  checkAddress(service, fields.url)
  const secret = newSecret()
  return service.db.transaction(async tx => {
    await lockWebhooksOf(tx, crm.id)
    if ((await listWebhooks(tx, crm.id)).length >= mostWebhooks)
      throw invalidField('url', `A CRM may have ${mostWebhooks} webhooks at the most. Remove one first.`)
    const after = (await lastEvent(tx, crm.id)) ?? (await oldest(tx, crm.id))
    const values = {
      url: fields.url,
      kinds: fields.kinds ?? null,
      providerIds: await providerIds(tx, crm.id, fields.providers ?? null),
      description: fields.description ?? null,
      secret: sealed(service, secret),
    }
    const webhook = await insertWebhook(tx, crm.id, values, after)
    await happened(tx, service, { actor, crmId: crm.id, news: { 'webhook.created': [webhook.id] } })
    return { webhook, secret }
  })
}

const settingsOf = ({ url, kinds, providerIds, description, offReason }: WebhookRow) => ({
  url,
  kinds,
  providerIds,
  description,
  offReason,
})

/** Only the fields sent change. Switched on again it goes on from where it stopped. */
export async function changeWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
  fields: Partial<WebhookFields> & { enabled?: boolean },
  check: (current: WebhookRow) => void = () => {},
): Promise<WebhookRow> {
  if (fields.url !== undefined) checkAddress(service, fields.url)
  return service.db.transaction(async tx => {
    await lockWebhooksOf(tx, crm.id)
    const known = await webhookOf(tx, crm.id, uuid)
    check(known)
    const { enabled = known.offReason === null, kinds, providers, description } = fields
    const changed = await updateWebhook(tx, known.id, {
      url: fields.url ?? known.url,
      kinds: kinds === undefined ? known.kinds : kinds,
      providerIds: providers === undefined ? known.providerIds : await providerIds(tx, crm.id, providers),
      description: description === undefined ? known.description : description,
      offReason: enabled ? null : (known.offReason ?? 'paused'),
    })
    // It is tried again at once all the same.
    if (isDeepStrictEqual(settingsOf(changed), settingsOf(known))) return changed
    await happened(tx, service, { actor, crmId: crm.id, news: { 'webhook.changed': [known.id] } })
    return changed
  })
}

export async function removeWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
) {
  await service.db.transaction(async tx => {
    const { id } = await webhookOf(tx, crm.id, uuid)
    await deleteWebhook(tx, id)
    const news = { 'webhook.removed': [{ subject: id, detail: uuid.toLowerCase() }] }
    await happened(tx, service, { actor, crmId: crm.id, news })
  })
}

/** The old secret signs beside the new one for a day, so that the receiver can change over. */
export async function rotateWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
): Promise<{ webhook: WebhookRow; secret: string }> {
  const secret = newSecret()
  return service.db.transaction(async tx => {
    const { id } = await webhookOf(tx, crm.id, uuid)
    const webhook = await rotateSecret(tx, id, sealed(service, secret), oldSecretHours)
    await happened(tx, service, { actor, crmId: crm.id, news: { 'webhook.changed': [id] } })
    return { webhook, secret }
  })
}

/** Sends everything behind this place once more. */
export async function replayWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
  after: Place,
): Promise<WebhookRow> {
  return service.db.transaction(async tx => {
    const { id } = await webhookOf(tx, crm.id, uuid)
    await moveWebhook(tx, id, after)
    await happened(tx, service, { actor, crmId: crm.id, news: { 'webhook.changed': [id] } })
    return webhookOf(tx, crm.id, uuid)
  })
}

/** The receiver does not want it, or has not answered for days. Those who can do something about it are told. */
export async function disableWebhook(service: Service, webhook: WebhookRow, reason: 'gone' | 'failing') {
  await service.db.transaction(async tx => {
    const { id, crmId, url } = webhook
    if (!(await switchOff(tx, id, reason))) return
    const readers = await loginsToTell(tx, crmId)
    const letters = readers.map(one => webhookLetter(crmId, one, { crm: one.crm, url, reason }))
    await happened(tx, service, { actor: theService, crmId, news: { 'webhook.disabled': [id] }, letters })
  })
}

export async function webhookOf(db: Queryable, crmId: number, uuid: string): Promise<WebhookRow> {
  const webhook = isUuid(uuid) ? await findWebhook(db, crmId, uuid) : null
  if (!webhook) throw notFound('webhook', uuid)
  return webhook
}

function checkAddress({ config }: Service, url: string) {
  const wrong = whyNotAllowed(url, config.webhookAllowPrivate)
  if (wrong) throw invalidField('url', `url ${wrong}.`)
}

async function providerIds(tx: Queryable, crmId: number, references: string[] | null) {
  if (references === null) return null
  const ids: number[] = []
  for (const [index, reference] of references.entries()) {
    const provider = await findProvider(tx, crmId, reference)
    if (!provider)
      throw invalidField(`providers[${index}]`, `There is no Provider "${reference}". Name its reference.`)
    ids.push(provider.id)
  }
  return ids
}

const sealed = ({ signer }: Service, secret: string) => seal(signer.key('webhooks'), secret)

/** Sends one event at once, outside the order, and notes how that went. */
export async function deliverNow(
  service: Service,
  webhook: WebhookRow,
  event: ToldEvent,
  place: Place | null,
): Promise<DeliveryRow> {
  const sent = await sendEvent(service, webhook, event)
  const note = { place, eventUuid: event.id, kind: event.kind, ...sent }
  const [delivery] = await service.db.transaction(tx => insertDeliveries(tx, webhook, [note]))
  return delivery!
}
