import type { ProviderContext } from '../../../callers.ts'
import { markChangedAppointments } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  type AppointmentRow,
  blockedSpanOf,
  countTaken,
  reopenAppointment,
} from '../../../db/scheduling/appointments.ts'
import { findConflicts } from '../../../db/scheduling/calendar.ts'
import { restoreParticipations } from '../../../db/scheduling/participations.ts'
import { capacityExceeded, conflict, invalidField, notFound } from '../../../errors.ts'
import { recordEvents } from '../../record-events.ts'
import { lockAppointment } from './cancel-appointments.ts'
import { refuseTwice } from './participations.ts'
import { overlapWith } from './staff-conflicts.ts'

type Flags = { ignoreConflicts: boolean; sendMails: boolean }

/** A participant before the cancellation, and their state. */
type FormerPlace = { uuid: string; state: 'BOOKED' | 'REQUESTED' }

/**
 * Undoes a cancellation: the Appointment is active again, and its participants have their places back. The
 * time was free in between; bookings made there since are reported as conflicts, which the provider can
 * override.
 */
export async function restoreAppointment(
  context: ProviderContext,
  reference: string,
  people: FormerPlace[],
  flags: Flags,
) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const { appointment, now } = await lockAppointment(tx, provider, reference)
    if (appointment.archived) throw notFound('Appointment', reference, 'uuid')
    const wasOff = appointment.state === 'CANCELLED'
    await markChangedAppointments(tx, [appointment.id])
    if (wasOff) await reopen(tx, appointment, people, flags)
    // A person may have booked it again since.
    const restored = await restoreParticipations(tx, appointment.id, people).catch(refuseTwice)
    if (restored.length < people.length) throw invalidField('people', 'former-places')
    if (!flags.ignoreConflicts && (await countTaken(tx, appointment.id)) > appointment.capacity)
      throw capacityExceeded()
    const inState = (state: FormerPlace['state']) =>
      restored.filter(one => one.state === state).map(one => one.id)
    await recordEvents(tx, service, {
      ...context,
      events: {
        'appointment.changed': wasOff ? [appointment.id] : [],
        'participation.booked': inState('BOOKED'),
        'participation.requested': inState('REQUESTED'),
      },
      now,
      sendMails: flags.sendMails,
    })
  })
}

/**
 * Runs under the lock of the Resource. An Appointment without participants becomes the provider's: a
 * consumer's would end with its last participant.
 */
async function reopen(
  tx: Queryable,
  { id, resourceId }: AppointmentRow,
  people: FormerPlace[],
  { ignoreConflicts }: Flags,
) {
  const others = await findConflicts(tx, resourceId, await blockedSpanOf(tx, id), [id])
  if (others.length > 0 && !ignoreConflicts) throw conflict(others.map(overlapWith))
  await reopenAppointment(tx, id, others.length > 0 || people.length === 0)
}
