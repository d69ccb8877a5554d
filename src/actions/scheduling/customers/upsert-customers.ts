import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import {
  type CustomerFields,
  type CustomerRow,
  customersByReference,
} from '../../../db/scheduling/customers.ts'
import { customerMerged, type Refusal } from '../../../errors.ts'
import { omitUndefined } from '../../../lib/objects.ts'
import { type Upserted, upsertEach } from '../upsert-each.ts'
import { createOrAdopt } from './adopt-customer.ts'
import { updateCustomer } from './customers.ts'

/** Each on its own: those that are refused do not hold back the others. */
export async function upsertCustomers(
  context: ProviderContext,
  sent: CustomerFields[],
  refused: Map<number, Refusal>,
  adopt: boolean,
): Promise<Upserted<CustomerRow>[]> {
  const rows = await customersByReference(
    context.service.db,
    context.provider.id,
    sent.filter((_, index) => !refused.has(index)).map(one => one.reference),
  )
  const known = new Map(rows.map(row => [row.reference, row]))
  return upsertEach(sent, refused, async fields => {
    const before = known.get(fields.reference)
    if (before?.invited && isDeepStrictEqual({ ...before, ...omitUndefined(fields) }, before))
      return { result: 'unchanged', record: before }
    const made = await createOrAdopt(context, fields, adopt)
    if (made.created) return { result: 'created', record: made.customer }
    // An adopted one has the reference now; another one is what the reference was merged into.
    if (made.customer.reference !== fields.reference)
      throw customerMerged(fields.reference, made.customer.reference)
    const record = await updateCustomer(context, fields.reference, fields)
    const isSame = before !== undefined && isDeepStrictEqual(record, { ...before, invited: true })
    return { result: isSame ? 'unchanged' : 'changed', record }
  })
}
