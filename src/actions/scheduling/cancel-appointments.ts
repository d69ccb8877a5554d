import { lockById, lockByIds, tellTouchedAppointments } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { BeginAnew } from '../../db/base/postgres-errors.ts'
import { type AppointmentRecord, findAppointmentRecords } from '../../db/scheduling/appointment-records.ts'
import {
  type AppointmentRow,
  appointmentsOfSeries,
  cancelAppointments,
  deleteAppointments,
  findAppointment,
} from '../../db/scheduling/appointments.ts'
import { whoKeepBookings } from '../../db/scheduling/participations.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened, type News } from '../happened.ts'

/** All who are in it are told, and the time is free again. Cancelling twice changes and mails nothing. */
export async function cancelAppointment(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  message: string | null,
  sendMails = true,
): Promise<AppointmentRecord> {
  return service.db.transaction(async tx => {
    const { appointment, now } = await lockAppointment(tx, provider, reference)
    if (appointment.state === 'ACTIVE') {
      await tellTouchedAppointments(tx, [appointment.id])
      const informed = await cancelAppointments(tx, [appointment.id], message)
      const news = { 'appointment.cancelled': [appointment.id], ...(await newsOf(tx, informed)) }
      await happened(tx, service, { actor, provider, news, message, now, sendMails })
    }
    return (await findAppointmentRecords(tx, [appointment.id]))[0]!
  })
}

/** Whoever had only asked to move there keeps their booking, and the entry in their calendar: it is no more than a refusal. */
export async function newsOf(tx: Queryable, informed: number[]): Promise<News> {
  const keeping = await whoKeepBookings(tx, informed)
  return {
    'participation.cancelled': informed.filter(id => !keeping.has(id)),
    'participation.declined': [...keeping],
  }
}

/** Without a word to anybody: they leave every list. */
export async function deleteAppointment(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
) {
  await service.db.transaction(async tx => {
    const { appointment } = await lockAppointment(tx, provider, reference)
    await tellTouchedAppointments(tx, [appointment.id])
    await removeAll(tx, service, actor, provider, [appointment.id])
  })
}

export async function deleteSeries(service: Service, actor: Actor, provider: ProviderRow, seriesId: string) {
  await service.db.transaction(async tx => {
    const seen = await appointmentsOfSeries(tx, provider.id, seriesId)
    const locked = new Set(seen.map(one => one.resourceId))
    await lockByIds(tx, [...locked])
    // Read again under the locks: a rival may have moved one of them away, or deleted it.
    const found = await appointmentsOfSeries(tx, provider.id, seriesId)
    if (found.length === 0) throw notFound('series', seriesId, 'seriesId')
    if (found.some(one => !locked.has(one.resourceId))) throw new BeginAnew()
    const ids = found.map(one => one.id)
    await removeAll(tx, service, actor, provider, ids)
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
  const news = { 'appointment.deleted': ids, 'participation.deleted': left }
  await happened(tx, service, { actor, provider, news })
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
  // Read again under the lock: a rival may have cancelled it, or its last hold may have expired.
  const appointment = await findAppointment(tx, provider.id, reference)
  if (!appointment) throw notFound('Appointment', reference, field)
  refuseElsewhere(seen, appointment)
  return { appointment, now }
}

/** A rival has moved it to a Resource that is not locked. */
export function refuseElsewhere(seen: { resourceId: number }, found: { resourceId: number }) {
  if (found.resourceId !== seen.resourceId) throw new BeginAnew()
}
