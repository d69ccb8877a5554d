import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/base/pool.ts'
import { ensureCrm, findCrm } from '../../db/setup/crms.ts'
import { crmOfKey, insertKey, type KeyScope, keyScopes, revokeKey as revoke } from '../../db/setup/keys.ts'
import { notFound } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { StartError } from '../../lib/start-error.ts'
import { commandLineActor, serviceActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

type NewKey = {
  crm: string
  label?: string | null
  scopes?: KeyScope[]
  expiresAt?: Date | null
  prefix?: string
}

/** The key is shown once and never stored: only its hash is. */
export async function createKey(
  service: Service,
  { crm, label, scopes, expiresAt, prefix }: NewKey,
): Promise<string> {
  const owner = await findCrm(service.db, crm)
  if (!owner) throw notFound('CRM', crm)
  const fields = { label: label ?? null, scopes: scopes ?? keyScopes, expiresAt: expiresAt ?? null }
  return service.db.transaction(async tx => {
    const { id, key } = await issueKey(tx, owner.id, fields, prefix)
    await recordEvents(tx, service, {
      actor: commandLineActor,
      crmId: owner.id,
      events: { 'key.created': [id] },
    })
    return key
  })
}

type KeyFields = {
  label: string | null
  scopes: KeyScope[]
  expiresAt: Date | null
  userId?: number | null
}

export async function issueKey(
  db: Queryable,
  crmId: number,
  fields: KeyFields,
  prefix = randomBytes(4).toString('hex'),
): Promise<{ id: number; key: string }> {
  const key = `hf_${prefix}_${randomBytes(24).toString('hex')}`
  const id = await insertKey(db, { crmId, prefix, hash: sha256(key), ...fields })
  return { id: id!, key }
}

/** For operators. Returns how many keys match; revokes only an unambiguous match. */
export function revokeKey(service: Service, uuidOrPrefix: string): Promise<number> {
  return service.db.transaction(async tx => {
    const revoked = await revoke(tx, uuidOrPrefix)
    const [key] = revoked
    if (key && revoked.length === 1)
      await recordEvents(tx, service, {
        actor: commandLineActor,
        crmId: key.crmId,
        events: { 'key.revoked': [key.id] },
      })
    return revoked.length
  })
}

/** For unattended setups: ensures that this CRM and this key exist, however often the service starts. */
export async function ensureKey(service: Service, crmName: string, key: string | null) {
  const { db } = service
  const { id: crmId } = await ensureCrm(db, crmName)
  if (!key) return
  const hash = sha256(key)
  const [_first, prefix = ''] = key.split('_')
  await db.transaction(async tx => {
    const id = await insertKey(tx, {
      crmId,
      prefix,
      hash,
      label: 'bootstrap',
      scopes: keyScopes,
      expiresAt: null,
    })
    if (id !== null)
      await recordEvents(tx, service, { actor: serviceActor, crmId, events: { 'key.created': [id] } })
  })
  const owner = await crmOfKey(db, hash)
  if (owner !== crmName)
    throw new StartError(
      `BOOTSTRAP_API_KEY belongs to the CRM ${owner} already. Use another key for ${crmName}.`,
    )
}
