import type { ProviderContext } from '../../../callers.ts'
import { markChangedAppointments } from '../../../db/base/ledger.ts'
import { cancelAppointments, deleteAppointments } from '../../../db/scheduling/appointments.ts'
import { cancelPlaces, deletePlaces } from '../../../db/scheduling/participations.ts'
import { notFound } from '../../../errors.ts'
import { recordEvents } from '../../record-events.ts'
import { cancellationEvents } from '../appointments/cancel-appointments.ts'
import { offerFreedPlaces } from '../waiting/offer-freed.ts'
import { isActive, lockSeries, splitMembers } from './members.ts'

type Cancellation = {
  /** This date and later ones; null for all. Dates that have begun stay. */
  fromReference: string | null
  message: string | null
}

/** One transaction and one email. Cancelling again changes nothing. */
export async function cancelSeries(
  context: ProviderContext,
  seriesId: string,
  { fromReference, message }: Cancellation,
  { sendMails }: { sendMails: boolean },
) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const { members, now } = await lockSeries(tx, provider, seriesId)
    const first = members.find(one => one.appointmentReference === fromReference)
    if (fromReference !== null && !first) throw notFound('Appointment', fromReference, 'appointmentReference')
    const from = first?.startAt ?? Number.NEGATIVE_INFINITY
    const dates = members.filter(one => isActive(one) && !one.isPast && one.startAt >= from)
    if (dates.length === 0) return
    const { whole, places, all } = splitMembers(dates)
    await markChangedAppointments(tx, all)
    const informed = [
      ...(await cancelAppointments(tx, whole, message)),
      ...(await cancelPlaces(tx, places, message)),
    ]
    const recording = recordEvents(tx, service, {
      ...context,
      events: { 'appointment.cancelled': whole, ...(await cancellationEvents(tx, informed)) },
      message,
      now,
      sendMails,
      inOneEmail: true,
    })
    await Promise.all([recording, offerFreedPlaces(tx, service, all)])
  })
}

/** Sends no emails: the dates disappear from every list. */
export async function deleteSeries({ service, actor, provider }: ProviderContext, seriesId: string) {
  await service.db.transaction(async tx => {
    const { members } = await lockSeries(tx, provider, seriesId)
    const { whole, places, all } = splitMembers(members)
    const left = [...(await deleteAppointments(tx, whole)), ...(await deletePlaces(tx, places))]
    const events = { 'appointment.deleted': whole, 'participation.deleted': left }
    const recording = recordEvents(tx, service, { actor, provider, events })
    await Promise.all([recording, offerFreedPlaces(tx, service, all)])
  })
}
