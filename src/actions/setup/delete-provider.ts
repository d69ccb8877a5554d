import type { CrmCaller } from '../../callers.ts'
import { endStaffLogin } from '../../db/setup/console-users.ts'
import { endInvitationsOf } from '../../db/setup/invitations.ts'
import { markProductsDeleted } from '../../db/setup/products.ts'
import {
  deleteLogo,
  findProvider,
  lockProviderForDeletion,
  markProviderDeleted,
  usesOfProvider,
} from '../../db/setup/providers.ts'
import { detachAllStaff } from '../../db/setup/staff.ts'
import { endKeysOf } from '../../db/setup/staff-departure.ts'
import { inUse, notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

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
