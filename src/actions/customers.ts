import { type Actor, recordAudit } from '../db/audit.ts'
import {
  type CustomerFields,
  type CustomerRow,
  findCustomer,
  futureParticipations,
  insertCustomer,
  lockCustomer,
  updateCustomer as update,
} from '../db/customers.ts'
import { eraseCustomer } from '../db/erasure.ts'
import { closeIfEmpty, lockById } from '../db/ledger.ts'
import { moveParticipation } from '../db/participations.ts'
import type { Queryable } from '../db/pool.ts'
import { violates } from '../db/postgres-errors.ts'
import type { ProviderRow } from '../db/providers.ts'
import { futureAppointments, notFound, referenceExists } from '../errors.ts'
import type { ParticipationState } from '../rules/participations.ts'
import type { Service } from '../service.ts'
import { notify } from './notify.ts'

/** A known reference answers the existing Customer as it is. */
export async function createCustomer(
  { db }: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: CustomerFields,
): Promise<{ customer: CustomerRow; created: boolean }> {
  return db.transaction(async tx => {
    const made = await insertCustomer(tx, provider.id, fields)
    if (made) await audit(tx, actor, provider, 'customer.create', fields.customerReference)
    const customer = made ?? (await findCustomer(tx, provider.id, fields.customerReference))
    return { customer: customer!, created: made !== null }
  })
}

/** Only the fields sent change; the reference too, if it is free. */
export async function updateCustomer(
  { db }: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  fields: Partial<CustomerFields>,
): Promise<CustomerRow> {
  return db.transaction(async tx => {
    const customer = await lockCustomer(tx, provider.id, reference)
    if (!customer) throw notFound('Customer', reference)
    const changed = {
      ...customer,
      reference: fields.customerReference ?? customer.reference,
      name: fields.userName ?? customer.name,
      email: fields.email === undefined ? customer.email : fields.email,
      mobile: fields.mobile === undefined ? customer.mobile : fields.mobile,
      note: fields.note === undefined ? customer.note : fields.note,
      language: fields.language === undefined ? customer.language : fields.language,
    }
    await audit(tx, actor, provider, 'customer.update', changed.reference)
    return update(tx, changed).catch(error => {
      if (violates(error, 'customer_reference'))
        throw referenceExists('Customer', changed.reference, 'customerReference')
      throw error
    })
  })
}

/** Takes the Customer out of all that is to come, tells them once, and forgets who they are. */
export async function deleteCustomer(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  ignoreFutureAppointments: boolean,
) {
  await service.db.transaction(async tx => {
    const customer = await lockCustomer(tx, provider.id, reference)
    if (!customer) throw notFound('Customer', reference)
    await leaveFutureAppointments(tx, service, customer, ignoreFutureAppointments)
    await eraseCustomer(tx, customer)
    await recordAudit(tx, {
      actor,
      crmId: provider.crm_id,
      providerId: provider.id,
      action: 'customer.erase',
      reference: null,
    })
  })
}

async function leaveFutureAppointments(
  tx: Queryable,
  service: Service,
  customer: CustomerRow,
  allowed: boolean,
) {
  const expected = await futureParticipations(tx, customer.id)
  if (expected.length === 0) return
  if (!allowed) throw futureAppointments('Customer')
  let now = 0
  for (const resourceId of new Set(expected.map(one => one.resource_id)))
    now = (await lockById(tx, resourceId)).now
  for (const one of await futureParticipations(tx, customer.id)) {
    await moveParticipation(tx, one.id, one.state as ParticipationState, 'CANCELED', null)
    await notify(tx, service, 'cancelled', [one.id], { now, eraseWhenDone: true })
    await closeIfEmpty(tx, [one.appointment_id])
  }
}

function audit(tx: Queryable, actor: Actor, provider: ProviderRow, action: string, reference: string) {
  return recordAudit(tx, { actor, crmId: provider.crm_id, providerId: provider.id, action, reference })
}
