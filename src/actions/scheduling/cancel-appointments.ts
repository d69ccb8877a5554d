import { lockById, markChangedAppointments } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import { findAppointmentRecords } from '../../db/scheduling/appointment-records.ts'
import {
  type AppointmentRow,
  cancelAppointments,
  deleteAppointments,
  findAppointment,
} from '../../db/scheduling/appointments.ts'
import { withKeptBookings } from '../../db/scheduling/participations.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { AppointmentRecord } from '../../entities/appointment.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { type EventsByKind, recordEvents } from '../record-events.ts'
import { offerFreedPlaces } from './waiting/offer-freed.ts'

/** Notifies all participants and frees the time. Cancelling twice changes nothing and sends no email. */
export async function cancelAppointment(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  message: string | null,
  sendMails = true,
  /** Refuses under the lock what is not as the caller saw it. */
  check: (appointment: AppointmentRow) => void = () => {},
): Promise<AppointmentRecord> {
  return service.db.transaction(async tx => {
    const { appointment, now } = await lockAppointment(tx, provider, reference)
    check(appointment)
    if (appointment.state === 'ACTIVE') {
      await markChangedAppointments(tx, [appointment.id])
      const informed = await cancelAppointments(tx, [appointment.id], message)
      const events = {
        'appointment.cancelled': [appointment.id],
        ...(await cancellationEvents(tx, informed)),
      }
      const recording = recordEvents(tx, service, { actor, provider, events, message, now, sendMails })
      await Promise.all([recording, offerFreedPlaces(tx, service, [appointment.id])])
    }
    return (await findAppointmentRecords(tx, [appointment.id]))[0]!
  })
}

/**
 * A participant who had only asked to move here keeps the original booking and its calendar entry, so this
 * counts as a refusal.
 */
export async function cancellationEvents(tx: Queryable, informed: number[]): Promise<EventsByKind> {
  const keeping = await withKeptBookings(tx, informed)
  return {
    'participation.cancelled': informed.filter(id => !keeping.has(id)),
    'participation.declined': [...keeping],
  }
}

/** Sends no emails: the Appointments disappear from every list. */
export async function deleteAppointment(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
) {
  await service.db.transaction(async tx => {
    const { appointment } = await lockAppointment(tx, provider, reference)
    await markChangedAppointments(tx, [appointment.id])
    await removeAll(tx, service, actor, provider, [appointment.id])
  })
}

async function removeAll(
  tx: Queryable,
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  ids: number[],
) {
  const left = await deleteAppointments(tx, ids)
  const events = { 'appointment.deleted': ids, 'participation.deleted': left }
  const recording = recordEvents(tx, service, { actor, provider, events })
  await Promise.all([recording, offerFreedPlaces(tx, service, ids)])
}

export async function lockAppointment(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
  field = 'appointmentReference',
): Promise<{ appointment: AppointmentRow; now: number }> {
  const seen = await findAppointment(tx, provider.id, reference)
  if (!seen) throw notFound('Appointment', reference, field)
  const { now } = await lockById(tx, seen.resourceId)
  // Read again under the lock: another transaction may have cancelled it, or its last hold may have expired.
  const appointment = await findAppointment(tx, provider.id, reference)
  if (!appointment) throw notFound('Appointment', reference, field)
  restartIfMoved(seen, appointment)
  return { appointment, now }
}

/** Another transaction has moved it to a Resource that is not locked. */
export function restartIfMoved(seen: { resourceId: number }, found: { resourceId: number }) {
  if (found.resourceId !== seen.resourceId) throw new RestartTransaction()
}
