import sql from 'sql-template-tag'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { tidyExpiredHolds } from '../../db/base/ledger.ts'
import {
  archiveAppointments,
  cancelAppointments,
  futureAppointmentsOf,
} from '../../db/scheduling/appointments.ts'
import { deleteTimeslotsOfResource } from '../../db/scheduling/timeslots.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { lockResource, markResourceDeleted } from '../../db/setup/resources.ts'
import { futureAppointments, notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { notify } from '../notify.ts'

/** Cannot be undone. What is still to come is cancelled, with a mail to everybody who was promised a place. */
export async function deleteResource(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  ignoreFutureAppointments: boolean,
) {
  await service.db.transaction(async tx => {
    const resource = await lockResource(tx, provider.id, reference)
    if (!resource) throw notFound('Resource', reference)
    await tidyExpiredHolds(tx, sql`= ${resource.id}`)
    const future = await futureAppointmentsOf(tx, resource.id)
    if (future.length > 0 && !ignoreFutureAppointments) throw futureAppointments('Resource')

    const informed = await cancelAppointments(tx, future)
    await notify(tx, service, 'cancelled', informed, { now: resource.now })
    await archiveAppointments(tx, resource.id)
    await deleteTimeslotsOfResource(tx, resource.id)
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
