import { endHoldsOf, tidyHoldsOf } from '../../db/base/ledger.ts'
import {
  archiveAppointments,
  cancelAppointments,
  futureAppointmentsOf,
} from '../../db/scheduling/appointments.ts'
import { deleteTimeslotsOfResource } from '../../db/scheduling/timeslots.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { lockResource, markResourceDeleted } from '../../db/setup/resources.ts'
import { futureAppointments, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { newsOf } from './cancel-appointments.ts'

/** Cannot be undone. What is still to come is cancelled, with a mail to everybody who was promised a place. */
export async function deleteResource(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  ignoreFutureAppointments: boolean,
  telling: { message?: string | null; sendMails?: boolean } = {},
) {
  await service.db.transaction(async tx => {
    const resource = await lockResource(tx, provider.id, reference)
    if (!resource) throw notFound('Resource', reference)
    await tidyHoldsOf(tx, resource.id)
    const future = await futureAppointmentsOf(tx, resource.id)
    if (future.length > 0 && !ignoreFutureAppointments) throw futureAppointments('Resource')

    const informed = await cancelAppointments(tx, future, telling.message ?? null)
    // What is only held ends as well, or somebody could still be put into it.
    await endHoldsOf(tx, resource.id)
    const news = {
      'appointment.cancelled': future,
      ...(await newsOf(tx, informed)),
      'resource.deleted': [resource.id],
    }
    await happened(tx, service, { actor, provider, news, now: resource.now, ...telling })
    await archiveAppointments(tx, resource.id)
    await deleteTimeslotsOfResource(tx, resource.id)
    await markResourceDeleted(tx, resource.id)
  })
}
