import Type from 'typebox'
import { changeResource, createResource as create } from '../../actions/setup/save-resource.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { listResources, type ResourceRecord as Resource } from '../../db/setup/resources.ts'
import {
  AddressInput,
  AddressRecord,
  longText,
  Optional,
  OptionalText,
  Reference,
  readAddress,
  Text,
  Uuid,
  WebAddress,
} from '../wire/fields.ts'
import { answer, crmRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { providerOf } from './providers.ts'

const fields = {
  reference: Reference,
  publicName: Text(),
  internalName: Text(),
  description: OptionalText(longText),
  products: Optional(Type.Array(Reference, { maxItems: 1000 })),
  contact: Optional(Reference),
  contactProfileReference: Optional(Reference),
  website: Optional(WebAddress),
  address: Optional(AddressInput),
}

const ResourceInput = Type.Object(
  { ...fields, archived: Optional(Type.Boolean()) },
  { title: 'ResourceInput' },
)
const ResourceChange = Type.Partial(Type.Object({ ...fields, archived: Type.Boolean() }), {
  title: 'ResourceChange',
})

const ResourceRecord = Type.Object(
  {
    reference: Type.String(),
    uuid: Uuid,
    provider: Type.String(),
    publicName: Type.String(),
    internalName: Type.String(),
    description: Nullable(Type.String()),
    contact: Nullable(Type.String()),
    archived: Type.Boolean(),
    products: Type.Array(Type.String()),
    address: Nullable(AddressRecord),
  },
  { title: 'Resource' },
)

export const createResource = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/resources',
  operationId: 'createResource',
  tag: 'B2. Resources',
  scope: 'scheduling',
  summary: 'Create Resource',
  description: 'A known reference is updated (200), or refused with onDuplicateRaise.',
  query: {
    onDuplicateRaise: Type.Boolean({ default: false, description: 'Refuse a reference that exists.' }),
  },
  body: ResourceInput,
  replies: { 200: ResourceRecord, 201: ResourceRecord },
  errors: ['not-found', 'duplicate-reference'],
  async handle({ params, query, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const { resource, created } = await create(
      service,
      caller.actor,
      provider,
      withAddress(body),
      query.onDuplicateRaise,
    )
    return answer(created ? 201 : 200, resourceRecord(provider, resource))
  },
})

export const updateResource = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/resources/:resourceRef',
  operationId: 'updateResource',
  tag: 'B2. Resources',
  scope: 'scheduling',
  summary: 'Update Resource',
  description:
    'Only the fields sent change; null clears an optional one. An archived Resource cannot be booked.',
  body: ResourceChange,
  replies: { 202: ResourceRecord },
  errors: ['not-found', 'reference-exists'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const resource = await changeResource(
      service,
      caller.actor,
      provider,
      params.resourceRef,
      withAddress(body),
    )
    return answer(202, resourceRecord(provider, resource))
  },
})

export const getResources = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/resources',
  operationId: 'getResources',
  tag: 'B2. Resources',
  scope: 'scheduling',
  summary: 'Get Resources',
  description: 'All Resources of the Provider, archived ones too.',
  replies: { 200: Type.Array(ResourceRecord) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const resources = await listResources(service.db, provider.id)
    return answer(
      200,
      resources.map(resource => resourceRecord(provider, resource)),
    )
  },
})

function withAddress<T extends { address?: Type.Static<typeof AddressInput> | null }>(body: T) {
  return { ...body, address: body.address && readAddress(body.address) }
}

export function resourceRecord(provider: { reference: string }, resource: Resource) {
  return {
    reference: resource.reference,
    uuid: resource.uuid,
    provider: provider.reference,
    publicName: resource.public_name,
    internalName: resource.internal_name,
    description: resource.description,
    contact: resource.contact,
    archived: resource.archived,
    products: resource.products,
    address: resource.address as Type.Static<typeof AddressRecord> | null,
  }
}
