import type { CrmCaller } from '../../callers.ts'
import { endKey, expireKeySoon, findKey, type KeyRow, type KeyScope } from '../../db/setup/keys.ts'
import { findUser } from '../../db/setup/users.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { issueKey } from '../setup/keys.ts'

type Who = Pick<CrmCaller, 'crm' | 'actor'>
type KeyFields = {
  label: string | null
  scopes: KeyScope[]
  expiresAt: Date | null
  /** A member of staff; the key ends when they leave. */
  userReference: string | null
}
type Issued = { key: KeyRow; secret: string }

/** The key is shown once. */
export function makeKey(service: Service, { crm, actor }: Who, fields: KeyFields): Promise<Issued> {
  return service.db.transaction(async tx => {
    const { userReference, ...rest } = fields
    const user = userReference === null ? null : await findUser(tx, crm.id, userReference)
    if (userReference !== null && !user) throw notFound('User', userReference, 'userReference')
    const { id, key: secret } = await issueKey(tx, crm.id, { ...rest, userId: user?.id ?? null })
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'key.created': [id] } })
    return { key: (await findKey(tx, crm.id, id))!, secret }
  })
}

/**
 * Creates a key with the same permissions; the old one works for a few more hours, so that nothing is
 * interrupted.
 */
export function rotateKey(
  service: Service,
  { crm, actor }: Who,
  uuid: string,
  hours: number,
): Promise<Issued> {
  return service.db.transaction(async tx => {
    const known = isUuid(uuid) ? await expireKeySoon(tx, crm.id, uuid, hours) : null
    if (!known) throw notFound('API key', uuid)
    const { id, key: secret } = await issueKey(tx, crm.id, { ...known, expiresAt: null })
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'key.created': [id] } })
    return { key: (await findKey(tx, crm.id, id))!, secret }
  })
}

export async function revokeKey(service: Service, { crm, actor }: Who, uuid: string) {
  await service.db.transaction(async tx => {
    const id = isUuid(uuid) ? await endKey(tx, crm.id, uuid) : null
    if (id === null) throw notFound('API key', uuid)
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'key.revoked': [id] } })
  })
}
