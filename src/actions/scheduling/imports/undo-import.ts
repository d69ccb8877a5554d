import type { Transaction } from '../../../db/base/queryable.ts'
import { nestedDb } from '../../../db/base/transactions.ts'
import { countTaken } from '../../../db/scheduling/appointments.ts'
import type { CustomerFields } from '../../../db/scheduling/customers.ts'
import {
  type DoneLine,
  hasOtherBookings,
  type ImportRow,
  linesToUndo,
  saveOutcomes,
  updateImport,
} from '../../../db/scheduling/imports.ts'
import { findProviderById, type ProviderRow } from '../../../db/setup/providers.ts'
import { changedSince, futureAppointments, notFound } from '../../../errors.ts'
import type { Service } from '../../../service.ts'
import { cancelAppointment } from '../appointments/cancel-appointments.ts'
import { updateParticipation } from '../appointments/participations.ts'
import { deleteCustomer, updateCustomer } from '../customers/customers.ts'
import { attempt, outcome } from './outcomes.ts'

const atOnce = 50

/** Takes the next lines back, last ones first. Returns false if all are done. */
export async function undoBatch(service: Service, tx: Transaction, row: ImportRow): Promise<boolean> {
  const lines = await linesToUndo(tx, row, atOnce)
  if (lines.length === 0) {
    await updateImport(tx, row, { state: 'UNDONE' })
    return false
  }
  const scene = {
    service: { ...service, db: nestedDb(service.db, tx) },
    row,
    provider: (await findProviderById(tx, row.providerId))!,
  }
  for (const line of lines) {
    const done = await attempt(line.line, () => undoLine(scene, line))
    const problems = 'refused' in done ? done.refused.problems : null
    const { customerId, appointmentId } = line
    const result = outcome(line.line, problems ? 'KEPT' : 'UNDONE', { problems, customerId, appointmentId })
    // At once: whether a customer has other bookings depends on it.
    await saveOutcomes(tx, row, [result], { keepCells: false })
  }
  return true
}

type Scene = { service: Service; row: ImportRow; provider: ProviderRow }

/** Whole or not at all. */
const undoLine = (scene: Scene, line: DoneLine) =>
  scene.service.db.transaction(async tx => {
    const inner = { ...scene, service: { ...scene.service, db: nestedDb(scene.service.db, tx) } }
    if (line.appointmentId !== null) await undoAppointment(inner, tx, line)
    else if (line.isNewCustomer) await eraseNew(inner, tx, line)
    else await restoreFields(inner, line)
  })

/** Without emails. Others who have joined the appointment since then keep it. */
async function undoAppointment(scene: Scene, tx: Transaction, line: DoneLine) {
  const { service, row, provider } = scene
  const { actor } = row
  const { participation, joined } = (line.before ?? {}) as { participation?: string; joined?: boolean }
  if (line.appointmentReference === null || !participation) throw notFound('Appointment', String(line.line))
  if (!line.isAppointmentUntouched && !joined) throw changedSince('start')
  const leaving = { state: 'CANCELED' as const, from: 'BOOKED' as const }
  await updateParticipation({ service, actor, provider }, participation, leaving, { sendMails: false })
  if (!joined && (await countTaken(tx, line.appointmentId!)) === 0)
    await cancelAppointment({ service, actor, provider }, line.appointmentReference, null, false)
  const isErasable = line.isNewCustomer && line.isCustomerUntouched && line.customerReference !== null
  if (isErasable && !(await hasOtherBookings(tx, row, line))) await erase(scene, line)
}

async function eraseNew(scene: Scene, tx: Transaction, line: DoneLine) {
  requireUntouched(line)
  if (await hasOtherBookings(tx, scene.row, line)) throw futureAppointments('Customer')
  await erase(scene, line)
}

const erase = ({ service, row, provider }: Scene, { customerReference }: DoneLine) =>
  deleteCustomer({ service, actor: row.actor, provider }, customerReference!, false)

async function restoreFields({ service, row, provider }: Scene, line: DoneLine) {
  requireUntouched(line)
  const before = line.before as Partial<CustomerFields>
  await updateCustomer({ service, actor: row.actor, provider }, line.customerReference!, before)
}

function requireUntouched({ customerReference, isCustomerUntouched, line }: DoneLine) {
  if (customerReference === null) throw notFound('Customer', String(line))
  if (!isCustomerUntouched) throw changedSince('name')
}
