import type { CrmCaller } from '../../callers.ts'
import { endKey, findKey, type KeyRow, type KeyScope, shortenKey } from '../../db/setup/keys.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { issueKey } from '../setup/keys.ts'

type Who = Pick<CrmCaller, 'crm' | 'actor'>
export type KeyFields = { label: string | null; scopes: KeyScope[]; expiresAt: Date | null }
export type Issued = { key: KeyRow; secret: string }

/** The key itself is told this once. */
export function makeKey(service: Service, { crm, actor }: Who, fields: KeyFields): Promise<Issued> {
  return service.db.transaction(async tx => {
    const { id, key: secret } = await issueKey(tx, crm.id, fields)
    await happened(tx, service, { actor, crmId: crm.id, news: { 'key.created': [id] } })
    return { key: (await findKey(tx, crm.id, id))!, secret }
  })
}

/** A new key that may do the same; the old one goes on for so many hours, so that nothing stands still. */
export function rotateKey(
  service: Service,
  { crm, actor }: Who,
  uuid: string,
  hours: number,
): Promise<Issued> {
  return service.db.transaction(async tx => {
    const known = isUuid(uuid) ? await shortenKey(tx, crm.id, uuid, hours) : null
    if (!known) throw notFound('API key', uuid)
    const { label, scopes } = known
    const { id, key: secret } = await issueKey(tx, crm.id, { label, scopes, expiresAt: null })
    await happened(tx, service, { actor, crmId: crm.id, news: { 'key.created': [id] } })
    return { key: (await findKey(tx, crm.id, id))!, secret }
  })
}

export async function revokeKey(service: Service, { crm, actor }: Who, uuid: string) {
  await service.db.transaction(async tx => {
    const id = isUuid(uuid) ? await endKey(tx, crm.id, uuid) : null
    if (id === null) throw notFound('API key', uuid)
    await happened(tx, service, { actor, crmId: crm.id, news: { 'key.revoked': [id] } })
  })
}
