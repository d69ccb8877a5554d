import Type from 'typebox'
import {
  createCustomer as create,
  createCustomers as createAll,
  deleteCustomer as remove,
  updateCustomer as update,
} from '../../actions/scheduling/customers.ts'
import {
  type CustomerFilter,
  type CustomerRow,
  findCustomer,
  listCustomers,
} from '../../db/scheduling/customers.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { invalidField, mapCollectingRefusals } from '../../errors.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { countryOfZone, mobileKey } from '../../rules/people/phones.ts'
import { readInstant } from '../../rules/time/read-times.ts'
import { providerOf } from '../setup/providers.ts'
import {
  ChangedSince,
  Either,
  Email,
  EmailText,
  LanguageTag,
  maxBatchEntries,
  Optional,
  OptionalText,
  Reference,
  Text,
} from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { answer, crmRoute, noContent } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const fields = {
  customerReference: Reference,
  userName: Text(),
  email: Optional(Email),
  mobile: OptionalText(100),
  note: OptionalText(1023),
  language: Optional(LanguageTag),
}

const CustomerRecord = Type.Object(
  {
    customerReference: Type.String(),
    providerReference: Type.String(),
    userName: Type.String(),
    email: Nullable(EmailText),
    mobile: Nullable(Type.String()),
    note: Nullable(Type.String()),
    language: Nullable(Type.String()),
  },
  { title: 'Customer' },
)
const CustomerReply = Wrapped({ customer: CustomerRecord })

export const getCustomers = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/customers',
  operationId: 'getCustomers',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Get Customers',
  description: 'All Customers of the Provider, or those with this email or mobile number.',
  query: {
    email: Type.Optional(
      Type.String({ description: 'Only Customers with this email. Case does not matter.' }),
    ),
    mobile: Type.Optional(
      Type.String({ description: 'Only Customers with this number, however it is written.' }),
    ),
    changedSince: ChangedSince,
    ...pageQuery,
  },
  replies: { 200: Type.Array(CustomerRecord), 304: null },
  errors: ['not-found'],
  isList: true,
  async handle({ params, query, caller, service, request, reply }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const { email, mobile, changedSince: since } = query
    const key = mobile && mobileKey(mobile, countryOfZone(provider.timeZone))
    const changedSince = since && readInstant(since, provider.timeZone, 'changedSince')
    const filter = {
      providerId: provider.id,
      ...omitUndefined({ email, mobileKey: key, changedSince }),
    } as CustomerFilter
    const rows = await listCustomers(service.db, filter, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    return answer(
      200,
      page.map(customer => customerRecord(provider, customer)),
    )
  },
})

export const getCustomer = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'getCustomer',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Get Customer',
  description: 'Returns 204 if no Customer has this reference.',
  replies: { 200: CustomerReply, 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const customer = await findCustomer(service.db, provider.id, params.customerRef)
    return customer ? answer(200, wrap({ customer: customerRecord(provider, customer) })) : noContent()
  },
})

const CustomerInput = Type.Object({ ...fields, providerReference: Reference }, { title: 'CustomerInput' })
const CustomersInput = Type.Object(
  { customers: Type.Array(CustomerInput, { minItems: 1, maxItems: maxBatchEntries }) },
  { title: 'CustomersInput' },
)
const Created = Type.Union([Wrapped({ customers: Type.Array(CustomerRecord) }), CustomerReply])

export const createCustomer = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/customers',
  operationId: 'createCustomer',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Create Customer',
  description:
    'Creates one Customer, or several with `customers` (all or none). If the reference exists, returns the existing Customer unchanged (200).',
  body: Either('customers', CustomersInput, CustomerInput),
  replies: { 200: Created, 201: Created },
  errors: ['not-found'],
  isBatch: true,
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    if ('customers' in body && body.customers) {
      mapCollectingRefusals(body.customers, ({ providerReference }, index) =>
        refuseOtherProvider(provider, providerReference, `customers[${index}].`),
      )
      const { customers, created } = await createAll(service, caller.actor, provider, body.customers)
      const records = customers.map(customer => customerRecord(provider, customer))
      return answer(created ? 201 : 200, wrap({ customers: records }))
    }
    const one = body as Type.Static<typeof CustomerInput>
    refuseOtherProvider(provider, one.providerReference)
    const { customer, created } = await create(service, caller.actor, provider, one)
    return answer(created ? 201 : 200, wrap({ customer: customerRecord(provider, customer) }))
  },
})

export const updateCustomer = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'updateCustomer',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Update Customer',
  description: 'Changes only the fields that are sent, including the reference.',
  body: Type.Partial(Type.Object({ ...fields, providerReference: Reference }), { title: 'CustomerChange' }),
  replies: { 200: CustomerReply },
  errors: ['not-found', 'reference-exists'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    if (body.providerReference !== undefined) refuseOtherProvider(provider, body.providerReference)
    const customer = await update(service, caller.actor, provider, params.customerRef, body)
    return answer(200, wrap({ customer: customerRecord(provider, customer) }))
  },
})

export const deleteCustomer = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'deleteCustomer',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Delete Customer',
  description:
    'Erases all personal data everywhere; the history remains without a name. With ignoreFutureAppointments, cancels their places in future Appointments and notifies them.',
  query: {
    ignoreFutureAppointments: Type.Boolean({
      default: false,
      description: 'Cancel places in future Appointments, with an email.',
    }),
  },
  replies: { 204: null },
  errors: ['not-found', 'future-appointments'],
  async handle({ params, query, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    await remove(service, caller.actor, provider, params.customerRef, query.ignoreFutureAppointments)
    return noContent()
  },
})

function refuseOtherProvider(provider: ProviderRow, reference: string, at = '') {
  const field = `${at}providerReference`
  if (reference !== provider.reference)
    throw invalidField(field, `${field} must be the Provider of the path.`)
}

export function customerRecord(
  provider: { reference: string },
  { reference, name, email, mobile, note, language }: CustomerRow,
) {
  return {
    customerReference: reference,
    providerReference: provider.reference,
    userName: name,
    email,
    mobile,
    note,
    language,
  }
}
