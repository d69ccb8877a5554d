import type { CrmCaller } from '../../callers.ts'
import { findAccount } from '../../db/setup/accounts.ts'
import { endStaffLogin } from '../../db/setup/console-users.ts'
import { endInvitationsOf } from '../../db/setup/invitations.ts'
import { markProductsDeleted } from '../../db/setup/products.ts'
import {
  deleteLogo,
  findProvider,
  insertProvider,
  lockProviderForDeletion,
  markProviderDeleted,
  type ProviderFields,
  type ProviderRow,
  usesOfProvider,
} from '../../db/setup/providers.ts'
import { attachStaff, detachAllStaff } from '../../db/setup/staff.ts'
import { endKeysOf } from '../../db/setup/staff-departure.ts'
import { lockUserForUse } from '../../db/setup/users.ts'
import { inUse, invalidField, noOwner, notFound, unknownBranch } from '../../errors.ts'
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

/** Refused while it has Resources or Customers. Its staff, Products and calendar feeds go with it. */
export async function deleteProvider(service: Service, { crm, actor }: CrmCaller, reference: string) {
  await service.db.transaction(async tx => {
    const found = await findProvider(tx, crm.id, reference)
    if (!found) throw notFound('Provider', reference)
    const { id } = found
    const check = async () => {
      const uses = await usesOfProvider(tx, id)
      if (uses.length > 0) throw inUse('Provider', uses)
    }
    // First without the lock, which would hold up bookings.
    await check()
    if (!(await lockProviderForDeletion(tx, id))) throw notFound('Provider', reference)
    await check()
    const staff = await detachAllStaff(tx, id)
    const keys: number[] = []
    for (const userId of staff) {
      await endStaffLogin(tx, userId)
      await endInvitationsOf(tx, userId)
      keys.push(...(await endKeysOf(tx, userId)))
    }
    const products = await markProductsDeleted(tx, id)
    await deleteLogo(tx, id)
    await markProviderDeleted(tx, id)
    const events = {
      'staff.removed': staff,
      'key.revoked': keys,
      'product.deleted': products,
      'provider.deleted': [id],
    }
    await recordEvents(tx, service, { actor, provider: { id, crmId: crm.id }, events })
  })
}
