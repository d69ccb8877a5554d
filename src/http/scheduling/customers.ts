import Type from 'typebox'
import { createOrAdopt } from '../../actions/scheduling/customers/adopt-customer.ts'
import {
  createCustomers as createAll,
  missingCustomer,
  deleteCustomer as remove,
  updateCustomer as update,
} from '../../actions/scheduling/customers/customers.ts'
import { lockCustomerRecord, lockLeavingCustomer } from '../../actions/scheduling/lock-records.ts'
import { textPages } from '../../db/base/json.ts'
import {
  type CustomerFields,
  type CustomerFilter,
  type CustomerRow,
  findCustomer,
  readCustomers,
} from '../../db/scheduling/customers.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { customer } from '../../entities/customer.ts'
import { invalidField, mapCollectingRefusals } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { countryOfZone, mobileKey } from '../../rules/people/phones.ts'
import { readInstant } from '../../rules/time/read-times.ts'
import { ChangedSince, Either, maxBatchEntries, Reference } from '../wire/fields.ts'
import { wholeList } from '../wire/long-lists.ts'
import { linkNext, pageQuery, readPage } from '../wire/pages.ts'
import { refuseRepeats } from '../wire/requests/body.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B7. Customers')

/** As the CRM API calls them. */
const { reference, name, ...others } = customer.inputs
const fields = { customerReference: reference, userName: name, ...others }

const { reference: shownReference, name: shownName, ...shown } = customer.outputs
export const CustomerRecord = Type.Object(
  {
    customerReference: shownReference,
    providerReference: Type.String(),
    userName: shownName,
    ...shown,
  },
  { title: 'Customer' },
)
export const CustomerReply = Wrapped({ customer: CustomerRecord })

export const getCustomers = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/customers',
  operationId: 'getCustomers',
  summary: 'Get Customers',
  description: 'All Customers of the Provider, or those with this email, mobile number or tag.',
  query: {
    email: Type.Optional(
      Type.String({ description: 'Only Customers with this email. Case does not matter.' }),
    ),
    mobile: Type.Optional(
      Type.String({ description: 'Only Customers with this number, however it is written.' }),
    ),
    tag: Type.Optional(
      Type.String({ maxLength: 50, description: 'Only Customers with this tag. Case does not matter.' }),
    ),
    changedSince: ChangedSince,
    ...pageQuery,
  },
  replies: { 200: Type.Array(CustomerRecord) },
  isList: true,
  async handle({ query, service, request, reply, found: provider }) {
    const { email, mobile, tag, changedSince: since } = query
    const key = mobile && mobileKey(mobile, countryOfZone(provider.timeZone))
    const changedSince = since && readInstant(since, provider.timeZone, 'changedSince')
    const filter = {
      providerId: provider.id,
      ...omitUndefined({ email, mobileKey: key, changedSince, tag: tag?.trim() }),
    } as CustomerFilter
    const after = readPage(query, 1).after?.[0] ?? 0
    reply.type('application/json; charset=utf-8')
    const list = query.limit
      ? await onePage({ service, request, reply, query }, provider, filter, after, query.limit)
      : await wholeList(
          textPages(place => readCustomers(service.db, provider, filter, place, pageSize), after),
        )
    // Already JSON: Fastify sends strings and streams unchanged.
    return list as unknown as Type.Static<typeof CustomerRecord>[]
  },
})

async function onePage(
  call: Parameters<typeof linkNext>[0],
  provider: ProviderRow,
  filter: CustomerFilter,
  after: number,
  limit: number,
): Promise<string> {
  const { text, next } = await readCustomers(call.service.db, provider, filter, after, limit)
  if (next !== null) linkNext(call, [next])
  return `[${text}]`
}

/** Longer texts would live until a full garbage collection. */
const pageSize = 100

export const getCustomer = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'getCustomer',
  summary: 'Get Customer',
  description:
    'Returns 204 if no Customer has this reference, and 410 `customer-merged` with the reference to use if it was merged into another one.',
  isRecord: true,
  replies: { 200: CustomerReply, 204: null },
  errors: ['customer-merged'],
  async handle({ params, service, found: provider }) {
    const found = await findCustomer(service.db, provider.id, params.customerRef)
    if (found) return answer(200, wrap({ customer: customerRecord(provider, found) }))
    const missing = await missingCustomer(service.db, provider, params.customerRef)
    if (missing.code === 'customer-merged') throw missing
    return answer(204, undefined)
  },
})

export const CustomerInput = Type.Object(
  { ...fields, providerReference: Reference },
  { title: 'CustomerInput' },
)
type CustomerInput = Type.Static<typeof CustomerInput>
const CustomersInput = Type.Object(
  { customers: Type.Array(CustomerInput, { minItems: 1, maxItems: maxBatchEntries }) },
  { title: 'CustomersInput' },
)
const Created = Type.Union([
  Wrapped({ customers: Type.Array(CustomerRecord) }),
  Wrapped({
    customer: CustomerRecord,
    samePerson: Type.Optional(
      Type.String({
        description:
          'Reference of another Customer, who booked online with this email. Send `adopt` to decide what happens then.',
      }),
    ),
  }),
])

export const createCustomer = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/customers',
  operationId: 'createCustomer',
  summary: 'Create Customer',
  description:
    'Creates one Customer, or several with `customers` (all or none). If the reference exists, returns the existing Customer unchanged (200), or the one that it was merged into.',
  query: {
    adopt: Type.Optional(
      Type.Boolean({
        description:
          'If a Customer from online booking has this email: `true` gives that Customer the reference and the fields, with all bookings (200); `false` returns 409 `same-person` with its reference. If left out, a second Customer is created and `samePerson` names the first. For a single Customer.',
      }),
    ),
  },
  body: Either('customers', CustomersInput, CustomerInput),
  replies: { 200: Created, 201: Created },
  errors: ['same-person'],
  isBatch: true,
  async handle({ query, body, context, found: provider }) {
    if ('customers' in body && body.customers) {
      if (query.adopt !== undefined) throw invalidField('adopt', 'single-customer')
      refuseRepeats('customers', 'customerReference', body.customers)
      mapCollectingRefusals(body.customers, ({ providerReference }, index) =>
        refuseOtherProvider(provider, providerReference, `customers[${index}].`),
      )
      const sent = body.customers.map(readCustomer)
      const { customers, created } = await createAll(context, sent)
      const records = customers.map(row => customerRecord(provider, row))
      return answer(created ? 201 : 200, wrap({ customers: records }))
    }
    const one = body as CustomerInput
    refuseOtherProvider(provider, one.providerReference)
    const made = await createOrAdopt(context, readCustomer(one), query.adopt)
    const other = made.samePerson === null ? {} : { samePerson: made.samePerson }
    return answer(
      made.created ? 201 : 200,
      wrap({ customer: customerRecord(provider, made.customer), ...other }),
    )
  },
})

export const updateCustomer = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'updateCustomer',
  summary: 'Update Customer',
  description: 'Changes only the fields that are sent, including the reference.',
  body: Type.Partial(Type.Object({ ...fields, providerReference: Reference }), { title: 'CustomerChange' }),
  ifMatch: { record: getCustomer, lock: lockCustomerRecord },
  replies: { 200: CustomerReply },
  errors: ['customer-merged', 'reference-exists'],
  async handle({ params, body, context, found: provider }) {
    if (body.providerReference !== undefined) refuseOtherProvider(provider, body.providerReference)
    const change: Partial<CustomerFields> = readCustomer(body as CustomerInput)
    const changed = await update(context, params.customerRef, change)
    return wrap({ customer: customerRecord(provider, changed) })
  },
})

export const deleteCustomer = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'deleteCustomer',
  summary: 'Delete Customer',
  description:
    'Erases all personal data everywhere; the history remains without a name. With ignoreFutureAppointments, cancels their places in future Appointments and notifies them.',
  query: {
    ignoreFutureAppointments: Type.Boolean({
      default: false,
      description: 'Cancel places in future Appointments, with an email.',
    }),
  },
  ifMatch: { record: getCustomer, lock: lockLeavingCustomer },
  replies: { 204: null },
  errors: ['customer-merged', 'future-appointments'],
  handle: ({ params, query, context }) => remove(context, params.customerRef, query.ignoreFutureAppointments),
})

function refuseOtherProvider(provider: ProviderRow, reference: string, at = '') {
  const wrong = otherProvider(provider, reference, at)
  if (wrong) throw wrong
}

export function otherProvider(provider: ProviderRow, reference: string, at = '') {
  const field = `${at}providerReference`
  return reference === provider.reference ? null : invalidField(field, 'path-provider')
}

export function customerRecord(provider: { reference: string }, row: CustomerRow) {
  const { reference, name, ...rest } = customer.record(row)
  return { customerReference: reference, providerReference: provider.reference, userName: name, ...rest }
}

export const readCustomer = ({
  customerReference: reference,
  userName: name,
  providerReference: _,
  ...rest
}: CustomerInput) => ({ reference, name, ...rest })
