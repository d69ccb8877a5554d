import type { ProviderContext } from '../../../callers.ts'
import { lockById, markChangedAppointments } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction } from '../../../db/base/postgres-errors.ts'
import {
  type Cancellation,
  endCancellation,
  findCancellation,
  queueCancellation,
} from '../../../db/cancellations.ts'
import { findAppointmentRecords } from '../../../db/scheduling/appointment-records.ts'
import {
  type AppointmentRow,
  cancelPeople,
  deleteAppointments,
  findAppointment,
  setCancelled,
} from '../../../db/scheduling/appointments.ts'
import { withKeptBookings } from '../../../db/scheduling/participations.ts'
import { findProviderById, type ProviderRow } from '../../../db/setup/providers.ts'
import type { AppointmentRecord } from '../../../entities/appointment.ts'
import { notFound } from '../../../errors.ts'
import type { Service } from '../../../service.ts'
import { type EventsByKind, recordEvents } from '../../record-events.ts'
import { offerFreedPlaces } from '../waiting/offer-freed.ts'

/** Locks the Resource for about a tenth of a second; others book between the batches of a large group. */
const peopleAtOnce = 250

/**
 * Frees the time and notifies all participants. Cancelling twice changes nothing and sends no email. If the
 * process ends between two batches, a job goes on, or the same request once more.
 */
export async function cancelAppointment(
  { service, actor, provider }: ProviderContext,
  reference: string,
  message: string | null,
  sendMails = true,
  /** Refuses under the lock what is not as the caller saw it; null: only goes on with what was begun. */
  check: ((appointment: AppointmentRow) => void) | null = () => {},
): Promise<AppointmentRecord> {
  for (let begin = check; ; begin = null) {
    const done = await service.db.transaction(async tx => {
      const { appointment, now } = await lockAppointment(tx, provider, reference)
      begin?.(appointment)
      const isRestored = !begin && appointment.state === 'ACTIVE'
      const batch = { actor, provider, message, now, sendMails }
      if (!isRestored && (await cancelSome(tx, service, appointment, batch))) return null
      if (!begin) await endCancellation(tx, appointment.id)
      return (await findAppointmentRecords(tx, [appointment.id]))[0]!
    })
    if (done) return done
  }
}

type Batch = Pick<Cancellation, 'actor' | 'message' | 'sendMails'> & { provider: ProviderRow; now: number }

/** Returns whether people are left. */
async function cancelSome(
  tx: Queryable,
  service: Service,
  { id, state }: AppointmentRow,
  { now, ...batch }: Batch,
): Promise<boolean> {
  const isFirst = state === 'ACTIVE'
  await markChangedAppointments(tx, [id])
  if (isFirst) await setCancelled(tx, [id])
  const { informed, isMore } = await cancelPeople(tx, [id], batch.message, peopleAtOnce)
  const events = {
    'appointment.cancelled': isFirst ? [id] : [],
    ...(await cancellationEvents(tx, informed)),
  }
  const recording = recordEvents(tx, service, { ...batch, now, events, isSequenceRaised: true })
  await Promise.all([recording, isFirst && offerFreedPlaces(tx, service, [id])])
  const { actor, message, sendMails, provider } = batch
  if (isFirst && isMore)
    await queueCancellation(tx, id, { providerId: provider.id, actor, message, sendMails })
  return isMore
}

/** The job: usually the request has done everything before it starts. */
export async function finishCancellation(service: Service, appointmentId: number) {
  const found = await findCancellation(service.db, appointmentId)
  if (!found) return
  const { providerId, reference, actor, message, sendMails } = found
  const provider = await findProviderById(service.db, providerId)
  const current = await findAppointment(service.db, providerId, reference)
  // Deleted, and perhaps another one has its reference.
  if (!provider || current?.id !== appointmentId) return endCancellation(service.db, appointmentId)
  await cancelAppointment({ service, actor, provider }, reference, message, sendMails, null)
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
export async function deleteAppointment({ service, actor, provider }: ProviderContext, reference: string) {
  await service.db.transaction(async tx => {
    const { appointment } = await lockAppointment(tx, provider, reference)
    await markChangedAppointments(tx, [appointment.id])
    await removeAll(tx, { service, actor, provider }, [appointment.id])
  })
}

async function removeAll(tx: Queryable, { service, actor, provider }: ProviderContext, ids: number[]) {
  const left = await deleteAppointments(tx, ids)
  const events = { 'appointment.deleted': ids, 'participation.deleted': left }
  const recording = recordEvents(tx, service, { actor, provider, events })
  await Promise.all([recording, offerFreedPlaces(tx, service, ids)])
}

export async function lockAppointment(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
): Promise<{ appointment: AppointmentRow; now: number }> {
  const seen = await findAppointment(tx, provider.id, reference)
  if (!seen) throw notFound('Appointment', reference, 'appointmentReference')
  const { now } = await lockById(tx, seen.resourceId)
  // Read again under the lock: another transaction may have cancelled it, or its last hold may have expired.
  const appointment = await findAppointment(tx, provider.id, reference)
  if (!appointment) throw notFound('Appointment', reference, 'appointmentReference')
  restartIfMoved(seen, appointment)
  return { appointment, now }
}

/** Another transaction has moved it to a Resource that is not locked. */
export function restartIfMoved(seen: { resourceId: number }, found: { resourceId: number }) {
  if (found.resourceId !== seen.resourceId) throw new RestartTransaction()
}
