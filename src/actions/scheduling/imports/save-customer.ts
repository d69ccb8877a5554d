import { isDeepStrictEqual } from 'node:util'
import { RestartTransaction } from '../../../db/base/postgres-errors.ts'
import type { Transaction } from '../../../db/base/queryable.ts'
import {
  type CustomerFields,
  type CustomerRow,
  customersByReference,
} from '../../../db/scheduling/customers.ts'
import {
  type ImportRow,
  type LineOutcome,
  unusedByEmail,
  type WaitingLine,
} from '../../../db/scheduling/imports.ts'
import { formerReferences } from '../../../db/scheduling/merges.ts'
import { customer } from '../../../entities/customer.ts'
import { sha256 } from '../../../lib/hash.ts'
import { plain } from '../../../rules/imports/values.ts'
import type { Service } from '../../../service.ts'
import { readDetails } from '../customers/customer-details.ts'
import { createManyIn, updateCustomer } from '../customers/customers.ts'
import { attempt, outcome } from './outcomes.ts'
import { type CustomerLine, type Readers, readCustomerLine } from './read-line.ts'

/** Reads the whole batch, looks all its Customers up at once, creates new ones at once, and updates the others one by one. */
export async function saveCustomers(
  service: Service,
  tx: Transaction,
  row: ImportRow,
  lines: WaitingLine[],
  readers: Readers,
): Promise<LineOutcome[]> {
  const scene = { service, tx, row, readers }
  const read = await Promise.all(lines.map(line => readOne(scene, line)))
  const good = read.filter(one => 'fields' in one)
  const known = await lookUp(scene, good)
  const chosen = good.map(one => ({ ...one, existing: takeExisting(known, one) }))
  const made = await createAll(
    scene,
    chosen.filter(one => !one.existing),
  )
  // Taken by another import or request since they were looked up.
  const late = await lookUp(
    scene,
    chosen.filter(one => !one.existing && !made.has(one.line.line)),
  )
  const saved = new Map(made)
  for (const one of chosen) {
    if (saved.has(one.line.line)) continue
    const existing = one.existing ?? late.byReference.get(one.reference)
    if (!existing) throw new RestartTransaction()
    saved.set(one.line.line, await saveExisting(scene, one, existing))
  }
  return read.map(one => ('fields' in one ? saved.get(one.line.line)! : one))
}

type Scene = { service: Service; tx: Transaction; row: ImportRow; readers: Readers }

/** `isOwn`: the file has a reference; otherwise one is generated. */
type ReadLine = { line: WaitingLine; reference: string; isOwn: boolean; fields: CustomerLine['fields'] }

async function readOne({ tx, row, readers }: Scene, line: WaitingLine): Promise<ReadLine | LineOutcome> {
  const done = await attempt(line.line, async () => {
    const { reference, fields } = readCustomerLine(row, line.cells, readers)
    // Refuses wrong values of own fields before anything is written.
    await readDetails(tx, readers.provider, fields)
    return {
      line,
      reference: reference ?? madeUpReference(row.digest, String(line.line)),
      isOwn: reference !== null,
      fields,
    }
  })
  return 'value' in done ? done.value : done.refused
}

type Known = { byReference: Map<string, CustomerRow>; byEmail: Map<string, CustomerRow[]> }

async function lookUp({ tx, row }: Scene, lines: ReadLine[]): Promise<Known> {
  if (lines.length === 0) return { byReference: new Map(), byEmail: new Map() }
  const [named, addressed] = await Promise.all([
    customersByReference(
      tx,
      row.providerId,
      lines.map(one => one.reference),
    ),
    unusedByEmail(
      tx,
      row,
      lines.flatMap(one => one.fields.email ?? []),
    ),
  ])
  return {
    byReference: new Map(named.map(one => [one.reference, one])),
    byEmail: Map.groupBy(addressed, one => one.email!.toLowerCase()),
  }
}

/** The outcomes by line. Those whose reference is taken have none. */
async function createAll(
  { service, tx, row, readers }: Scene,
  lines: ReadLine[],
): Promise<Map<number, LineOutcome>> {
  const { provider } = readers
  const former = new Set(
    await formerReferences(
      tx,
      provider.id,
      lines.map(one => one.reference),
    ),
  )
  const details = await Promise.all(
    lines
      .filter(one => !former.has(one.reference))
      .map(async one => ({ ...(await readDetails(tx, provider, one.fields)), reference: one.reference })),
  )
  const made = await createManyIn(tx, { service, actor: row.actor, provider }, details as CustomerFields[])
  return new Map(
    lines.flatMap(({ line, reference }): [number, LineOutcome][] => {
      const id = made.get(reference)
      if (former.has(reference)) return [[line.line, outcome(line.line, 'REFUSED', { problems: merged })]]
      return id === undefined
        ? []
        : [[line.line, outcome(line.line, 'CREATED', { customerId: id, isNewCustomer: true })]]
    }),
  )
}

const merged = [{ code: 'customer-merged' as const, field: 'reference', rule: null, limit: null }]

async function saveExisting(scene: Scene, one: ReadLine, existing: CustomerRow): Promise<LineOutcome> {
  const { line } = one.line
  if (scene.row.options.duplicates === 'skip') return outcome(line, 'SKIPPED', { customerId: existing.id })
  const done = await attempt(line, () => update(scene, one, existing))
  return 'value' in done ? done.value : done.refused
}

/** A Customer is used for one line only. */
function takeExisting({ byReference, byEmail }: Known, { line, reference, isOwn, fields }: ReadLine) {
  const named = byReference.get(reference)
  if (named) return named
  const email = fields.email?.toLowerCase()
  const candidates = (email && byEmail.get(email)) || []
  const isSameName = (one: CustomerRow) => plain(one.name) === plain(fields.name)
  // One with a reference of its own is another customer than a line with another reference.
  const fitting = candidates.filter(one => !isOwn || isGenerated(one.reference))
  const found = fitting.find(isSameName) ?? (line.sharesEmail ? undefined : fitting[0])
  if (found)
    byEmail.set(
      email!,
      candidates.filter(one => one !== found),
    )
  return found
}

const isGenerated = (reference: string) => /^[0-9a-f-]{36}@(consumer|console)$/.test(reference)

async function update(
  { service, row, readers }: Scene,
  one: ReadLine,
  existing: CustomerRow,
): Promise<LineOutcome> {
  const { address, tags, ...fields } = one.fields
  const change: Partial<CustomerFields> = {
    ...fields,
    ...(one.isOwn && { reference: one.reference }),
    // Only written in another way.
    ...(fields.email?.toLowerCase() === existing.email?.toLowerCase() && { email: existing.email }),
    ...(address && { address: { ...existing.address, ...address } }),
    ...(tags && { tags: [...existing.tags, ...tags] }),
  }
  const saved = await updateCustomer(
    { service, actor: row.actor, provider: readers.provider },
    existing.reference,
    change,
  )
  const names = Object.keys(customer.inputs) as (keyof CustomerFields)[]
  const changed = names.filter(name => !isDeepStrictEqual(saved[name], existing[name]))
  if (changed.length === 0) return outcome(one.line.line, 'UNCHANGED', { customerId: saved.id })
  const before = Object.fromEntries(changed.map(name => [name, existing[name]]))
  return outcome(one.line.line, 'CHANGED', { customerId: saved.id, before })
}

/**
 * The same for the same line of the same file: importing a file again, or twice at the same time, finds the Customers of the
 * first import instead of adding them again.
 */
export function madeUpReference(digest: string, name: string): string {
  const hex = sha256(`${digest}\n${name}`).toString('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `${parts.join('-')}@console`
}
