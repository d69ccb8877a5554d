import { type Actor, recordAudit } from '../db/audit.ts'
import type { ProviderRow } from '../db/providers.ts'
import { lockResource, markResourceDeleted } from '../db/resources.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

export async function deleteResource(
  { db }: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
) {
  await db.transaction(async tx => {
    const resource = await lockResource(tx, provider.id, reference)
    if (!resource) throw notFound('Resource', reference)
    await markResourceDeleted(tx, resource.id)
    await recordAudit(tx, {
      actor,
      crmId: provider.crm_id,
      providerId: provider.id,
      action: 'resource.delete',
      reference,
    })
  })
}
