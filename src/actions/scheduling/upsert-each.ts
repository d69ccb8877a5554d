import { Refusal } from '../../errors.ts'

export type Upserted<Row> =
  | { result: 'created' | 'changed' | 'unchanged'; record: Row }
  | { result: 'refused'; refusal: Refusal }

/** Saves one after the other. `refused` has those that are invalid. */
export async function upsertEach<T, Row>(
  sent: T[],
  refused: Map<number, Refusal>,
  save: (one: T, index: number) => Promise<Upserted<Row>>,
): Promise<Upserted<Row>[]> {
  const results: Upserted<Row>[] = []
  for (const [index, one] of sent.entries()) {
    const refusal = refused.get(index)
    results.push(refusal ? { result: 'refused', refusal } : await saveOrRefuse(() => save(one, index)))
  }
  return results
}

/** Trouble of the service is not the record's fault: it ends the call. */
async function saveOrRefuse<Row>(save: () => Promise<Upserted<Row>>): Promise<Upserted<Row>> {
  try {
    return await save()
  } catch (error) {
    const isRecords = error instanceof Refusal && !['unavailable', 'suspended'].includes(error.code)
    if (!isRecords) throw error
    return { result: 'refused', refusal: error }
  }
}
