import { randomUUID } from 'node:crypto'
import type { ProviderContext } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  type AppointmentRow,
  insertAppointments,
  type NewAppointment,
  saveAppointment,
} from '../../../db/scheduling/appointments.ts'
import { groupAt, type TimeslotAround, timeslotAround } from '../../../db/scheduling/calendar.ts'
import { lockCustomerForUse } from '../../../db/scheduling/customers.ts'
import type { ProductRow } from '../../../db/setup/products.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import { type Conflict, conflict, notAfterStart, notFound } from '../../../errors.ts'
import { readPeriod } from '../../../rules/time/read-times.ts'
import { recordEvents } from '../../record-events.ts'
import { createCustomerIn } from '../customers/customers.ts'
import { appointmentTemplate } from './create-appointments.ts'
import { join } from './participations.ts'
import { bookedTwice, conflictsAt } from './staff-conflicts.ts'

type NewCustomer = {
  name: string
  email?: string | null
  mobile?: string | null
  note?: string | null
}

/** A known Customer, by reference, or a new one. */
export type WalkInPerson = { reference: string } | NewCustomer

type WalkIn = {
  resource: ResourceRow
  product: ProductRow
  start: string
  end: string
  /** Null: the capacity of the Timeslot. */
  capacity: number | null
  notes?: string | null
  description?: string | null
  who: WalkInPerson | null
  message?: string | null
}

/** `ignoreConflicts`: all of them, or these kinds. */
type Flags = { ignoreConflicts: boolean | Conflict['kind'][]; sendMails: boolean }

/** `joined`: the Appointment already existed. `participation`: the reference of the new Participation. */
type BookedWalkIn = { id: number; joined: boolean; participation: string | null }

/**
 * Books for a customer at the desk: Appointment, Customer and Participation in one transaction. Conflicts are
 * reported, but staff can override them. In a group Timeslot the Appointment gets the Timeslot's capacity and
 * stays open to consumers, and an existing group is joined: otherwise one booking by staff would close a
 * class.
 */
export async function bookWalkIn(
  context: ProviderContext,
  walkIn: WalkIn,
  flags: Flags,
): Promise<BookedWalkIn> {
  const { service, provider } = context
  const { resource, product } = walkIn
  const { start, end } = readPeriod({ start: walkIn.start, end: walkIn.end }, provider.timeZone)
  if (end <= start) throw notAfterStart('end', 'start')
  return service.db.transaction(async tx => {
    const { template, now } = await appointmentTemplate(tx, provider, {
      capacity: walkIn.capacity ?? 1,
      acceptBookings: false,
      resourceReference: resource.reference,
      productReference: product.reference,
      notes: walkIn.notes ?? null,
      description: walkIn.description ?? null,
    })
    const slot = walkIn.capacity === null ? await timeslotAround(tx, resource.id, start, end) : null
    const planned = {
      ...template(start, end),
      ...(walkIn.capacity === null ? placesIn(slot, walkIn.who) : {}),
    }
    const canJoin = walkIn.capacity === null && walkIn.who !== null
    const group = canJoin ? await groupAt(tx, resource.id, product.id, start) : null
    if (flags.ignoreConflicts !== true) {
      const ignored = flags.ignoreConflicts || []
      const all = [
        ...(await conflictsAt(tx, resource, planned, { group, now })),
        ...(walkIn.who
          ? await bookedTwice(tx, provider.id, walkIn.who, { from: start, to: end }, group ? [group.id] : [])
          : []),
      ]
      const reasons = all.filter(one => !ignored.includes(one.kind))
      if (reasons.length > 0) throw conflict(reasons)
    }
    const appointment = group ?? { ...planned, ...(await create(tx, context, planned, now)) }
    if (group && walkIn.notes) await addNotes(tx, context, group, walkIn.notes, now)
    const participation = walkIn.who && (await addVisitor(tx, context, { appointment, now }, walkIn, flags))
    return { id: appointment.id, joined: group !== null, participation }
  })
}

/** Of a class, or of one person only, with whom it ends. */
export const placesIn = (slot: TimeslotAround | null, who: unknown) =>
  slot && slot.capacity > 1
    ? { capacity: slot.capacity, acceptBookings: slot.isOffered }
    : { endsEmpty: who !== null }

async function create(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  planned: NewAppointment,
  now: number,
) {
  const [made] = await insertAppointments(tx, provider.id, [
    { ...planned, reference: `${randomUUID()}@console` },
  ])
  await recordEvents(tx, service, { actor, provider, events: { 'appointment.created': [made!.id] }, now })
  return { id: made!.id, state: 'ACTIVE' as const }
}

/** Notes about one customer are appended to the notes of the group. */
async function addNotes(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  { id, capacity, description, notes }: AppointmentRow,
  added: string,
  now: number,
) {
  await saveAppointment(tx, id, { capacity, description, notes: notes ? `${notes}\n${added}` : added })
  await recordEvents(tx, service, { actor, provider, events: { 'appointment.changed': [id] }, now })
}

type Place = { appointment: Pick<AppointmentRow, 'id' | 'state' | 'capacity' | 'origin'>; now: number }

async function addVisitor(
  tx: Queryable,
  context: ProviderContext,
  place: Place,
  { who, message }: WalkIn,
  { sendMails }: Flags,
): Promise<string> {
  const reference = `${randomUUID()}@console`
  const joining = { reference, state: 'BOOKED' as const, message: message ?? null }
  const customer = await ensureCustomer(tx, context, who!)
  await join(tx, context, place, customer, joining, { ignoreCapacity: true, sendMails })
  return reference
}

/** Locks the Customer, so that it cannot be erased before the transaction ends. */
export async function ensureCustomer(tx: Queryable, context: ProviderContext, who: WalkInPerson) {
  const reference = 'reference' in who ? who.reference : `${randomUUID()}@console`
  if (!('reference' in who)) await createCustomerIn(tx, context, { ...who, reference })
  const customer = await lockCustomerForUse(tx, context.provider.id, reference)
  if (!customer) throw notFound('Customer', reference, 'customerUuid')
  return customer
}
