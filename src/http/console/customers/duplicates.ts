import Type from 'typebox'
import { findDuplicates, settleDistinct } from '../../../actions/scheduling/customers/duplicates.ts'
import { type CustomerRow, findCustomerByUuid } from '../../../db/scheduling/customers.ts'
import { customer } from '../../../entities/customer.ts'
import { only } from '../../../entities/entity.ts'
import { notFound } from '../../../errors.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { duplicateQuery, Same } from '../../scheduling/duplicates.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { customerInPath, providerInPath } from '../subjects.ts'

const brief = only(customer, ['uuid', 'name', 'email', 'mobile', 'birthDate', 'address', 'updatedAt'])

const Duplicate = Type.Object(
  {
    customers: Type.Array(Type.Object(brief.outputs, { title: 'DuplicateCustomer' }), {
      minItems: 2,
      maxItems: 2,
      description: 'The older one first.',
    }),
    same: Same,
  },
  { title: 'ConsoleDuplicate' },
)

export const findConsoleDuplicates = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/duplicate-customers',
  operationId: 'findDuplicateCustomers',
  access: { right: 'add-customers', whose: providerInPath },
  summary: 'Find duplicate Customers',
  description:
    'Pairs with the same email, number, or name and birth date, without those marked as two people. `next` is sent as `after` for the next page.',
  query: duplicateQuery,
  replies: {
    200: Type.Object(
      { pairs: Type.Array(Duplicate), next: Nullable(Type.String()) },
      { title: 'ConsoleDuplicates' },
    ),
  },
  async handle({ query, service, found: provider }) {
    const { pairs, next } = await findDuplicates(service.db, provider.id, query.after, query.limit)
    const shown = pairs.map(({ customers, same }) => ({ customers: customers.map(brief.record), same }))
    return { pairs: shown, next }
  },
})

const pair = {
  path: '/console/api/customers/:uuid/distinct/:otherUuid',
  access: { right: 'add-customers', whose: customerInPath },
  replies: { 204: null },
} as const

export const markConsoleDistinct = consoleRoute({
  ...pair,
  method: 'PUT',
  operationId: 'markDistinctCustomers',
  summary: 'Mark two Customers as different people',
  description: 'They are no longer listed as duplicates of each other.',
  errors: ['invalid-field'],
  async handle({ params, service, found }) {
    await settleDistinct(service, found, await otherIn(service, found, params.otherUuid), true)
  },
})

export const unmarkConsoleDistinct = consoleRoute({
  ...pair,
  method: 'DELETE',
  operationId: 'unmarkDistinctCustomers',
  summary: 'Remove the mark of two Customers as different people',
  description: 'They are listed as duplicates again if they have something in common.',
  errors: ['invalid-field'],
  async handle({ params, service, found }) {
    await settleDistinct(service, found, await otherIn(service, found, params.otherUuid), false)
  },
})

async function otherIn({ db }: Service, { providerId }: CustomerRow, uuid: string): Promise<CustomerRow> {
  const found = isUuid(uuid) ? await findCustomerByUuid(db, uuid) : null
  if (found?.providerId !== providerId) throw notFound('Customer', uuid)
  return found
}
