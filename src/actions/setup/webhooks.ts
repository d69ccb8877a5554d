import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { type DeliveryRow, insertDeliveries } from '../../db/deliveries.ts'
import { type LogPosition, lastEvent } from '../../db/events.ts'
import { loginsToNotify } from '../../db/setup/console-users.ts'
import { findProvider } from '../../db/setup/providers.ts'
import { switchOff } from '../../db/webhook-queue.ts'
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
import { webhookEmail } from '../../messages/compose.ts'
import { type EventKind, serviceActor } from '../../rules/messages/events.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { oldestCursor } from '../../webhooks/cursor.ts'
import { sendEvent } from '../../webhooks/deliver.ts'
import { addressProblem } from '../../webhooks/guard.ts'
import type { EventWithData } from '../../webhooks/log.ts'
import type { Sent } from '../../webhooks/send.ts'
import { newSecret, newSigningKey } from '../../webhooks/sign.ts'
import { recordEvents } from '../record-events.ts'

type WebhookFields = {
  url: string
  kinds?: EventKind[] | null
  providers?: string[] | null
  description?: string | null
}

const maxWebhooks = 50
const oldSecretHours = 24

/** Receives events from now on. The secret is shown once. */
export async function createWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  fields: WebhookFields,
): Promise<{ webhook: WebhookRow; secret: string }> {
  const url = checkedAddress(service, fields.url)
  const secret = newSecret()
  return service.db.transaction(async tx => {
    await lockWebhooksOf(tx, crm.id)
    if ((await listWebhooks(tx, crm.id)).length >= maxWebhooks)
      throw invalidField('url', 'max-count:webhooks', { limit: maxWebhooks })
    const after = (await lastEvent(tx, crm.id)) ?? (await oldestCursor(tx, crm.id))
    const values = {
      url,
      kinds: fields.kinds ?? null,
      providerIds: await providerIds(tx, crm.id, fields.providers ?? null),
      description: fields.description ?? null,
      secret: sealed(service, secret),
      signingKey: sealed(service, newSigningKey()),
    }
    const webhook = await insertWebhook(tx, crm.id, values, after)
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'webhook.created': [webhook.id] } })
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

/** Changes only the fields sent. When enabled again, it continues where it stopped. */
export async function changeWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
  fields: Partial<WebhookFields> & { enabled?: boolean },
  check: (current: WebhookRow) => void = () => {},
): Promise<WebhookRow> {
  const url = fields.url === undefined ? undefined : checkedAddress(service, fields.url)
  return service.db.transaction(async tx => {
    await lockWebhooksOf(tx, crm.id)
    const known = await webhookOf(tx, crm.id, uuid)
    check(known)
    const { enabled = known.offReason === null, kinds, providers, description } = fields
    const changed = await updateWebhook(tx, known.id, {
      url: url ?? known.url,
      kinds: kinds === undefined ? known.kinds : kinds,
      providerIds: providers === undefined ? known.providerIds : await providerIds(tx, crm.id, providers),
      description: description === undefined ? known.description : description,
      offReason: enabled ? null : (known.offReason ?? 'paused'),
    })
    // Retried at once all the same.
    if (isDeepStrictEqual(settingsOf(changed), settingsOf(known))) return changed
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'webhook.changed': [known.id] } })
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
    const events = { 'webhook.removed': [{ subject: id, detail: uuid.toLowerCase() }] }
    await recordEvents(tx, service, { actor, crmId: crm.id, events })
  })
}

/** For a day both secrets sign, so that the receiver can switch over. */
export async function rotateWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
): Promise<{ webhook: WebhookRow; secret: string }> {
  const secret = newSecret()
  return service.db.transaction(async tx => {
    const { id } = await webhookOf(tx, crm.id, uuid)
    const webhook = await rotateSecret(
      tx,
      id,
      { secret: sealed(service, secret), signingKey: sealed(service, newSigningKey()) },
      oldSecretHours,
    )
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'webhook.changed': [id] } })
    return { webhook, secret }
  })
}

/** Sends every event after this position again. */
export async function replayWebhook(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  uuid: string,
  after: LogPosition,
): Promise<WebhookRow> {
  return service.db.transaction(async tx => {
    const { id } = await webhookOf(tx, crm.id, uuid)
    await moveWebhook(tx, id, after)
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'webhook.changed': [id] } })
    return webhookOf(tx, crm.id, uuid)
  })
}

/** The receiver has answered 410, or has failed for days. Notifies the people who can fix it. */
export async function disableWebhook(service: Service, webhook: WebhookRow, reason: 'gone' | 'failing') {
  await service.db.transaction(async tx => {
    const { id, crmId, url } = webhook
    if (!(await switchOff(tx, id, reason))) return
    const readers = await loginsToNotify(tx, crmId)
    const emails = readers.map(one => webhookEmail(crmId, one, { crm: one.crm, url, reason }))
    await recordEvents(tx, service, {
      actor: serviceActor,
      crmId,
      events: { 'webhook.disabled': [id] },
      extraEmails: emails,
    })
  })
}

export async function webhookOf(db: Queryable, crmId: number, uuid: string): Promise<WebhookRow> {
  const webhook = isUuid(uuid) ? await findWebhook(db, crmId, uuid) : null
  if (!webhook) throw notFound('webhook', uuid)
  return webhook
}

/** Stored in the form that is called: `https://EXAMPLE.org:443/a/../b` becomes `https://example.org/b`. */
function checkedAddress({ config }: Service, url: string): string {
  const wrong = addressProblem(url, config.webhookAllowPrivate)
  if (wrong) throw invalidField('url', wrong)
  return new URL(url).href
}

async function providerIds(tx: Queryable, crmId: number, references: string[] | null) {
  if (references === null) return null
  const ids: number[] = []
  for (const [index, reference] of references.entries()) {
    const provider = await findProvider(tx, crmId, reference)
    if (!provider) throw invalidField(`providers[${index}]`, 'known-name:provider', { name: reference })
    ids.push(provider.id)
  }
  return ids
}

const sealed = ({ signer }: Service, secret: string) => seal(signer.key('webhooks'), secret)

/** An event that was sent immediately, outside the queue order. */
type SentNow = { webhook: WebhookRow; event: EventWithData; place: LogPosition | null; sent: Sent }

export async function sendNow(
  service: Service,
  webhook: WebhookRow,
  event: EventWithData,
  place: LogPosition | null,
): Promise<SentNow> {
  return { webhook, event, place, sent: await sendEvent(service, webhook, event) }
}

/** Records the outcome. */
export async function recordTestDelivery(
  { db }: Service,
  { webhook, event, place, sent }: SentNow,
): Promise<DeliveryRow> {
  const note = { place, eventUuid: event.id, kind: event.kind, ...sent }
  const [delivery] = await db.transaction(tx => insertDeliveries(tx, webhook, [note]))
  return delivery!
}
