import Type from 'typebox'
import { findDuplicates, settleDistinct } from '../../actions/scheduling/customers/duplicates.ts'
import type { ProviderContext } from '../../callers.ts'
import { findCustomer } from '../../db/scheduling/customers.ts'
import { sameness } from '../../db/scheduling/duplicates.ts'
import { notFound } from '../../errors.ts'
import { Choice } from '../wire/fields.ts'
import { linkAfter } from '../wire/pages.ts'
import { crmRoutes } from '../wire/route.ts'
import { CustomerRecord, customerRecord } from './customers.ts'

const crmRoute = crmRoutes('B7. Customers')

export const Same = Type.Array(Choice(sameness), {
  description: 'What both have in common; `birthDate` stands for name and birth date.',
})

export const duplicateQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 25,
    description: 'Wanted number of pairs. A page may have fewer, or none, and yet a next one.',
  }),
  after: Type.Optional(Type.String({ maxLength: 2000, description: 'Where the previous page ended.' })),
}

export const getDuplicates = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/duplicate_customers',
  operationId: 'getDuplicateCustomers',
  summary: 'Get duplicate Customers',
  description:
    'Pairs of Customers with the same email, the same number however it is written, or the same name and birth date; the older one comes first. Pairs that were marked as two people are left out. `Link` points to the next page.',
  query: duplicateQuery,
  replies: {
    200: Type.Array(
      Type.Object(
        { customers: Type.Array(CustomerRecord, { minItems: 2, maxItems: 2 }), same: Same },
        { title: 'DuplicateCustomers' },
      ),
    ),
  },
  isList: true,
  async handle({ query, service, request, reply, found: provider }) {
    const { pairs, next } = await findDuplicates(service.db, provider.id, query.after, query.limit)
    if (next) linkAfter({ service, request, reply, query }, next)
    return pairs.map(({ customers, same }) => ({
      customers: customers.map(one => customerRecord(provider, one)),
      same,
    }))
  },
})

const pairPath = '/crms/:crmId/provider/:providerRef/customers/:customerRef/distinct/:otherRef'

export const setDistinct = crmRoute({
  method: 'PUT',
  path: pairPath,
  operationId: 'setDistinctCustomers',
  summary: 'Mark two Customers as different people',
  description: 'They are no longer listed as duplicates of each other. Repeating it changes nothing.',
  replies: { 204: null },
  errors: ['invalid-field'],
  handle: ({ params, context }) => settle(context, params, true),
})

export const unsetDistinct = crmRoute({
  method: 'DELETE',
  path: pairPath,
  operationId: 'unsetDistinctCustomers',
  summary: 'Remove the mark of two Customers as different people',
  description: 'They are listed as duplicates again if they have something in common.',
  replies: { 204: null },
  errors: ['invalid-field'],
  handle: ({ params, context }) => settle(context, params, false),
})

type Pair = { customerRef: string; otherRef: string }

async function settle({ service, provider }: ProviderContext, params: Pair, areDistinct: boolean) {
  const find = async (reference: string) => {
    const found = await findCustomer(service.db, provider.id, reference)
    if (!found) throw notFound('Customer', reference)
    return found
  }
  await settleDistinct(service, await find(params.customerRef), await find(params.otherRef), areDistinct)
}
