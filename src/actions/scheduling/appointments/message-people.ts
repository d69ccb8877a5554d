import type { ProviderContext } from '../../../callers.ts'
import { findPlacesOf } from '../../../db/scheduling/participations.ts'
import { appointmentCancelled } from '../../../errors.ts'
import { recordEvents } from '../../record-events.ts'
import { lockAppointment } from './cancel-appointments.ts'

/**
 * One email to each person with a place, in their language. Under the lock of the Resource, so that no one
 * who has just left or joined is missed.
 */
export async function messagePeople(
  context: ProviderContext,
  reference: string,
  message: string,
): Promise<{ sent: number; withoutAddress: number }> {
  const { service, provider } = context
  return service.db.transaction(async tx => {
    const { appointment, now } = await lockAppointment(tx, provider, reference)
    if (appointment.state === 'CANCELLED') throw appointmentCancelled()
    const people = await findPlacesOf(tx, appointment.id)
    const reached = people.filter(one => one.hasAddress).map(one => one.id)
    await recordEvents(tx, service, {
      ...context,
      events: { 'participation.messaged': reached },
      message,
      now,
    })
    return { sent: reached.length, withoutAddress: people.length - reached.length }
  })
}
