import { isDeepStrictEqual } from 'node:util'
import { closeIfEmpty, type Locked, lockById } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { BeginAnew, violates } from '../../db/base/postgres-errors.ts'
import {
  type CustomerFields,
  type CustomerRow,
  correctBookings,
  type FutureParticipation,
  findCustomer,
  futureParticipations,
  insertCustomer,
  inviteCustomer,
  lockCustomer,
  readdressParticipations,
  updateCustomer as update,
} from '../../db/scheduling/customers.ts'
import { eraseCustomer } from '../../db/scheduling/erasure.ts'
import { moveParticipation } from '../../db/scheduling/participations.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { futureAppointments, notFound, referenceExists } from '../../errors.ts'
import { onlyGiven } from '../../lib/only-given.ts'
import type { Actor } from '../../rules/news/events.ts'
import { countryOfZone, mobileKey } from '../../rules/people/phones.ts'
import type { Service } from '../../service.ts'
import { happened, type Story } from '../happened.ts'
import { inTurn } from '../in-turn.ts'

type Outcome = { customer: CustomerRow; created: boolean }

/** A known reference answers the existing Customer as it is. */
export async function createCustomer(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: CustomerFields,
): Promise<Outcome> {
  return service.db.transaction(tx => createCustomerIn(tx, service, actor, provider, fields))
}

/** All of them or none. */
export async function createCustomers(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  sent: CustomerFields[],
): Promise<{ customers: CustomerRow[]; created: boolean }> {
  return service.db.transaction(async tx => {
    const made = await inTurn('customers', sent, fields =>
      createCustomerIn(tx, service, actor, provider, fields),
    )
    return { customers: made.map(one => one.customer), created: made.some(one => one.created) }
  })
}

/** In the caller’s transaction. */
export async function createCustomerIn(
  tx: Queryable,
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: CustomerFields,
): Promise<Outcome> {
  for (;;) {
    const made = await insertCustomer(tx, provider.id, {
      ...fields,
      mobileKey: keyIn(provider, fields.mobile),
    })
    if (made) await happened(tx, service, { actor, provider, news: { 'customer.created': [made.id] } })
    const customer = made ?? (await findCustomer(tx, provider.id, fields.customerReference))
    // Neither made nor found: a rival has just erased or renamed it, and the reference is free.
    if (customer && !customer.invited) await inviteCustomer(tx, customer.id)
    if (customer) return { customer, created: made !== null }
  }
}

/** Numbers without a prefix are of the country that the Provider's clocks are of. */
const keyIn = ({ timeZone }: ProviderRow, mobile: string | null | undefined) =>
  mobileKey(mobile, countryOfZone(timeZone))

/** Only the fields sent change; the reference too, if it is free. */
export async function updateCustomer(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  fields: Partial<CustomerFields>,
  {
    check = () => {},
    inBookings = false,
  }: {
    check?: (current: CustomerRow) => void
    /** Whether bookings to come say the same from now on: staff who correct a name mean those first of all. */
    inBookings?: boolean
  } = {},
): Promise<CustomerRow> {
  return service.db.transaction(async tx => {
    const customer = await lockCustomer(tx, provider.id, reference)
    if (!customer) throw notFound('Customer', reference)
    check(customer)
    const { customerReference, userName, email, mobile, note, language } = fields
    const changed = {
      ...customer,
      ...onlyGiven({ email, mobile, note, language }),
      reference: customerReference ?? customer.reference,
      name: userName ?? customer.name,
      // A number that is sent is confirmed.
      ...(fields.mobile !== undefined && { mobileKey: keyIn(provider, fields.mobile), unconfirmed: [] }),
    }
    if (isDeepStrictEqual(changed, customer)) return customer
    const corrected =
      inBookings && isAnotherPerson(customer, changed) ? await correctBookings(tx, customer, changed) : []
    const news = { 'customer.changed': [customer.id], 'appointment.changed': corrected }
    await happened(tx, service, { actor, provider, news })
    return update(tx, changed).catch(error => {
      if (violates(error, 'customer_reference'))
        throw referenceExists('Customer', changed.reference, 'customerReference')
      throw error
    })
  })
}

const isAnotherPerson = (before: CustomerRow, after: CustomerRow) =>
  before.name !== after.name || before.email !== after.email || before.mobile !== after.mobile

/** Takes the Customer out of all that is to come, tells them once, and forgets who they are. */
export async function deleteCustomer(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  ignoreFutureAppointments: boolean,
  /** Sees whom it is about once nobody else can change them. */
  check: (tx: Queryable, customer: CustomerRow) => Promise<void> = async () => {},
) {
  await service.db.transaction(async tx => {
    const seen = await findCustomer(tx, provider.id, reference)
    if (!seen) throw notFound('Customer', reference)
    const locked = await lockResourcesOf(tx, seen)
    const customer = await lockCustomer(tx, provider.id, reference)
    if (!customer) throw notFound('Customer', reference)
    await check(tx, customer)
    const scene = { actor, provider, eraseWhenDone: true }
    await leaveFutureAppointments(tx, service, scene, customer, locked, ignoreFutureAppointments)
    await eraseCustomer(tx, customer)
    await happened(tx, service, { actor, provider, news: { 'customer.erased': [customer.id] } })
  })
}

// Resources come before Customers in the order of locks: whoever joins or cancels holds the Resource first.
async function lockResourcesOf(tx: Queryable, customer: CustomerRow): Promise<Map<number, Locked>> {
  const locked = new Map<number, Locked>()
  for (const { resourceId } of await futureParticipations(tx, customer))
    if (!locked.has(resourceId)) locked.set(resourceId, await lockById(tx, resourceId))
  return locked
}

const isAsked = ({ state }: FutureParticipation) => state === 'REQUESTED'

async function leaveFutureAppointments(
  tx: Queryable,
  service: Service,
  scene: Omit<Story, 'news'>,
  customer: CustomerRow,
  locked: Map<number, Locked>,
  allowed: boolean,
) {
  const expected = await futureParticipations(tx, customer)
  // Bookings first: the mail about a request to move must not say that the booking stays.
  const leaving = expected.toSorted((one, other) => Number(isAsked(one)) - Number(isAsked(other)))
  const isPromised = ({ state }: FutureParticipation) => state !== 'RESERVED'
  if (leaving.some(isPromised) && !allowed) throw futureAppointments('Customer')
  await readdressParticipations(tx, customer)
  for (const one of leaving) {
    const resource = locked.get(one.resourceId)
    // Joined while we waited for the Customer.
    if (!resource) throw new BeginAnew()
    await moveParticipation(tx, one.id, one.state, 'CANCELED', null)
    const news = {
      'participation.cancelled': isPromised(one) ? [one.id] : [],
      'appointment.cancelled': await closeIfEmpty(tx, [one.appointmentId]),
    }
    const sendMails = one.customerId !== null || customer.email !== null
    await happened(tx, service, { ...scene, news, now: resource.now, sendMails })
  }
}
