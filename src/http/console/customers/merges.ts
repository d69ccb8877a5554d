import Type from 'typebox'
import { mergeCustomers } from '../../../actions/scheduling/customers/merge-customers.ts'
import { undoMerge } from '../../../actions/scheduling/customers/undo-merge.ts'
import { undoableMerges } from '../../../db/scheduling/merges.ts'
import { customer } from '../../../entities/customer.ts'
import { dryRunQuery, MergeRecord, mergeRecord } from '../../scheduling/merges.ts'
import { recordAt } from '../../wire/callers/permit.ts'
import { RequiredUuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { customerInPath } from '../subjects.ts'

const { reference: _, ...fields } = customer.inputs
const MergedCustomer = Type.Object(customer.outputs, { title: 'MergedCustomer' })

export const mergeCustomerPage = consoleRoute({
  method: 'POST',
  path: '/console/api/customers/:uuid/merge',
  operationId: 'mergeCustomerPage',
  access: { right: 'add-customers', whose: customerInPath },
  summary: 'Merge another Customer into this one',
  description:
    'Bookings, answers, emails, series and waiting list entries move; blank fields are filled in; notes are joined. Fields in the body replace these values. Can be undone for 30 days. With `dryRun`, shows the result without saving it.',
  query: dryRunQuery,
  body: Type.Object(
    { other: RequiredUuid, ...Type.Partial(Type.Object(fields)).properties },
    { title: 'CustomerPageMerge' },
  ),
  replies: { 200: Type.Object({ customer: MergedCustomer, merge: MergeRecord }, { title: 'MergeResult' }) },
  errors: ['merge-conflict', 'customer-merged'],
  async handle({ query, body, service, found, only, context }) {
    const { other, ...chosen } = body
    const merged = await recordAt(service.db, customerInPath, found.providerId, other, only)
    const request = { kept: found.reference, merged: merged.reference, chosen, dryRun: query.dryRun }
    const done = await mergeCustomers(context, request)
    return { customer: customer.record(done.customer), merge: mergeRecord(done.merge) }
  },
})

export const getMergesOfPage = consoleRoute({
  method: 'GET',
  path: '/console/api/customers/:uuid/merges',
  operationId: 'getMergesOfCustomerPage',
  access: { right: 'add-customers', whose: customerInPath },
  summary: 'Get the merges into a Customer',
  description: 'Those that can still be undone, newest first.',
  replies: {
    200: Type.Object({ merges: Type.Array(MergeRecord) }, { title: 'CustomerMerges' }),
  },
  handle: async ({ service, found }) => ({
    merges: (await undoableMerges(service.db, found)).map(mergeRecord),
  }),
})

export const undoMergeOfPage = consoleRoute({
  method: 'POST',
  path: '/console/api/customers/:uuid/merges/:mergeUuid/undo',
  operationId: 'undoMergeOfCustomerPage',
  access: { right: 'add-customers', whose: customerInPath },
  summary: 'Undo a merge',
  description:
    'Within 30 days. The merged Customer returns with the bookings and entries that the merge moved; bookings made since then stay.',
  replies: {
    200: Type.Object({ customer: MergedCustomer, restored: MergedCustomer }, { title: 'UndoneMerge' }),
  },
  errors: ['undo-expired', 'reference-exists', 'customer-merged'],
  async handle({ params, found, context }) {
    const done = await undoMerge(context, found.reference, params.mergeUuid)
    return { customer: customer.record(done.customer), restored: customer.record(done.restored) }
  },
})
