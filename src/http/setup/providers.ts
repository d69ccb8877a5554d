import Type from 'typebox'
import { lockProviderRecord } from '../../actions/setup/lock-records.ts'
import { createProvider as create, deleteProvider as erase } from '../../actions/setup/providers.ts'
import { addStaff as add, removeStaff as remove } from '../../actions/setup/staff.ts'
import { listProvidersOfCrm } from '../../db/setup/providers.ts'
import { listStaff as list } from '../../db/setup/staff.ts'
import { only, pick } from '../../entities/entity.ts'
import { provider } from '../../entities/provider.ts'
import { providerOf } from '../wire/callers/permit.ts'
import { Reference } from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { UserRecord, userRecord } from './users.ts'

const crmRoute = crmRoutes('A. Setup')

const setup = [
  'name',
  'slug',
  'email',
  'mobile',
  'phone',
  'website',
  'impressum',
  'branch',
  'subbranch',
  'timeZone',
  'language',
] as const
const shown = only(provider, ['uuid', 'reference', ...setup, 'updatedAt'])
export const providerRecord = shown.record

/** What an update may change. */
export const providerChanges = pick(provider.changes, setup)

const ProviderInput = Type.Object(
  {
    reference: Reference,
    ownerReference: Reference,
    accountReference: Reference,
    ...pick(provider.inputs, setup),
  },
  { title: 'ProviderInput' },
)
export const ProviderRecord = Type.Object(shown.outputs, { title: 'Provider' })
export const ProviderReply = Wrapped({ provider: ProviderRecord })

export const createProvider = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider',
  operationId: 'createProvider',
  summary: 'Create Provider',
  description:
    'The owner becomes the first staff member. If the reference exists, returns the existing Provider (200). `slug` is unique in the service; one that is taken is refused (409).',
  body: ProviderInput,
  replies: { 200: ProviderReply, 201: ProviderReply },
  errors: ['not-found', 'unknown-branch', 'address-taken'],
  async handle({ body, caller, service }) {
    const { provider, created } = await create(service, caller, body)
    return answer(created ? 201 : 200, wrap({ provider: providerRecord(provider) }))
  },
})

export const getProvider = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:reference',
  operationId: 'getProvider',
  summary: 'Get Provider',
  description: 'Returns 404 if the CRM has no Provider with this reference.',
  isRecord: true,
  replies: { 200: ProviderReply },
  async handle({ params, caller, service }) {
    const provider = await providerOf(service.db, caller, params.reference)
    return wrap({ provider: providerRecord(provider) })
  },
})

export const getProviders = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider',
  operationId: 'getProviders',
  summary: 'Get Providers',
  description: 'All Providers of the CRM.',
  query: pageQuery,
  replies: { 200: Type.Array(ProviderRecord) },
  isList: true,
  async handle({ query, caller, service, request, reply }) {
    const rows = await listProvidersOfCrm(service.db, caller.crm.id, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    return page.map(providerRecord)
  },
})

export const deleteProvider = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:reference',
  operationId: 'deleteProvider',
  summary: 'Delete Provider',
  description:
    'Refused while the Provider has Resources or Customers. Its Products are deleted, its staff loses access, and its calendar feeds end. The reference can be used again.',
  ifMatch: { record: getProvider, lock: lockProviderRecord },
  replies: { 204: null },
  errors: ['in-use'],
  handle: ({ params, caller, service }) => erase(service, caller, params.reference),
})

export const listStaff = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/staff',
  operationId: 'listStaff',
  summary: 'List Staff',
  description: 'The Users who can work with the Provider’s calendar, including its owner.',
  replies: { 200: Type.Array(UserRecord) },
  handle: async ({ service, found: provider }) => (await list(service.db, provider.id)).map(userRecord),
})

export const addStaff = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/staff',
  operationId: 'addStaff',
  summary: 'Add a Staff member',
  description:
    'Gives a User access to the Provider’s calendar (201). Returns 200 if the User already has access.',
  body: Type.Object({ userReference: Reference }, { title: 'StaffInput' }),
  replies: { 200: UserRecord, 201: UserRecord },
  async handle({ body, context }) {
    const { user, attached } = await add(context, body.userReference)
    return answer(attached ? 201 : 200, userRecord(user))
  },
})

export const removeStaff = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/staff/:userRef',
  operationId: 'removeStaff',
  summary: 'Remove a Staff member',
  description: 'Revokes the User’s access. The owner cannot be removed.',
  replies: { 204: null },
  errors: ['owner'],
  handle: ({ params, context }) => remove(context, params.userRef),
})
