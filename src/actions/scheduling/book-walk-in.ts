import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../db/base/pool.ts'
import { insertAppointments, type NewAppointment } from '../../db/scheduling/appointments.ts'
import { appointmentsInTheWay, isOpenAt } from '../../db/scheduling/calendar.ts'
import { closedTimesOf } from '../../db/scheduling/closures.ts'
import { holdCustomer } from '../../db/scheduling/customers.ts'
import type { ProductRow } from '../../db/setup/products.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { ResourceRow } from '../../db/setup/resources.ts'
import { conflict, invalidField, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { appointmentTemplate } from './create-appointments.ts'
import { createCustomerIn } from './customers.ts'
import { join } from './participations.ts'

type NewCustomer = {
  name: string
  email?: string | null
  mobile?: string | null
  note?: string | null
}

/** Somebody known, by their reference, or somebody new. */
export type Visitor = { reference: string } | NewCustomer

type WalkIn = {
  resource: ResourceRow
  product: ProductRow
  start: string
  end: string
  capacity: number
  notes?: string | null
  description?: string | null
  who: Visitor | null
  message?: string | null
}

type Context = { service: Service; actor: Actor; provider: ProviderRow }
type Flags = { ignoreConflicts: boolean; sendMails: boolean }

/**
 * Staff book for whoever stands before them: Appointment, Customer and Participation at once, or nothing of it. What is in
 * the way is said; they know better.
 */
export async function bookWalkIn(context: Context, wish: WalkIn, flags: Flags): Promise<{ id: number }> {
  const { service, actor, provider } = context
  const { resource, product, who, message } = wish
  const { start, end } = readPeriod({ start: wish.start, end: wish.end }, provider.timeZone)
  if (end <= start) throw invalidField('end', 'end must be after start.')
  return service.db.transaction(async tx => {
    const { template, now } = await appointmentTemplate(tx, provider, {
      capacity: wish.capacity,
      acceptBookings: false,
      resourceReference: resource.reference,
      productReference: product.reference,
      notes: wish.notes ?? null,
      description: wish.description ?? null,
    })
    const planned = template(start, end)
    if (!flags.ignoreConflicts) await refuseConflicts(tx, resource, planned, now)
    const [made] = await insertAppointments(tx, provider.id, [
      { ...planned, reference: `${randomUUID()}@console` },
    ])
    await happened(tx, service, { actor, provider, news: { 'appointment.created': [made!.id] }, now })
    if (who) {
      const appointment = { ...planned, id: made!.id, state: 'ACTIVE' as const }
      const joining = {
        reference: `${randomUUID()}@console`,
        state: 'BOOKED' as const,
        message: message ?? null,
      }
      const customer = await customerIn(tx, context, who)
      const { sendMails } = flags
      await join(tx, context, { appointment, now }, customer, joining, { ignoreCapacity: true, sendMails })
    }
    return { id: made!.id }
  })
}

/** Kept from being erased until the transaction ends. */
export async function customerIn(tx: Queryable, { service, actor, provider }: Context, who: Visitor) {
  const reference = 'reference' in who ? who.reference : `${randomUUID()}@console`
  if (!('reference' in who)) {
    const { name, ...rest } = who
    const fields = { ...rest, customerReference: reference, userName: name }
    await createCustomerIn(tx, service, actor, provider, fields)
  }
  const customer = await holdCustomer(tx, provider.id, reference)
  if (!customer) throw notFound('Customer', reference, 'customerUuid')
  return customer
}

async function refuseConflicts(tx: Queryable, resource: ResourceRow, planned: NewAppointment, now: number) {
  const [start, end] = [planned.startAt.getTime(), planned.endAt.getTime()]
  const blocked = { from: planned.blockedFrom.getTime(), to: planned.blockedTo.getTime() }
  const others = await appointmentsInTheWay(tx, planned.resourceId, blocked)
  const closures = (await closedTimesOf(tx, resource.providerId, start, end)).filter(
    one => one.resources === null || one.resources.includes(resource.uuid),
  )
  const reasons = [
    ...others.map(
      one => `It overlaps with ${one.reference} from ${toUtcText(one.start)} to ${toUtcText(one.end)}.`,
    ),
    ...closures.map(one => `It is closed then: ${one.reason}.`),
    ...((await isOpenAt(tx, planned.resourceId, start, end)) ? [] : ['No Timeslot is open then.']),
    ...(start < now ? ['It begins in the past.'] : []),
  ]
  if (reasons.length > 0) throw conflict(reasons.join(' '))
}
