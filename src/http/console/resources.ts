import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { deleteResource } from '../../actions/scheduling/delete-resource.ts'
import { createResource } from '../../actions/setup/create-resources.ts'
import { changeResource } from '../../actions/setup/save-resource.ts'
import { whoIsBooked } from '../../db/scheduling/booked.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findResource, listResources, type ResourceRecord as Row } from '../../db/setup/resources.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { fields, ResourceRecord, resourceRecord, withAddress } from '../setup/resources.ts'
import { Moment, OptionalText } from '../wire/fields.ts'
import { allOf } from '../wire/pages.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../wire/unchanged.ts'
import { Nullable } from '../wire/wrapper.ts'
import { providerOf, providerOfRow, resourceOf } from './visible.ts'

const { reference: _, ...own } = fields

const NewResource = Type.Object({ ...own, internalName: OptionalText() }, { title: 'NewResource' })
const ResourceSettingsChange = Type.Partial(Type.Object({ ...own, archived: Type.Boolean() }), {
  title: 'ResourceSettingsChange',
})

export const listProviderResources = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/resources',
  scope: 'settings',
  operationId: 'listProviderResources',
  tag: 'Console',
  summary: 'Resources of a Provider',
  description: 'All of them, archived ones too. `products` are references; none: all Products.',
  replies: { 200: Type.Object({ resources: Type.Array(ResourceRecord) }, { title: 'ResourceList' }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    const resources = await listResources(service.db, provider.id, allOf)
    return answer(200, { resources: resources.map(recordOf(provider)) })
  },
})

export const addResource = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/resources',
  scope: 'settings',
  operationId: 'addResource',
  tag: 'Console',
  summary: 'Add a Resource',
  description:
    'The reference is made by the service; without `internalName` it is called inside as it is outside.',
  body: NewResource,
  replies: { 201: ResourceRecord },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    const wish = {
      ...withAddress(body),
      internalName: body.internalName || body.publicName,
      reference: `${randomUUID()}@console`,
    }
    const { resource } = await createResource(service, caller.actor, provider, wish, true)
    return answer(201, recordOf(provider)(resource))
  },
})

export const getResourceSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid',
  scope: 'settings',
  operationId: 'getResourceSettings',
  tag: 'Console',
  summary: 'One Resource',
  description: 'With an ETag, which `PATCH` takes as If-Match.',
  replies: { 200: ResourceRecord },
  errors: ['not-found'],
  async handle({ params, caller, service, reply }) {
    const found = await resourceOf(service, caller, params.uuid)
    const provider = await providerOfRow(service, found)
    const resource = await findResource(service.db, provider.id, found.reference)
    return answer(200, tagged(reply, recordOf(provider)(resource!)))
  },
})

export const updateResourceSettings = consoleRoute({
  method: 'PATCH',
  path: '/console/api/resources/:uuid',
  scope: 'settings',
  operationId: 'updateResourceSettings',
  tag: 'Console',
  summary: 'Change a Resource',
  description:
    'Only the fields sent change; null clears an optional one. An archived Resource cannot be booked.',
  headers: IfMatch,
  body: ResourceSettingsChange,
  replies: { 200: ResourceRecord },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const { reference, providerId } = await resourceOf(service, caller, params.uuid)
    const provider = await providerOfRow(service, { providerId })
    const check = ifUnchanged(request, recordOf(provider))
    const saved = await changeResource(service, caller.actor, provider, reference, withAddress(body), check)
    return answer(200, tagged(reply, recordOf(provider)(saved)))
  },
})

const Deletion = Type.Object(
  {
    appointments: Type.Number({ description: 'Appointments to come, which are cancelled.' }),
    people: Type.Array(Type.Object({ name: Nullable(Type.String()), start: Moment }), {
      description: 'Who was promised a place, the first 50.',
    }),
    peopleCount: Type.Number(),
  },
  { title: 'ResourceDeletion' },
)

export const previewDeletion = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/deletion',
  scope: 'settings',
  operationId: 'previewDeletion',
  tag: 'Console',
  summary: 'Whom would the deletion of a Resource concern?',
  description: 'Changes nothing.',
  replies: { 200: Deletion },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const { appointments, people } = await whoIsBooked(service.db, resource.id)
    const first = people.slice(0, 50).map(({ name, start }) => ({ name, start: toUtcText(start) }))
    return answer(200, { appointments, people: first, peopleCount: people.length })
  },
})

export const removeResource = consoleRoute({
  method: 'DELETE',
  path: '/console/api/resources/:uuid',
  scope: 'settings',
  operationId: 'removeResource',
  tag: 'Console',
  summary: 'Delete a Resource',
  description: 'Cannot be undone. What is to come is cancelled, with a mail to everybody who has a place.',
  query: {
    sendMails: Type.Boolean({ default: true, description: 'false: nobody is told.' }),
    message: Type.Optional(Type.String({ maxLength: 1000, description: 'Stands in the mails.' })),
  },
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, query, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const provider = await providerOfRow(service, resource)
    await deleteResource(service, caller.actor, provider, resource.reference, true, {
      sendMails: query.sendMails,
      message: query.message || null,
    })
    return noContent()
  },
})

const recordOf = (provider: ProviderRow) => (resource: Row) => resourceRecord(provider, resource)
