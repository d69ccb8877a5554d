import Type from 'typebox'
import * as actions from '../../../actions/console/keys.ts'
import { type KeyRow, keyScopes, listKeys } from '../../../db/setup/keys.ts'
import { clockNow } from '../../../lib/clock.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { Choice, Moment, Optional, OptionalText, Reference, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { crmInPath } from '../subjects.ts'

const KeyRecord = Type.Object(
  {
    uuid: Uuid,
    prefix: Type.String({ description: 'Start of the key: hf_<prefix>_.' }),
    label: Nullable(Type.String()),
    userReference: Nullable(
      Type.String({ description: 'The staff member the key was created for. It ends when they leave.' }),
    ),
    scopes: Type.Array(Choice(keyScopes)),
    state: Choice(['valid', 'expired', 'revoked']),
    expiresAt: Nullable(Moment),
    lastUsedAt: Nullable({ ...Moment, description: 'Accurate to a minute.' }),
    createdAt: Moment,
  },
  { title: 'ApiKey' },
)

const Issued = Type.Object(
  { key: KeyRecord, secret: Type.String({ description: 'The key itself. Shown only once.' }) },
  { title: 'IssuedApiKey' },
)

export const getKeys = consoleRoute({
  method: 'GET',
  path: '/console/api/crms/:crmId/keys',
  operationId: 'listKeys',
  access: { right: 'crm', whose: crmInPath },
  summary: 'List API keys of a CRM',
  description: 'Returns prefixes, never the keys themselves. Oldest first.',
  replies: { 200: Type.Object({ keys: Type.Array(KeyRecord) }) },
  handle: async ({ service, found: crm }) => ({
    keys: (await listKeys(service.db, crm.name)).map(keyRecord),
  }),
})

export const postKey = consoleRoute({
  method: 'POST',
  path: '/console/api/crms/:crmId/keys',
  operationId: 'createKey',
  access: { right: 'crm', whose: crmInPath },
  summary: 'Create an API key',
  description: 'Only this response contains the key itself.',
  body: Type.Object(
    {
      label: OptionalText(100),
      userReference: Optional(Reference),
      scopes: Optional(
        Type.Array(Choice(keyScopes), { minItems: 1, maxItems: 10, description: 'Null for all scopes.' }),
      ),
      days: Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3650,
          description: 'Number of days until the key expires. Null for no expiry.',
        }),
      ),
    },
    { title: 'ApiKeyInput' },
  ),
  replies: { 201: Issued },
  async handle({ body, caller, service, found: crm }) {
    const scopes = [...new Set(body.scopes ?? keyScopes)]
    const expiresAt = body.days ? new Date(clockNow() + body.days * 86_400_000) : null
    const fields = {
      label: body.label ?? null,
      scopes,
      expiresAt,
      userReference: body.userReference ?? null,
    }
    const { key, secret } = await actions.makeKey(service, { crm, actor: caller.actor }, fields)
    return { key: keyRecord(key), secret }
  },
})

export const rotateKey = consoleRoute({
  method: 'POST',
  path: '/console/api/crms/:crmId/keys/:keyUuid/rotate',
  operationId: 'rotateKey',
  access: { right: 'crm', whose: crmInPath },
  summary: 'Replace an API key',
  description:
    'Creates a key with the same scopes. The old key keeps working for `hours` (default 24), so that systems can switch one by one.',
  body: Type.Object(
    { hours: Optional(Type.Integer({ minimum: 0, maximum: 720 })) },
    { title: 'ApiKeyRotation' },
  ),
  replies: { 201: Issued },
  async handle({ params, body, caller, service, found: crm }) {
    const who = { crm, actor: caller.actor }
    const { key, secret } = await actions.rotateKey(service, who, params.keyUuid, body.hours ?? 24)
    return { key: keyRecord(key), secret }
  },
})

export const deleteKey = consoleRoute({
  method: 'DELETE',
  path: '/console/api/crms/:crmId/keys/:keyUuid',
  operationId: 'revokeKey',
  access: { right: 'crm', whose: crmInPath },
  summary: 'Revoke an API key',
  description: 'All instances refuse the key within 5 seconds. It stays in the list.',
  replies: { 204: null },
  handle: ({ params, caller, service, found: crm }) =>
    actions.revokeKey(service, { crm, actor: caller.actor }, params.keyUuid),
})

function keyRecord(row: KeyRow): Type.Static<typeof KeyRecord> {
  const moment = (at: number | null) => (at === null ? null : toUtcText(at))
  const isOver = row.expiresAt !== null && row.expiresAt <= clockNow()
  return {
    uuid: row.uuid,
    prefix: row.prefix,
    label: row.label,
    userReference: row.userReference,
    scopes: row.scopes,
    state: row.revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'valid',
    expiresAt: moment(row.expiresAt),
    lastUsedAt: moment(row.lastUsedAt),
    createdAt: toUtcText(row.createdAt),
  }
}
