import Type from 'typebox'
import {
  createCustomer as create,
  deleteCustomer as remove,
  updateCustomer as update,
} from '../../actions/scheduling/customers.ts'
import { type CustomerRow, findCustomer } from '../../db/scheduling/customers.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { invalidField } from '../../errors.ts'
import { providerOf } from '../setup/providers.ts'
import { Email, EmailText, LanguageTag, Optional, OptionalText, Reference, Text } from '../wire/fields.ts'
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

const CustomerReply = Wrapped({
  customer: Type.Object(
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
  ),
})

export const getCustomer = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/customers/:customerRef',
  operationId: 'getCustomer',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Get Customer',
  description: '204 when there is none with this reference.',
  replies: { 200: CustomerReply, 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const customer = await findCustomer(service.db, provider.id, params.customerRef)
    return customer ? answer(200, wrap({ customer: customerRecord(provider, customer) })) : noContent()
  },
})

export const createCustomer = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/customers',
  operationId: 'createCustomer',
  tag: 'B7. Customers',
  scope: 'scheduling',
  summary: 'Create Customer',
  description: 'A known reference answers the existing Customer (200); nothing is overwritten.',
  body: Type.Object({ ...fields, providerReference: Reference }, { title: 'CustomerInput' }),
  replies: { 200: CustomerReply, 201: CustomerReply },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    refuseOtherProvider(provider, body.providerReference)
    const { customer, created } = await create(service, caller.actor, provider, body)
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
  description: 'Only the fields sent change; the reference can be changed too.',
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
    'Erases everything personal, wherever it stands; the history stays without a name. With ignoreFutureAppointments the Customer leaves future Appointments and is told.',
  query: {
    ignoreFutureAppointments: Type.Boolean({
      default: false,
      description: 'Leave future Appointments, with a mail.',
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

function refuseOtherProvider(provider: ProviderRow, reference: string) {
  if (reference !== provider.reference)
    throw invalidField('providerReference', 'providerReference must be the Provider of the path.')
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
