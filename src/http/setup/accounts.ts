import Type from 'typebox'
import {
  changeAccount,
  createAccount as create,
  deleteAccount as remove,
} from '../../actions/setup/accounts.ts'
import { lockAccountRecord } from '../../actions/setup/lock-records.ts'
import { findAccount, listAccounts } from '../../db/setup/accounts.ts'
import { account } from '../../entities/account.ts'
import { notFound } from '../../errors.ts'
import { readAddress } from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('A. Setup')

const AccountInput = Type.Object(account.inputs, { title: 'AccountInput' })
export const AccountRecord = Type.Object(account.outputs, { title: 'Account' })
const AccountReply = Wrapped({ account: AccountRecord })

export const createAccount = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/account',
  operationId: 'createAccount',
  summary: 'Create Account',
  description: 'If the accountReference exists, returns the existing Account unchanged (200).',
  body: AccountInput,
  replies: { 200: AccountReply, 201: AccountReply },
  errors: ['not-found', 'unknown-branch', 'invalid-reference'],
  async handle({ body, caller, service }) {
    const invoiceAddress = body.invoiceAddress && readAddress(body.invoiceAddress)
    const made = await create(service, caller, { ...body, invoiceAddress })
    return answer(made.created ? 201 : 200, wrap({ account: account.record(made.account) }))
  },
})

export const getAccount = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/account/:reference',
  operationId: 'getAccount',
  summary: 'Get Account',
  description: 'Returns 404 if the CRM has no Account with this reference.',
  isRecord: true,
  replies: { 200: AccountReply },
  async handle({ params, caller, service }) {
    const found = await findAccount(service.db, caller.crm.id, params.reference)
    if (!found) throw notFound('Account', params.reference)
    return wrap({ account: account.record(found) })
  },
})

const { accountReference: _, ...changeable } = account.inputs

export const updateAccount = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/account/:reference',
  operationId: 'updateAccount',
  summary: 'Update Account',
  description:
    'Changes only the fields that are sent, including the owner; null clears an optional field. The reference stays.',
  body: Type.Partial(Type.Object(changeable), { title: 'AccountUpdate' }),
  ifMatch: { record: getAccount, lock: lockAccountRecord },
  replies: { 200: AccountReply },
  errors: ['unknown-branch'],
  async handle({ params, body, caller, service }) {
    const invoiceAddress = body.invoiceAddress && readAddress(body.invoiceAddress)
    const saved = await changeAccount(service, caller, params.reference, { ...body, invoiceAddress })
    return wrap({ account: account.record(saved) })
  },
})

export const deleteAccount = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/account/:reference',
  operationId: 'deleteAccount',
  summary: 'Delete Account',
  description: 'Refused while Providers belong to it.',
  ifMatch: { record: getAccount, lock: lockAccountRecord },
  replies: { 204: null },
  errors: ['in-use'],
  handle: ({ params, caller, service }) => remove(service, caller, params.reference),
})

export const getAccounts = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/account',
  operationId: 'getAccounts',
  summary: 'Get Accounts',
  description: 'All Accounts of the CRM.',
  query: pageQuery,
  replies: { 200: Type.Array(AccountRecord) },
  isList: true,
  async handle({ query, caller, service, request, reply }) {
    const rows = await listAccounts(service.db, caller.crm.id, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    return page.map(account.record)
  },
})
