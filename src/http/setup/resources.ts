import Type from 'typebox'
import {
  createResource as create,
  createResources as createAll,
} from '../../actions/setup/create-resources.ts'
import { lockResourceRecord } from '../../actions/setup/lock-records.ts'
import { changeResource } from '../../actions/setup/save-resource.ts'
import type { ProviderContext } from '../../callers.ts'
import { findResource, listResources, type ResourceRecord as Resource } from '../../db/setup/resources.ts'
import { resource } from '../../entities/resource.ts'
import { notFound } from '../../errors.ts'
import { type AddressInput, Either, maxBatchEntries, readAddress } from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { refuseRepeats } from '../wire/requests/body.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B2. Resources')

const ResourceInput = Type.Object(resource.inputs, { title: 'ResourceInput' })
const ResourceChange = Type.Partial(Type.Object(resource.changes), { title: 'ResourceChange' })

const { reference, uuid, ...shown } = resource.outputs
export const ResourceRecord = Type.Object(
  { reference, uuid, provider: Type.String(), ...shown },
  { title: 'Resource' },
)

const ResourcesInput = Type.Object(
  { resources: Type.Array(ResourceInput, { minItems: 1, maxItems: maxBatchEntries }) },
  { title: 'ResourcesInput' },
)
const ResourcesReply = Wrapped({ resources: Type.Array(ResourceRecord) })
const Created = Type.Union([ResourcesReply, ResourceRecord])

export const createResource = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/resources',
  operationId: 'createResource',
  summary: 'Create Resource',
  description:
    'Creates one Resource, or several with `resources` (all or none). Updates an existing reference (200), or refuses it with onDuplicateRaise.',
  query: {
    onDuplicateRaise: Type.Boolean({ default: false, description: 'Refuse an existing reference.' }),
  },
  body: Either('resources', ResourcesInput, ResourceInput),
  replies: { 200: Created, 201: Created },
  errors: ['duplicate-reference'],
  isBatch: true,
  async handle({ query: { onDuplicateRaise }, body, context, found: provider }) {
    if ('resources' in body && body.resources) {
      refuseRepeats('resources', 'reference', body.resources)
      const sent = body.resources.map(withAddress)
      const { resources, created } = await createAll(context, sent, onDuplicateRaise)
      const records = resources.map(row => resourceRecord(provider, row))
      return answer(created ? 201 : 200, wrap({ resources: records }))
    }
    const one = withAddress(body as Type.Static<typeof ResourceInput>)
    const made = await create(context, one, onDuplicateRaise)
    return answer(made.created ? 201 : 200, resourceRecord(provider, made.resource))
  },
})

export const getResource = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/resources/:resourceRef',
  operationId: 'getResource',
  summary: 'Get Resource',
  description: 'A Resource, archived or not.',
  isRecord: true,
  replies: { 200: ResourceRecord },
  handle: async ({ params, context, found: provider }) =>
    resourceRecord(provider, await resourceOf(context, params.resourceRef)),
})

export const updateResource = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/resources/:resourceRef',
  operationId: 'updateResource',
  summary: 'Update Resource',
  description:
    'Changes only the fields that are sent; null clears an optional field. An archived Resource cannot be booked.',
  body: ResourceChange,
  ifMatch: { record: getResource, lock: lockResourceRecord },
  replies: { 202: ResourceRecord },
  errors: ['reference-exists'],
  async handle({ params, body, context, found: provider }) {
    const change = withAddress(body)
    const changed = await changeResource(context, params.resourceRef, change)
    return resourceRecord(provider, changed)
  },
})

export const getResources = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/resources',
  operationId: 'getResources',
  summary: 'Get Resources',
  description: 'All Resources of the Provider, including archived ones.',
  query: pageQuery,
  replies: { 200: Type.Array(ResourceRecord) },
  isList: true,
  async handle({ query, service, request, reply, found: provider }) {
    const rows = await listResources(service.db, provider.id, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    const records = page.map(row => resourceRecord(provider, row))
    return records
  },
})

/** The Resource in the path, or 404. */
export async function resourceOf(
  { service, provider }: Pick<ProviderContext, 'service' | 'provider'>,
  reference: string,
) {
  const found = await findResource(service.db, provider.id, reference)
  if (!found) throw notFound('Resource', reference)
  return found
}

export function withAddress<T extends { address?: Type.Static<typeof AddressInput> | null }>(body: T) {
  return { ...body, address: body.address && readAddress(body.address) }
}

export function resourceRecord(provider: { reference: string }, row: Resource) {
  const { reference, uuid, ...rest } = resource.record(row)
  return { reference, uuid, provider: provider.reference, ...rest }
}
