import type { ProviderContext } from '../../../callers.ts'
import { findTimeslots, type TimeslotRecord } from '../../../db/scheduling/timeslots.ts'
import { Refusal, referenceExists } from '../../../errors.ts'
import { type Upserted, upsertEach } from '../upsert-each.ts'
import { updateTimeslot } from './change-timeslot.ts'
import { createTimeslots, type TimeslotFields } from './create-timeslots.ts'

type Sent = TimeslotFields & { reference: string }

/** Those that are refused do not hold back the others. Each change is made under the lock of its Resource. */
export async function upsertTimeslots(
  context: ProviderContext,
  sent: Sent[],
  refused: Map<number, Refusal>,
): Promise<Upserted<TimeslotRecord>[]> {
  const valid = sent.filter((_, index) => !refused.has(index))
  const rows = await findTimeslots(
    context.service.db,
    context.provider.id,
    valid.map(one => one.reference),
  )
  const known = new Map(rows.map(row => [row.reference, row]))
  const made = await createAll(
    context,
    valid.filter(one => !known.has(one.reference)),
  )
  return upsertEach(sent, refused, async fields => {
    const created = made.get(fields.reference)
    if (created) return { result: 'created', record: created }
    const before = known.get(fields.reference)
    if (!before) {
      const { timeslots, created: isNew } = await createTimeslots(context, [fields]).catch(withoutIndex)
      return { result: isNew ? 'created' : 'unchanged', record: timeslots[0]! }
    }
    if (before.resourceReference !== fields.resourceReference)
      throw referenceExists('Timeslot', fields.reference, 'resourceReference')
    const { reference, resourceReference: _, start, ...rest } = fields
    const change = { ...rest, ...(start ? { start } : {}) }
    const record = await updateTimeslot(context, reference, change)
    return { result: record.updatedAt === before.updatedAt ? 'unchanged' : 'changed', record }
  })
}

/** New ones in one transaction, with one lock for each Resource. If one is refused, each is tried alone. */
async function createAll(context: ProviderContext, sent: Sent[]) {
  if (sent.length === 0) return new Map<string, TimeslotRecord>()
  try {
    const { timeslots } = await createTimeslots(context, sent)
    return new Map(timeslots.map(one => [one.reference, one]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return new Map<string, TimeslotRecord>()
  }
}

/** The result says which one it is. */
function withoutIndex(error: unknown): never {
  if (error instanceof Refusal)
    for (const one of [error, ...error.others]) one.field = one.field?.replace('timeslots[0].', '')
  throw error
}
