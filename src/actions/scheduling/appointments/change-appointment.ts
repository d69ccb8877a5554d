import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { type AppointmentChange, saveAppointment } from '../../../db/scheduling/appointments.ts'
import { conflict } from '../../../errors.ts'
import { recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import { ensureCustomer, type WalkInPerson } from './book-walk-in.ts'
import { lockAppointment } from './cancel-appointments.ts'
import type { PlacesChange } from './change-places.ts'
import { join } from './participations.ts'
import { bookedTwice } from './staff-conflicts.ts'

export type Editable = { capacity: number; notes: string | null; description: string | null }

/** `check` runs under the lock, on the current row. */
export async function changeAppointment(
  { service, actor, provider }: ProviderContext,
  reference: string,
  change: AppointmentChange,
  check: (before: Editable) => void,
) {
  await rollbackIfUnchanged<void>(service.db, async (tx, same) => {
    const { appointment, now } = await lockAppointment(tx, provider, reference)
    check(appointment)
    const changed = { ...appointment, ...change }
    if (isDeepStrictEqual(changed, appointment)) same()
    const { capacity, notes, description } = changed
    await saveAppointment(tx, appointment.id, { capacity, notes, description })
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'appointment.changed': [appointment.id] },
      now,
    })
  })
}

/**
 * Refuses a full Appointment, or a Customer with another booking at that time, unless `ignoreConflicts` is
 * set.
 */
export async function addToAppointment(
  context: ProviderContext,
  reference: string,
  who: WalkInPerson,
  { message, places, placeNames }: PlacesChange & { message?: string | null },
  { ignoreConflicts, sendMails }: { ignoreConflicts: boolean; sendMails: boolean },
) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const locked = await lockAppointment(tx, provider, reference)
    const { id, startAt, endAt } = locked.appointment
    const period = { from: startAt, to: endAt }
    const reasons = ignoreConflicts ? [] : await bookedTwice(tx, provider.id, who, period, [id])
    if (reasons.length > 0) throw conflict(reasons)
    const customer = await ensureCustomer(tx, context, who)
    const joining = {
      reference: `${randomUUID()}@console`,
      state: 'BOOKED' as const,
      message,
      places,
      placeNames,
    }
    await join(tx, context, locked, customer, joining, { ignoreCapacity: ignoreConflicts, sendMails })
  })
}
