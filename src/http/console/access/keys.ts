import Type from 'typebox'
import * as actions from '../../../actions/console/keys.ts'
import { type KeyRow, keyScopes, listKeys } from '../../../db/setup/keys.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { Choice, Moment, Optional, OptionalText, Uuid } from '../../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { crmOf } from '../crm.ts'

const KeyRecord = Type.Object(
  {
    uuid: Uuid,
    prefix: Type.String({ description: 'How the key begins: hf_<prefix>_.' }),
    label: Nullable(Type.String()),
    scopes: Type.Array(Choice(keyScopes)),
    state: Choice(['valid', 'expired', 'revoked']),
    expiresAt: Nullable(Moment),
    lastUsedAt: Nullable({ ...Moment, description: 'Within a minute.' }),
    createdAt: Moment,
  },
  { title: 'ApiKey' },
)

const Issued = Type.Object(
  { key: KeyRecord, secret: Type.String({ description: 'The key itself; shown this once.' }) },
  { title: 'IssuedApiKey' },
)

const about = { tag: 'Console' } as const

export const getKeys = consoleRoute({
  ...about,
  errors: ['not-found'],
  method: 'GET',
  path: '/console/api/crms/:crmId/keys',
  operationId: 'listKeys',
  summary: 'API keys of a CRM',
  description: 'Their beginnings, never the keys themselves. Oldest first.',
  replies: { 200: Type.Object({ keys: Type.Array(KeyRecord) }) },
  async handle({ params, caller, service }) {
    const crm = await crmOf(service, caller, params.crmId)
    return answer(200, { keys: (await listKeys(service.db, crm.name)).map(keyRecord) })
  },
})

export const postKey = consoleRoute({
  ...about,
  errors: ['not-found'],
  method: 'POST',
  path: '/console/api/crms/:crmId/keys',
  operationId: 'createKey',
  summary: 'Make an API key',
  description: 'The key itself is in this answer and nowhere else.',
  body: Type.Object(
    {
      label: OptionalText(100),
      scopes: Optional(
        Type.Array(Choice(keyScopes), { minItems: 1, maxItems: 10, description: 'Null: all of them.' }),
      ),
      days: Optional(
        Type.Integer({ minimum: 1, maximum: 3650, description: 'Ends after so many days; null: never.' }),
      ),
    },
    { title: 'ApiKeyInput' },
  ),
  replies: { 201: Issued },
  async handle({ params, body, caller, service }) {
    const crm = await crmOf(service, caller, params.crmId)
    const scopes = [...new Set(body.scopes ?? keyScopes)]
    const expiresAt = body.days ? new Date(Date.now() + body.days * 86_400_000) : null
    const fields = { label: body.label ?? null, scopes, expiresAt }
    const { key, secret } = await actions.makeKey(service, { crm, actor: caller.actor }, fields)
    return answer(201, { key: keyRecord(key), secret })
  },
})

export const rotateKey = consoleRoute({
  ...about,
  errors: ['not-found'],
  method: 'POST',
  path: '/console/api/crms/:crmId/keys/:keyUuid/rotate',
  operationId: 'rotateKey',
  summary: 'Replace an API key',
  description:
    'A new key that may do the same. The old one goes on for `hours` (24), so that systems can change over one by one.',
  body: Type.Object(
    { hours: Optional(Type.Integer({ minimum: 0, maximum: 720 })) },
    { title: 'ApiKeyRotation' },
  ),
  replies: { 201: Issued },
  async handle({ params, body, caller, service }) {
    const crm = await crmOf(service, caller, params.crmId)
    const who = { crm, actor: caller.actor }
    const { key, secret } = await actions.rotateKey(service, who, params.keyUuid, body.hours ?? 24)
    return answer(201, { key: keyRecord(key), secret })
  },
})

export const deleteKey = consoleRoute({
  ...about,
  errors: ['not-found'],
  method: 'DELETE',
  path: '/console/api/crms/:crmId/keys/:keyUuid',
  operationId: 'revokeKey',
  summary: 'Revoke an API key',
  description: 'Every instance refuses it within 5 seconds. It stays in the list.',
  replies: { 204: null },
  async handle({ params, caller, service }) {
    const crm = await crmOf(service, caller, params.crmId)
    await actions.revokeKey(service, { crm, actor: caller.actor }, params.keyUuid)
    return noContent()
  },
})

function keyRecord(row: KeyRow): Type.Static<typeof KeyRecord> {
  const moment = (at: number | null) => (at === null ? null : toUtcText(at))
  const isOver = row.expiresAt !== null && row.expiresAt <= Date.now()
  return {
    uuid: row.uuid,
    prefix: row.prefix,
    label: row.label,
    scopes: row.scopes,
    state: row.revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'valid',
    expiresAt: moment(row.expiresAt),
    lastUsedAt: moment(row.lastUsedAt),
    createdAt: toUtcText(row.createdAt),
  }
}
