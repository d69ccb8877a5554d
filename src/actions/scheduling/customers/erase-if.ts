import type { Queryable } from '../../../db/base/pool.ts'
import { findProviderById } from '../../../db/setup/providers.ts'
import { notFound, Refusal } from '../../../errors.ts'
import { serviceActor } from '../../../rules/messages/events.ts'
import type { Service } from '../../../service.ts'
import { deleteCustomer } from './customers.ts'

/**
 * As if the CRM had asked for it. `isDue` decides under the lock of the Customer: they may have booked, or were
 * accepted by the CRM, since they were selected.
 */
export async function eraseIf(
  service: Service,
  { providerId, reference }: { providerId: number; reference: string },
  isDue: (tx: Queryable, customerId: number) => Promise<boolean>,
): Promise<boolean> {
  const provider = await findProviderById(service.db, providerId)
  try {
    await deleteCustomer(
      { service, actor: serviceActor, provider: provider! },
      reference,
      false,
      async (tx, { id }) => {
        if (!(await isDue(tx, id))) throw notFound('Customer', reference)
      },
    )
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
