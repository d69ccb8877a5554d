import { lockById, lockByIds } from '../../db/base/ledger.ts'
import { findAppointment } from '../../db/scheduling/appointments.ts'
import { findCustomer, lockCustomer } from '../../db/scheduling/customers.ts'
import { findParticipation, findReplaced } from '../../db/scheduling/participations.ts'
import { membersOfSeries } from '../../db/scheduling/series.ts'
import { resourceOfTimeslot } from '../../db/scheduling/timeslots.ts'
import { findEntry, lockEntry } from '../../db/scheduling/waiting-entries.ts'
import { findLiveOffer } from '../../db/scheduling/waiting-line.ts'
import { findResource, findResources } from '../../db/setup/resources.ts'
import { isUuid } from '../../rules/references.ts'
import type { RecordLock } from '../setup/run-if-unchanged.ts'
import { lockResourcesOf } from './customers/customers.ts'
import { lockBoth } from './customers/merge-customers.ts'

// A record that moves to another Resource while this waits no longer matches, because the record names it.

export const lockTimeslotRecord: RecordLock = async (tx, { providerId, params }) => {
  const resourceId = await resourceOfTimeslot(tx, providerId, params.timeslotRef!)
  if (resourceId !== null) await lockById(tx, resourceId)
}

/** Also locks the Resource that the Appointment is to move to. */
export const lockAppointmentRecord: RecordLock = async (tx, { providerId, params, body }) => {
  const found = await findAppointment(tx, providerId, params.appointmentRef!)
  const { resourceReference } = (body ?? {}) as { resourceReference?: string | null }
  const target = resourceReference ? await findResource(tx, providerId, resourceReference) : null
  if (found) await lockByIds(tx, [found.resourceId, target?.id ?? found.resourceId])
}

/** With the Resources that its dates move to. */
export const lockSeriesRecord: RecordLock = async (tx, { providerId, params, body }) => {
  if (!isUuid(params.seriesId!)) return
  const { dates = [] } = (body ?? {}) as { dates?: { resourceReference: string }[] }
  const members = await membersOfSeries(tx, providerId, params.seriesId!)
  const targets = await findResources(
    tx,
    providerId,
    dates.map(one => one.resourceReference),
  )
  await lockByIds(tx, [...members.map(one => one.resourceId), ...targets.map(one => one.id)])
}

export const lockParticipationRecord: RecordLock = async (tx, { providerId, params }) => {
  const found = await findParticipation(tx, providerId, params.participationRef!)
  if (!found) return
  const replaced = await findReplaced(tx, found.replaces)
  await lockByIds(tx, [found.resourceId, replaced?.resourceId ?? found.resourceId])
}

export const lockCustomerRecord: RecordLock = (tx, { providerId, params }) =>
  lockCustomer(tx, providerId, params.customerRef!)

/** Deleting cancels places, so their Resources come first. */
export const lockLeavingCustomer: RecordLock = async (tx, { providerId, params }) => {
  const found = await findCustomer(tx, providerId, params.customerRef!)
  if (!found) return
  await lockResourcesOf(tx, found)
  await lockCustomer(tx, providerId, params.customerRef!)
}

/** Both Customers, and the Resources at which they have places. */
export const lockMergingCustomers: RecordLock = (tx, { providerId, params, body }) =>
  lockBoth(
    tx,
    { id: providerId },
    params.customerRef!,
    (body as { customerReference: string }).customerReference,
  )

export const lockWaitingEntry: RecordLock = async (tx, { params }) => {
  const found = isUuid(params.entryUuid!) ? await findEntry(tx, params.entryUuid!) : null
  const offer = found && (await findLiveOffer(tx, found.id))
  if (offer) await lockById(tx, offer.resourceId)
  if (found) await lockEntry(tx, found.uuid)
}
