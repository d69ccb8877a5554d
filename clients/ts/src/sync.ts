import { HoldfastError, unwrap } from './answers.ts'
import type { HoldfastClient } from './client.ts'
import type { Schemas } from './schemas.ts'

type Inputs = {
  products: Schemas['ProductInput']
  resources: Schemas['ResourceInput']
  customers: Schemas['CustomerInput']
  timeslots: Schemas['TimeslotInput']
}
type Records = {
  products: Schemas['Product']
  resources: Schemas['Resource']
  customers: Schemas['Customer']
  timeslots: Schemas['Timeslot']
}
type SyncKind = keyof Inputs

type SyncPlace = { crmId: string; providerRef: string }

export type SyncResult<K extends SyncKind> = {
  /** The records as they are now, new and known ones, in the order sent. */
  saved: Records[K][]
  /** What the service refused, and why. The others are saved all the same. */
  refused: { record: Inputs[K]; error: HoldfastError }[]
}

/**
 * Creates or updates records by reference, in batches. A refused record does not hold back the others. Sending
 * the same records again changes nothing, so a sync may run as often as you like.
 */
export async function upsertMany<K extends SyncKind>(
  client: HoldfastClient,
  kind: K,
  place: SyncPlace,
  records: Iterable<Inputs[K]>,
  batchSize = 500,
): Promise<SyncResult<K>> {
  const all = [...records]
  const result: SyncResult<K> = { saved: [], refused: [] }
  for (let start = 0; start < all.length; start += batchSize)
    await saveBatch(client, kind, place, all.slice(start, start + batchSize), result)
  return result
}

async function saveBatch<K extends SyncKind>(
  client: HoldfastClient,
  kind: K,
  place: SyncPlace,
  batch: Inputs[K][],
  result: SyncResult<K>,
) {
  let rest = batch
  while (rest.length > 0) {
    try {
      const saved = await createAll(client, kind, place, rest)
      result.saved.push(...(await updateChanged(client, kind, place, rest, saved)))
      return
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.status >= 500 || error.status === 429) throw error
      const bad = recordsAtFault(error, rest.length)
      for (const index of bad) await saveAlone(client, kind, place, rest[index]!, error, result)
      rest = rest.filter((_, index) => !bad.has(index))
    }
  }
}

/** Errors name the entries as `customers[3].email`. If none is named, the request as a whole is wrong. */
function recordsAtFault(error: HoldfastError, count: number): Set<number> {
  const found = error.errors.flatMap(({ field }) => /\[(\d+)\]/.exec(field ?? '')?.[1] ?? []).map(Number)
  if (found.length === 0 && count > 1) throw error
  return new Set(found.length > 0 ? found : [0])
}

/** A Timeslot that exists with other content is refused by create, and updated here. */
async function saveAlone<K extends SyncKind>(
  client: HoldfastClient,
  kind: K,
  { crmId, providerRef }: SyncPlace,
  record: Inputs[K],
  error: HoldfastError,
  { saved, refused }: SyncResult<K>,
) {
  if (kind !== 'timeslots' || error.code !== 'reference-exists') {
    refused.push({ record, error })
    return
  }
  const { reference, resourceReference: _, start, ...fields } = record as Inputs['timeslots']
  const body = { ...fields, start: start ?? undefined }
  const path = { crmId, providerRef, timeslotRef: reference! }
  try {
    const { timeslot } = await unwrap(
      client.PUT('/crms/{crmId}/provider/{providerRef}/timeslots/{timeslotRef}', { params: { path }, body }),
    )
    saved.push(timeslot as Records[K])
  } catch (second) {
    if (!(second instanceof HoldfastError) || second.status >= 500) throw second
    refused.push({ record, error: second })
  }
}

async function createAll<K extends SyncKind>(
  client: HoldfastClient,
  kind: K,
  path: SyncPlace,
  batch: Inputs[K][],
): Promise<Records[K][]> {
  const url = `/crms/{crmId}/provider/{providerRef}/${kind}` as const
  const body = { [kind]: batch } as unknown as { timeslots: Inputs['timeslots'][] }
  const answer: unknown = await unwrap(
    client.POST(url as '/crms/{crmId}/provider/{providerRef}/timeslots', { params: { path }, body }),
  )
  return (answer as Record<K, Records[K][]>)[kind]
}

/** Creating a Customer who exists changes nothing, so those that differ are updated. */
async function updateChanged<K extends SyncKind>(
  client: HoldfastClient,
  kind: K,
  { crmId, providerRef }: SyncPlace,
  sent: Inputs[K][],
  saved: Records[K][],
): Promise<Records[K][]> {
  if (kind !== 'customers') return saved
  const updated: Records[K][] = []
  for (const [index, record] of saved.entries()) {
    const body = sent[index] as Inputs['customers']
    if (!differs(body, record)) {
      updated.push(record)
      continue
    }
    const path = { crmId, providerRef, customerRef: body.customerReference }
    const url = '/crms/{crmId}/provider/{providerRef}/customers/{customerRef}'
    const { customer } = await unwrap(client.PUT(url, { params: { path }, body }))
    updated.push(customer as Records[K])
  }
  return updated
}

const differs = (sent: object, saved: object) =>
  Object.entries(sent).some(
    ([name, value]) =>
      value !== undefined && (value || null) !== ((saved as Record<string, unknown>)[name] ?? null),
  )
