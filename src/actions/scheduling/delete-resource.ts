import type { ProviderContext } from '../../callers.ts'
import { cleanUpHoldsOf, endHoldsOf } from '../../db/base/ledger.ts'
import {
  archiveAppointments,
  cancelAppointments,
  futureAppointmentsOf,
} from '../../db/scheduling/appointments.ts'
import { deleteTimeslotsOfResource } from '../../db/scheduling/timeslots.ts'
import { lockResource, markResourceDeleted } from '../../db/setup/resources.ts'
import { futureAppointments, notFound } from '../../errors.ts'
import { recordEvents } from '../record-events.ts'
import { cancellationEvents } from './appointments/cancel-appointments.ts'

/** Cannot be undone. Cancels what is upcoming and emails every participant. */
export async function deleteResource(
  { service, actor, provider }: ProviderContext,
  reference: string,
  ignoreFutureAppointments: boolean,
  notification: { message?: string | null; sendMails?: boolean } = {},
) {
  await service.db.transaction(async tx => {
    const resource = await lockResource(tx, provider.id, reference)
    if (!resource) throw notFound('Resource', reference)
    await cleanUpHoldsOf(tx, resource.id)
    const future = await futureAppointmentsOf(tx, resource.id)
    if (future.length > 0 && !ignoreFutureAppointments) throw futureAppointments('Resource')

    const informed = await cancelAppointments(tx, future, notification.message ?? null)
    // Ends holds too, so that none of them can become a booking.
    await endHoldsOf(tx, resource.id)
    const events = {
      'appointment.cancelled': future,
      ...(await cancellationEvents(tx, informed)),
    }
    await recordEvents(tx, service, { actor, provider, events, now: resource.now, ...notification })
    const extra = {
      timeslots: await deleteTimeslotsOfResource(tx, resource.id),
      appointments: await archiveAppointments(tx, resource.id),
    }
    await markResourceDeleted(tx, resource.id)
    const gone = { 'resource.deleted': [{ subject: resource.id, extra }] }
    await recordEvents(tx, service, { actor, provider, events: gone })
  })
}
