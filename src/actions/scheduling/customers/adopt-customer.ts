import type { ProviderContext } from '../../../callers.ts'
import {
  type CustomerFields,
  type CustomerRow,
  findCustomer,
  findVisitor,
} from '../../../db/scheduling/customers.ts'
import { Refusal, samePerson } from '../../../errors.ts'
import { createCustomer, updateCustomer } from './customers.ts'

type Outcome = {
  customer: CustomerRow
  created: boolean
  /** The reference of a Customer who booked online with the same address, if that stays another one. */
  samePerson: string | null
}

/**
 * A person who has booked online is a Customer already, with a generated reference. `adopt`: true gives that Customer
 * the reference and the fields; false refuses; undefined creates another one.
 */
export async function createOrAdopt(
  { service, actor, provider }: ProviderContext,
  fields: CustomerFields,
  adopt: boolean | undefined,
): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    const isKnown = (await findCustomer(service.db, provider.id, fields.reference)) !== null
    const visitor = isKnown || !fields.email ? null : await findVisitor(service.db, provider.id, fields.email)
    if (!visitor || adopt === undefined) {
      const made = await createCustomer({ service, actor, provider }, fields)
      return { ...made, samePerson: (made.created && visitor?.reference) || null }
    }
    if (!adopt) throw samePerson(visitor.reference)
    try {
      const customer = await updateCustomer({ service, actor, provider }, visitor.reference, fields)
      return { customer, created: false, samePerson: null }
    } catch (error) {
      // Adopted, merged or erased by another request at the same moment.
      const isGone =
        error instanceof Refusal && ['not-found', 'customer-merged', 'reference-exists'].includes(error.code)
      if (!isGone || tries >= 3) throw error
    }
  }
}
