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

type SyncOptions = {
  /** Records in one call. */
  batchSize?: number
  /** Customers from online booking with the same email get your reference, with their bookings. */
  adopt?: boolean
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
  options: SyncOptions | number = {},
): Promise<SyncResult<K>> {
  const { batchSize = 500, adopt = false } = typeof options === 'number' ? { batchSize: options } : options
  const all = [...records]
  const result: SyncResult<K> = { saved: [], refused: [] }
  for (let start = 0; start < all.length; start += batchSize) {
    const batch = all.slice(start, start + batchSize)
    if (kind === 'customers' || kind === 'timeslots')
      await upsertBatch(client, kind, place, batch, result, adopt)
    else await saveBatch(client, kind, place, batch, result)
  }
  return result
}

/** What the service answers about one record. */
type Answered = { result: string; errors?: Schemas['Error']['errors']; [noun: string]: unknown }

async function upsertBatch<K extends SyncKind>(
  client: HoldfastClient,
  kind: K,
  path: SyncPlace,
  batch: Inputs[K][],
  { saved, refused }: SyncResult<K>,
  adopt: boolean,
) {
  const url =
    `/crms/{crmId}/provider/{providerRef}/${kind}/upsert` as '/crms/{crmId}/provider/{providerRef}/customers/upsert'
  const params = { path, ...(kind === 'customers' ? { query: { adopt } } : {}) }
  const body = { [kind]: batch } as unknown as { customers: Inputs['customers'][] }
  const { results } = (await unwrap(client.POST(url, { params, body }))) as unknown as { results: Answered[] }
  for (const [index, { errors, ...answered }] of results.entries()) {
    const record = batch[index]!
    if (errors) refused.push({ record, error: new HoldfastError(statusOf(errors), { errors }) })
    else saved.push(answered[kind.slice(0, -1)] as Records[K])
  }
}

/** As if the record had been sent alone. */
const statusOf = ([first]: Schemas['Error']['errors']) =>
  first?.errorCode === 'not-found' ? 404 : first?.errorCode.endsWith('-field') ? 400 : 409

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
      result.saved.push(...(await createAll(client, kind, place, rest)))
      return
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.status >= 500 || error.status === 429) throw error
      const bad = recordsAtFault(error, rest.length)
      for (const index of bad) result.refused.push({ record: rest[index]!, error })
      rest = rest.filter((_, index) => !bad.has(index))
    }
  }
}

/** Errors name the entries as `products[3].name`. If none is named, the request as a whole is wrong. */
function recordsAtFault(error: HoldfastError, count: number): Set<number> {
  const found = error.errors.flatMap(({ field }) => /\[(\d+)\]/.exec(field ?? '')?.[1] ?? []).map(Number)
  if (found.length === 0 && count > 1) throw error
  return new Set(found.length > 0 ? found : [0])
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
