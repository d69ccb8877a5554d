import type { CrmCaller } from '../../callers.ts'
import { findAccount } from '../../db/setup/accounts.ts'
import {
  findProvider,
  insertProvider,
  type ProviderFields,
  type ProviderRow,
} from '../../db/setup/providers.ts'
import { attachStaff } from '../../db/setup/staff.ts'
import { lockUserForUse } from '../../db/setup/users.ts'
import { invalidField, noOwner, notFound, unknownBranch } from '../../errors.ts'
import { branches, isBranch } from '../../rules/references.ts'
import { isTimeZone } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { claimSlug } from './claim-slug.ts'

type NewProvider = Omit<ProviderFields, 'branch'> & {
  branch?: string | null
  ownerReference: string
  accountReference: string
}

/**
 * The owner becomes the first Staff member. A known reference returns the existing Provider unchanged and
 * ignores all other fields.
 */
export async function createProvider(
  service: Service,
  { crm, actor }: CrmCaller,
  fields: NewProvider,
): Promise<{ provider: ProviderRow; created: boolean }> {
  const { db, config } = service
  return db.transaction(async tx => {
    const known = await findProvider(tx, crm.id, fields.reference)
    if (known) return { provider: known, created: false }
    if (fields.timeZone) checkTimeZone(fields.timeZone)
    if (fields.branch && !isBranch(fields.branch)) throw unknownBranch(fields.branch, branches)
    const owner = await lockUserForUse(tx, crm.id, fields.ownerReference)
    if (!owner) throw noOwner()
    const account = await findAccount(tx, crm.id, fields.accountReference)
    if (!account) throw notFound('Account', fields.accountReference, 'accountReference')

    const belongsTo = {
      crmId: crm.id,
      ownerId: owner.id,
      accountId: account.id,
      timeZone: fields.timeZone ?? config.timeZone,
      language: fields.language ?? crm.language ?? config.language,
    }
    const { slug, ...rest } = fields
    const id = await insertProvider(tx, belongsTo, rest)
    if (id !== null) {
      if (slug) await claimSlug(tx, { id, slug: null }, slug)
      await attachStaff(tx, id, owner.id)
      const events = { 'provider.created': [id], 'staff.added': [owner.id] }
      await recordEvents(tx, service, { actor, provider: { id, crmId: crm.id }, events })
    }
    return { provider: (await findProvider(tx, crm.id, fields.reference))!, created: id !== null }
  })
}

export function checkTimeZone(name: string) {
  if (!isTimeZone(name)) throw invalidField('timeZone', 'time-zone')
}
