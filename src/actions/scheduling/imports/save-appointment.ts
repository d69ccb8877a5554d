import type { Transaction } from '../../../db/base/queryable.ts'
import { type CustomerRow, findCustomer } from '../../../db/scheduling/customers.ts'
import {
  type ImportRow,
  type LineOutcome,
  unusedByEmail,
  type WaitingLine,
} from '../../../db/scheduling/imports.ts'
import { invalidField } from '../../../errors.ts'
import { plain } from '../../../rules/imports/values.ts'
import type { Service } from '../../../service.ts'
import { bookWalkIn } from '../appointments/book-walk-in.ts'
import { createCustomerIn } from '../customers/customers.ts'
import { attempt, outcome } from './outcomes.ts'
import { type AppointmentLine, type Readers, readAppointmentLine } from './read-line.ts'
import { madeUpReference } from './save-customer.ts'

/** Books line by line, under the lock of the Resource like every booking. */
export async function saveAppointments(
  service: Service,
  _tx: Transaction,
  row: ImportRow,
  lines: WaitingLine[],
  readers: Readers,
): Promise<LineOutcome[]> {
  const outcomes: LineOutcome[] = []
  for (const one of lines) {
    const done = await attempt(one.line, async () => saveOne(service, row, one, readers))
    outcomes.push('value' in done ? done.value : done.refused)
  }
  return outcomes
}

/** Staff may book these times too. A person may have two places at once, with a relative. */
const usuallyIgnored = ['not-open', 'closed', 'busy', 'customer-booked'] as const

async function saveOne(
  service: Service,
  row: ImportRow,
  { line, cells }: WaitingLine,
  readers: Readers,
): Promise<LineOutcome> {
  const { provider } = readers
  const { actor, options } = row
  const read = readAppointmentLine(row, cells, readers)
  return service.db.transaction(async tx => {
    const person = await findOrCreate(tx, service, row, read, readers)
    const walkIn = {
      ...read,
      start: new Date(read.start).toISOString(),
      end: new Date(read.end).toISOString(),
      capacity: null,
      notes: read.note,
      who: { reference: person.customer.reference },
    }
    const ignoreConflicts = options.onlyOpen ? ['customer-booked' as const] : [...usuallyIgnored]
    const booked = await bookWalkIn({ service, actor, provider }, walkIn, {
      ignoreConflicts,
      sendMails: options.sendMails,
    })
    return outcome(line, 'CREATED', {
      customerId: person.customer.id,
      isNewCustomer: person.created,
      appointmentId: booked.id,
      before: { participation: booked.participation, joined: booked.joined },
    })
  })
}

/** By reference, else by address, else by name and number within the same file. */
async function findOrCreate(
  tx: Transaction,
  service: Service,
  row: ImportRow,
  read: AppointmentLine,
  { provider }: Readers,
) {
  const { customerReference, person } = read
  if (customerReference) {
    const found = await findCustomer(tx, provider.id, customerReference)
    if (found) return { customer: found, created: false }
    if (!person.name) throw invalidField('customerReference', 'known-name')
  }
  const found = person.email ? await findByEmail(tx, row, person.email, person.name) : null
  if (found) return { customer: found, created: false }
  if (!person.name) throw invalidField('email', 'known-name')
  const made = madeUpReference(
    row.digest,
    [person.name, person.email, person.mobile].map(one => plain(one ?? '')).join('\n'),
  )
  const fields = { ...person, name: person.name, reference: customerReference ?? made }
  return createCustomerIn(tx, { service, actor: row.actor, provider }, fields)
}

/** Relatives share addresses, so the name must be the same, too. */
async function findByEmail(tx: Transaction, { providerId }: ImportRow, email: string, name: string | null) {
  const found = await unusedByEmail(tx, { providerId, id: 0 }, [email])
  const isSame = (one: CustomerRow) => name === null || plain(one.name) === plain(name)
  return found.find(isSame) ?? null
}
