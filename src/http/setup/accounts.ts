import Type from 'typebox'
import { createAccount as create } from '../../actions/setup/create-account.ts'
import { type AccountRow, findAccount } from '../../db/setup/accounts.ts'
import { notFound } from '../../errors.ts'
import {
  AddressRecord,
  Email,
  EmailText,
  InvoiceAddress,
  Optional,
  OptionalText,
  Reference,
  readAddress,
} from '../wire/fields.ts'
import { answer, crmRoute } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { Branch, BranchInput } from './branch.ts'

const AccountInput = Type.Object(
  {
    ownerReference: Reference,
    accountReference: Reference,
    branch: BranchInput,
    invoiceAddress: Optional(InvoiceAddress),
    invoiceContactName: OptionalText(),
    invoiceCompanyName: OptionalText(),
    invoiceTaxId: OptionalText(255),
    email: Optional(Email),
  },
  { title: 'AccountInput' },
)

const AccountReply = Wrapped({
  account: Type.Object(
    {
      ownerReference: Type.String(),
      accountReference: Type.String(),
      branch: Branch,
      invoiceAddress: Nullable(AddressRecord),
      invoiceContactName: Nullable(Type.String()),
      invoiceCompanyName: Nullable(Type.String()),
      invoiceTaxId: Nullable(Type.String()),
      email: Nullable(EmailText),
    },
    { title: 'Account' },
  ),
})

export const createAccount = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/account',
  operationId: 'createAccount',
  tag: 'A. Setup',
  scope: 'setup',
  summary: 'Create Account',
  description: 'If the accountReference exists, returns the existing Account unchanged (200).',
  body: AccountInput,
  replies: { 200: AccountReply, 201: AccountReply },
  errors: ['not-found', 'unknown-branch', 'invalid-reference'],
  async handle({ body, caller, service }) {
    const invoiceAddress = body.invoiceAddress && readAddress(body.invoiceAddress)
    const { account, created } = await create(service, caller, { ...body, invoiceAddress })
    return answer(created ? 201 : 200, wrap({ account: accountRecord(account) }))
  },
})

export const getAccount = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/account/:reference',
  operationId: 'getAccount',
  tag: 'A. Setup',
  scope: 'setup',
  summary: 'Get Account',
  description: 'Returns 404 if the CRM has no Account with this reference.',
  replies: { 200: AccountReply },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const account = await findAccount(service.db, caller.crm.id, params.reference)
    if (!account) throw notFound('Account', params.reference)
    return answer(200, wrap({ account: accountRecord(account) }))
  },
})

export function accountRecord(account: AccountRow) {
  return {
    ownerReference: account.ownerReference,
    accountReference: account.reference,
    branch: account.branch as Branch,
    invoiceAddress: account.invoiceAddress as Type.Static<typeof AddressRecord> | null,
    invoiceContactName: account.invoiceContactName,
    invoiceCompanyName: account.invoiceCompanyName,
    invoiceTaxId: account.invoiceTaxId,
    email: account.email,
  }
}
