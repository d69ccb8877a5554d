import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { closeIfEmpty, type Locked, lockById, lockRecords } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction, violates } from '../../../db/base/postgres-errors.ts'
import {
  type CustomerFields,
  type CustomerRow,
  correctBookings,
  type FutureParticipation,
  findCustomer,
  futureParticipations,
  insertCustomer,
  insertCustomers,
  inviteCustomer,
  lockCustomer,
  participationsOf,
  updateCustomer as update,
  updateParticipationEmails,
} from '../../../db/scheduling/customers.ts'
import { eraseCustomer } from '../../../db/scheduling/erasure.ts'
import { findSurvivor } from '../../../db/scheduling/merges.ts'
import { moveParticipation } from '../../../db/scheduling/participations.ts'
import { searchAgainFor } from '../../../db/scheduling/waiting-line.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { customerMerged, futureAppointments, notFound, referenceExists } from '../../../errors.ts'
import { omitUndefined } from '../../../lib/objects.ts'
import { countryOfZone, mobileKey } from '../../../rules/people/phones.ts'
import type { StoredAnswers } from '../../../rules/questions/define.ts'
import type { Service } from '../../../service.ts'
import { forEachEntry } from '../../for-each-entry.ts'
import { type EventBatch, formerReference, recordEvents } from '../../record-events.ts'
import { offerFreedPlaces } from '../waiting/offer-freed.ts'
import { readDetails } from './customer-details.ts'

type Outcome = { customer: CustomerRow; created: boolean }

/** A known reference returns the existing Customer unchanged. */
export async function createCustomer(context: ProviderContext, fields: CustomerFields): Promise<Outcome> {
  return context.service.db.transaction(tx => createCustomerIn(tx, context, fields))
}

/** All or none. */
export async function createCustomers(
  context: ProviderContext,
  sent: CustomerFields[],
): Promise<{ customers: CustomerRow[]; created: boolean }> {
  return context.service.db.transaction(async tx => {
    const made = await forEachEntry('customers', sent, fields => createCustomerIn(tx, context, fields))
    return { customers: made.map(one => one.customer), created: made.some(one => one.created) }
  })
}

/** Runs in the caller's transaction. */
export async function createCustomerIn(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  fields: CustomerFields,
): Promise<Outcome> {
  const survivor = await findSurvivor(tx, provider.id, fields.reference)
  if (survivor) return { customer: survivor, created: false }
  const details = await readDetails(tx, provider, fields)
  for (;;) {
    const made = await insertCustomer(tx, provider.id, details, mobileKeyIn(provider, fields.mobile))
    if (made) await recordEvents(tx, service, { actor, provider, events: { 'customer.created': [made.id] } })
    const customer = made ?? (await findCustomer(tx, provider.id, fields.reference))
    // Neither created nor found: another transaction has just erased or renamed it, so the reference is free.
    if (customer && !customer.invited) await inviteCustomer(tx, customer.id)
    if (customer) return { customer, created: made !== null }
  }
}

/** Many at once. Returns the ids by reference, without references that are taken. */
export async function createManyIn(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  sent: CustomerFields[],
): Promise<Map<string, number>> {
  if (sent.length === 0) return new Map()
  const rows = sent.map(one => ({ ...one, mobileKey: mobileKeyIn(provider, one.mobile) }))
  const made = await insertCustomers(tx, provider.id, rows)
  const ids = made.map(one => one.id).toSorted((one, other) => one - other)
  await recordEvents(tx, service, { actor, provider, events: { 'customer.created': ids } })
  return new Map(made.map(one => [one.reference, one.id]))
}

/** Numbers without a prefix belong to the country of the Provider's time zone. */
export const mobileKeyIn = ({ timeZone }: ProviderRow, mobile: string | null | undefined) =>
  mobileKey(mobile, countryOfZone(timeZone))

/** The error for a reference without a Customer, which may have been merged. */
export async function missingCustomer(tx: Queryable, provider: Pick<ProviderRow, 'id'>, reference: string) {
  const survivor = await findSurvivor(tx, provider.id, reference)
  return survivor ? customerMerged(reference, survivor.reference) : notFound('Customer', reference)
}

/** Changes only the fields sent, including the reference if the new one is free. */
export async function updateCustomer(
  { service, actor, provider }: ProviderContext,
  reference: string,
  fields: Partial<CustomerFields>,
  {
    check = () => {},
    inBookings = false,
  }: {
    check?: (current: CustomerRow) => void
    /** Whether upcoming bookings change too: staff who correct a name usually mean those. */
    inBookings?: boolean
  } = {},
): Promise<CustomerRow> {
  return service.db.transaction(async tx => {
    const seen = inBookings ? await findCustomer(tx, provider.id, reference) : null
    if (seen) await lockRecords(tx, await participationsOf(tx, seen))
    const customer = await lockCustomer(tx, provider.id, reference)
    if (!customer) throw await missingCustomer(tx, provider, reference)
    check(customer)
    const changed = {
      ...customer,
      ...omitUndefined(await readDetails(tx, provider, fields, customer.fields as StoredAnswers)),
      // A number sent by the CRM counts as confirmed.
      ...(fields.mobile !== undefined && {
        mobileKey: mobileKeyIn(provider, fields.mobile),
        unconfirmed: [],
      }),
    }
    if (isDeepStrictEqual(changed, customer)) return customer
    const corrected =
      inBookings && isAnotherPerson(customer, changed) ? await correctBookings(tx, customer, changed) : []
    const isRenamed = changed.reference !== customer.reference
    const extra = isRenamed ? formerReference(service, customer.reference) : {}
    const events = {
      'customer.changed': [isRenamed ? { subject: customer.id, extra } : customer.id],
      'appointment.changed': corrected,
    }
    await recordEvents(tx, service, { actor, provider, events })
    const updated = await update(tx, changed).catch(error => {
      if (violates(error, 'customer_reference'))
        throw referenceExists('Customer', changed.reference, 'customerReference')
      throw error
    })
    // Without an address no offer reaches them.
    if (customer.email === null && changed.email !== null)
      await searchAgainFor(tx, provider.id, [customer.id])
    return updated
  })
}

const isAnotherPerson = (before: CustomerRow, after: CustomerRow) =>
  before.name !== after.name || before.email !== after.email || before.mobile !== after.mobile

/** Removes the Customer from all upcoming Appointments, sends one email, and erases their personal data. */
export async function deleteCustomer(
  { service, actor, provider }: ProviderContext,
  reference: string,
  ignoreFutureAppointments: boolean,
  /** Runs under the lock of the Customer. */
  check: (tx: Queryable, customer: CustomerRow) => Promise<void> = async () => {},
) {
  await service.db.transaction(async tx => {
    const seen = await findCustomer(tx, provider.id, reference)
    if (!seen) throw await missingCustomer(tx, provider, reference)
    const locked = await lockResourcesOf(tx, seen)
    const customer = await lockCustomer(tx, provider.id, reference)
    if (!customer) throw await missingCustomer(tx, provider, reference)
    await check(tx, customer)
    const scene = { actor, provider, eraseWhenDone: true }
    const left = await leaveFutureAppointments(tx, service, scene, customer, locked, ignoreFutureAppointments)
    const appointments = await eraseCustomer(tx, customer)
    const extra = { uuid: customer.uuid, ...formerReference(service, customer.reference) }
    const events = {
      'customer.erased': [{ subject: customer.id, extra }],
      'appointment.changed': appointments,
    }
    await recordEvents(tx, service, { actor, provider, events })
    // After the erasure: the person waits for nothing any more, so no place comes back to them.
    await offerFreedPlaces(tx, service, left)
  })
}

// Lock order: Resources before Customers, as joining and cancelling do.
export async function lockResourcesOf(tx: Queryable, customer: CustomerRow): Promise<Map<number, Locked>> {
  const locked = new Map<number, Locked>()
  // The records of past visits change too. All locks at once, in the order of their ids.
  await lockRecords(tx, await participationsOf(tx, customer))
  for (const { resourceId } of await futureParticipations(tx, customer))
    if (!locked.has(resourceId)) locked.set(resourceId, await lockById(tx, resourceId))
  return locked
}

const isRequested = ({ state }: FutureParticipation) => state === 'REQUESTED'

async function leaveFutureAppointments(
  tx: Queryable,
  service: Service,
  scene: Omit<EventBatch, 'events'>,
  customer: CustomerRow,
  locked: Map<number, Locked>,
  allowed: boolean,
): Promise<number[]> {
  const expected = await futureParticipations(tx, customer)
  // Bookings first: the email about a request to move must not say that the booking stays.
  const leaving = expected.toSorted((one, other) => Number(isRequested(one)) - Number(isRequested(other)))
  const isPromised = ({ state }: FutureParticipation) => state !== 'RESERVED'
  if (leaving.some(isPromised) && !allowed) throw futureAppointments('Customer')
  await updateParticipationEmails(tx, customer)
  for (const one of leaving) {
    const resource = locked.get(one.resourceId)
    // Booked at another Resource while we waited for the lock of the Customer.
    if (!resource) throw new RestartTransaction()
    await moveParticipation(tx, one.id, one.state, 'CANCELED', null)
    const events = {
      'participation.cancelled': isPromised(one) ? [one.id] : [],
      'appointment.cancelled': await closeIfEmpty(tx, [one.appointmentId]),
    }
    const sendMails = one.customerId !== null || customer.email !== null
    await recordEvents(tx, service, { ...scene, events, now: resource.now, sendMails })
  }
  return leaving.map(one => one.appointmentId)
}
