import Type from 'typebox'
import { missingCustomer } from '../../actions/scheduling/customers/customers.ts'
import { mergeCustomers } from '../../actions/scheduling/customers/merge-customers.ts'
import { undoMerge as undo } from '../../actions/scheduling/customers/undo-merge.ts'
import { lockMergingCustomers } from '../../actions/scheduling/lock-records.ts'
import { findCustomer } from '../../db/scheduling/customers.ts'
import { type MergeRow, undoableMerges, undoDays } from '../../db/scheduling/merges.ts'
import { customer } from '../../entities/customer.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { Moment, Reference, Uuid } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { CustomerRecord, customerRecord, getCustomer } from './customers.ts'

const crmRoute = crmRoutes('B7. Customers')

export const MergeRecord = Type.Object(
  {
    uuid: Uuid,
    formerReference: Type.String({
      description: 'Reference of the Customer that was merged. It leads to the one that was kept.',
    }),
    formerUuid: Type.String({ description: 'Uuid of the Customer that was merged.' }),
    formerName: Type.String({ description: 'Name of the Customer that was merged.' }),
    participations: Type.Integer({ description: 'How many bookings moved, past ones included.' }),
    series: Type.Integer({ description: 'How many series these bookings are part of.' }),
    emails: Type.Integer({ description: 'How many emails were sent about these bookings.' }),
    waitingEntries: Type.Integer({ description: 'How many entries of the waiting list moved.' }),
    mergedAt: Moment,
    undoUntil: Moment,
  },
  { title: 'CustomerMerge' },
)

const dayMs = 86_400_000

/** Only of merges that can still be undone. */
export const mergeRecord = ({ uuid, reference, mergedUuid, record, mergedAt }: MergeRow) => ({
  uuid,
  formerReference: reference,
  formerUuid: mergedUuid,
  formerName: record!.merged.name,
  participations: record!.participations.length,
  series: record!.series ?? 0,
  emails: record!.emails ?? 0,
  waitingEntries: record!.entries.length,
  mergedAt: toUtcText(mergedAt),
  undoUntil: toUtcText(mergedAt + undoDays * dayMs),
})

const { reference: _, name, ...fields } = customer.inputs

export const dryRunQuery = {
  dryRun: Type.Boolean({ default: false, description: 'Returns the result without saving it.' }),
}

const oneCustomer = '/crms/:crmId/provider/:providerRef/customers/:customerRef'

export const mergeCustomer = crmRoute({
  method: 'POST',
  path: `${oneCustomer}/merge`,
  operationId: 'mergeCustomers',
  summary: 'Merge two Customers',
  description:
    'Merges another Customer into the one in the path: bookings with their answers and emails, series and waiting list entries move; blank fields are filled in; notes are joined. Fields in the body replace these values. The former reference keeps leading to this Customer. Can be undone for 30 days.',
  query: dryRunQuery,
  body: Type.Object(
    { customerReference: Reference, ...Type.Partial(Type.Object({ userName: name, ...fields })).properties },
    { title: 'CustomerMergeInput' },
  ),
  ifMatch: { record: getCustomer, lock: lockMergingCustomers },
  replies: { 200: Wrapped({ customer: CustomerRecord, merge: MergeRecord }) },
  errors: ['customer-merged', 'merge-conflict'],
  async handle({ params, query, body, context, found: provider }) {
    const { customerReference: merged, userName, ...rest } = body
    const chosen = { ...rest, ...(userName === undefined ? {} : { name: userName }) }
    const request = { kept: params.customerRef, merged, chosen, dryRun: query.dryRun }
    const done = await mergeCustomers(context, request)
    return wrap({ customer: customerRecord(provider, done.customer), merge: mergeRecord(done.merge) })
  },
})

export const getMerges = crmRoute({
  method: 'GET',
  path: `${oneCustomer}/merges`,
  operationId: 'getCustomerMerges',
  summary: 'Get the merges into a Customer',
  description: 'Those that can still be undone, newest first.',
  replies: { 200: Type.Array(MergeRecord) },
  errors: ['customer-merged'],
  async handle({ params, service, found: provider }) {
    const found = await findCustomer(service.db, provider.id, params.customerRef)
    if (found) return (await undoableMerges(service.db, found)).map(mergeRecord)
    throw await missingCustomer(service.db, provider, params.customerRef)
  },
})

export const undoMerge = crmRoute({
  method: 'POST',
  path: `${oneCustomer}/merges/:mergeUuid/undo`,
  operationId: 'undoCustomerMerge',
  summary: 'Undo a merge',
  description:
    'Within 30 days. The merged Customer returns with the bookings and entries that the merge moved; bookings made since then stay. Fields of this Customer that were not changed since get their former values.',
  replies: { 200: Wrapped({ customer: CustomerRecord, restored: CustomerRecord }) },
  errors: ['customer-merged', 'reference-exists', 'undo-expired'],
  async handle({ params, context, found: provider }) {
    const done = await undo(context, params.customerRef, params.mergeUuid)
    const [customer, restored] = [done.customer, done.restored].map(one => customerRecord(provider, one))
    return wrap({ customer: customer!, restored: restored! })
  },
})
