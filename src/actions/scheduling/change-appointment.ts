import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AppointmentChange, saveAppointment } from '../../db/scheduling/appointments.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { ifChanged } from '../if-changed.ts'
import { customerIn, type Visitor } from './book-walk-in.ts'
import { lockAppointment } from './cancel-appointments.ts'
import { join } from './participations.ts'

type Context = { service: Service; actor: Actor; provider: ProviderRow }

export type Editable = { capacity: number; notes: string | null; description: string | null }

/** `check` sees what is there once nobody else can change it. */
export async function changeAppointment(
  { service, actor, provider }: Context,
  reference: string,
  change: AppointmentChange,
  check: (before: Editable) => void,
) {
  await ifChanged<void>(service.db, async (tx, same) => {
    const { appointment, now } = await lockAppointment(tx, provider, reference)
    check(appointment)
    const changed = { ...appointment, ...change }
    if (isDeepStrictEqual(changed, appointment)) same()
    const { capacity, notes, description } = changed
    await saveAppointment(tx, appointment.id, { capacity, notes, description })
    await happened(tx, service, { actor, provider, news: { 'appointment.changed': [appointment.id] }, now })
  })
}

/** Somebody known or new joins; a full Appointment is refused unless `ignoreCapacity`. */
export async function addToAppointment(
  context: Context,
  reference: string,
  who: Visitor,
  message: string | null,
  flags: { ignoreCapacity: boolean; sendMails: boolean },
) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const locked = await lockAppointment(tx, provider, reference)
    const customer = await customerIn(tx, context, who)
    const joining = { reference: `${randomUUID()}@console`, state: 'BOOKED' as const, message }
    await join(tx, context, locked, customer, joining, flags)
  })
}
