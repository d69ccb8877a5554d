import type { Transaction } from '../../../db/base/queryable.ts'
import { nestedDb } from '../../../db/base/transactions.ts'
import { queueImport } from '../../../db/import-jobs.ts'
import {
  clearCells,
  type ImportRow,
  type LineOutcome,
  lockImport,
  lockLines,
  saveOutcomes,
  updateImport,
  type WaitingLine,
  waitingLines,
} from '../../../db/scheduling/imports.ts'
import { listProducts } from '../../../db/setup/products.ts'
import { findProviderById } from '../../../db/setup/providers.ts'
import { customerQuestions } from '../../../db/setup/questions.ts'
import { listResources } from '../../../db/setup/resources.ts'
import { clockNow } from '../../../lib/clock.ts'
import type { Service } from '../../../service.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import { attempt } from './outcomes.ts'
import { type Readers, readAppointmentLine } from './read-line.ts'
import { saveAppointments } from './save-appointment.ts'
import { saveCustomers } from './save-customer.ts'
import { undoBatch } from './undo-import.ts'

type Key = Pick<ImportRow, 'providerId' | 'id'>

/** A longer job would hold up a service that is stopping. The next job continues. */
const jobMs = 5_000

/**
 * Works on an import: checks, imports or undoes it, batch by batch. A batch and the results of its lines commit together, so a
 * crash loses nothing and repeats nothing. Several workers may run this: the lock of the import lets one batch through at a time.
 */
export async function workOnImport(service: Service, key: Key) {
  const until = performance.now() + jobMs
  while (performance.now() < until && !service.health.isDraining) if (!(await step(service, key))) return
  await queueImport(service.db, key)
}

/** Returns false if nothing is left to do. */
async function step(service: Service, key: Key): Promise<boolean> {
  const row = await service.db.transaction(tx => lockImport(tx, key))
  if (!row) return false
  if (row.state === 'UNDOING') return inBatch(service, row, tx => undoBatch(service, tx, row))
  if (row.state !== 'CHECKING' && row.state !== 'RUNNING') return false
  const readers = await readersOf(service, row)
  const batches = await nextBatches(service, row, readers)
  for (const lines of batches) if (!(await runBatch(service, row, lines, readers))) return true
  return batches.length > 0 || finish(service, row)
}

async function readersOf({ db }: Service, { providerId }: ImportRow): Promise<Readers> {
  const all = { after: null, limit: null }
  const [provider, questions, resources, products] = await Promise.all([
    findProviderById(db, providerId),
    customerQuestions(db, providerId),
    listResources(db, providerId, all),
    listProducts(db, providerId, all),
  ])
  const offered = resources.filter(one => !one.archived)
  return { provider: provider!, questions, resources: offered, products, now: clockNow() }
}

const customersAtOnce = 200
const appointmentsAtOnce = 20

/** Bookings wait for a Resource that a batch has locked, so a batch of appointments is small. */
async function nextBatches({ db }: Service, row: ImportRow, readers: Readers): Promise<WaitingLine[][]> {
  if (row.kind === 'appointments') return byResource(row, await waitingLines(db, row, null), readers)
  const lines = await waitingLines(db, row, customersAtOnce)
  return lines.length > 0 ? [lines] : []
}

/** Appointments further apart than this do not depend on each other. */
const apartMs = 12 * 3_600_000

/**
 * Each batch has one Resource. Lines that could be in each other's way are in one batch: a check, which rolls every batch back,
 * then finds what the import will find.
 */
function byResource(row: ImportRow, lines: WaitingLine[], readers: Readers): WaitingLine[][] {
  const read = lines.map(line => {
    const one = attempt(line.line, () => readAppointmentLine(row, line.cells, readers))
    return 'value' in one
      ? { line, ...one.value, at: one.value.resource.id }
      : { line, at: 0, start: 0, end: 0 }
  })
  const sorted = read.toSorted(
    (one, other) => one.at - other.at || one.start - other.start || one.line.line - other.line.line,
  )
  const batches: (typeof read)[] = []
  for (const one of sorted) {
    const batch = batches.at(-1)
    const last = batch?.at(-1)
    const isApart = one.start - Math.max(...(batch ?? []).map(other => other.end)) > apartMs || one.at === 0
    if (!batch || last!.at !== one.at || (batch.length >= appointmentsAtOnce && isApart)) batches.push([one])
    else batch.push(one)
  }
  return batches.map(batch => batch.map(one => one.line))
}

/** Returns false if something else happened to the import meanwhile. */
async function runBatch(
  service: Service,
  row: ImportRow,
  lines: WaitingLine[],
  readers: Readers,
): Promise<boolean> {
  const save = row.kind === 'customers' ? saveCustomers : saveAppointments
  const work = async (tx: Transaction): Promise<LineOutcome[]> => {
    const waiting = await lockLines(
      tx,
      row,
      lines.map(one => one.line),
    )
    return save({ ...service, db: nestedDb(service.db, tx) }, tx, row, waiting, readers)
  }
  if (row.state === 'RUNNING')
    return inBatch(service, row, async tx => {
      const outcomes = await work(tx)
      await saveOutcomes(tx, row, outcomes, { keepCells: false })
      const isStopped = row.options.mode === 'all' && outcomes.some(one => one.result === 'REFUSED')
      if (isStopped) {
        await clearCells(tx, row)
        await updateImport(tx, row, { state: 'UNDOING', wasStopped: true })
      }
      return !isStopped
    })
  // The same work, but none of it stays.
  const outcomes = await rollbackIfUnchanged<LineOutcome[]>(service.db, async (tx, same) =>
    same(await work(tx)),
  )
  return inBatch(service, row, async tx => {
    await saveOutcomes(
      tx,
      row,
      outcomes.map(one => asChecked(row, one)),
      { keepCells: true },
    )
    return true
  })
}

/** Records that the check created are gone again. */
const asChecked = ({ kind }: ImportRow, one: LineOutcome): LineOutcome => ({
  ...one,
  customerId: kind === 'customers' && !one.isNewCustomer ? one.customerId : null,
  appointmentId: null,
})

/** Under the lock of the import, and only if its state is the same. */
const inBatch = (service: Service, row: ImportRow, work: (tx: Transaction) => Promise<boolean>) =>
  service.db.transaction(async tx => {
    const current = await lockImport(tx, row)
    return current?.state === row.state ? work(tx) : false
  })

/** All lines have a result. */
const finish = (service: Service, row: ImportRow) =>
  inBatch(service, row, async tx => {
    if (row.state === 'RUNNING') await clearCells(tx, row)
    await updateImport(tx, row, { state: row.state === 'CHECKING' ? 'CHECKED' : 'DONE' })
    return false
  })
