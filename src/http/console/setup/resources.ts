import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { deleteResource } from '../../../actions/scheduling/delete-resource.ts'
import { createResource } from '../../../actions/setup/create-resources.ts'
import { changeResource } from '../../../actions/setup/save-resource.ts'
import { bookedPeople } from '../../../db/scheduling/appointments.ts'
import { resourcesWithTimes } from '../../../db/scheduling/calendar.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { findResource, listResources, type ResourceRecord as Row } from '../../../db/setup/resources.ts'
import { resource } from '../../../entities/resource.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { ResourceRecord, resourceRecord, withAddress } from '../../setup/resources.ts'
import { Moment, OptionalText } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { allOf } from '../../wire/pages.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath, resourceInPath } from '../subjects.ts'
import { refuseForeignContact } from './contacts.ts'

const { reference: _reference, archived: _archived, ...fields } = resource.inputs

const NewResource = Type.Object({ ...fields, internalName: OptionalText() }, { title: 'NewResource' })
const ResourceSettingsChange = Type.Partial(Type.Object({ ...fields, archived: Type.Boolean() }), {
  title: 'ResourceSettingsChange',
})

const ListedResource = Type.Object(
  {
    ...ResourceRecord.properties,
    hasTimes: Type.Boolean({ description: 'Has Timeslots or upcoming Appointments.' }),
  },
  { title: 'ListedResource' },
)

export const listProviderResources = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/resources',
  operationId: 'listProviderResources',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true, scope: 'settings' },
  summary: 'List Resources of a Provider',
  description:
    'All Resources, including archived ones. `products` are references; an empty list means all Products.',
  replies: { 200: Type.Object({ resources: Type.Array(ListedResource) }, { title: 'ResourceList' }) },
  async handle({ service, found: provider, only }) {
    const all = await listResources(service.db, provider.id, allOf)
    const resources = all.filter(one => !only || only.includes(one.uuid))
    const open = new Set(
      await resourcesWithTimes(
        service.db,
        resources.map(one => one.id),
      ),
    )
    const listed = resources.map(one => ({ ...recordOf(provider)(one), hasTimes: open.has(one.id) }))
    return { resources: listed }
  },
})

export const addResource = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/resources',
  operationId: 'addResource',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Add a Resource',
  description: 'The service generates the reference. `internalName` defaults to the public name.',
  body: NewResource,
  replies: { 201: ResourceRecord },
  async handle({ body, service, found: provider, context }) {
    await refuseForeignContact(service, provider, body.contact, 'contact')
    const input = {
      ...withAddress(body),
      internalName: body.internalName || body.publicName,
      reference: `${randomUUID()}@console`,
    }
    const made = await createResource(context, input, true)
    return recordOf(provider)(made.resource)
  },
})

export const getResourceSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid',
  operationId: 'getResourceSettings',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Get a Resource',
  description: '`PATCH` accepts the ETag as If-Match.',
  replies: { 200: ResourceRecord },
  async handle({ service, reply, found, context }) {
    const { provider } = context
    const whole = await findResource(service.db, provider.id, found.reference)
    return withEtag(reply, recordOf(provider)(whole!))
  },
})

export const updateResourceSettings = consoleRoute({
  method: 'PATCH',
  path: '/console/api/resources/:uuid',
  operationId: 'updateResourceSettings',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Change a Resource',
  description:
    'Changes only the fields that are sent; null clears an optional field. An archived Resource cannot be booked.',
  headers: IfMatch,
  body: ResourceSettingsChange,
  replies: { 200: ResourceRecord },
  async handle({ body, service, request, reply, found: { reference }, context }) {
    const known = await findResource(service.db, context.provider.id, reference)
    if (body.contact !== known?.contact)
      await refuseForeignContact(service, context.provider, body.contact, 'contact')
    const check = ifUnchanged(request, recordOf(context.provider))
    const saved = await changeResource(context, reference, withAddress(body), check)
    return withEtag(reply, recordOf(context.provider)(saved))
  },
})

const Deletion = Type.Object(
  {
    appointments: Type.Number({ description: 'Upcoming Appointments that are cancelled.' }),
    people: Type.Array(Type.Object({ name: Nullable(Type.String()), start: Moment }), {
      description: 'Participants, up to 50. Empty for a key that only has the scope `settings`.',
    }),
    peopleCount: Type.Number(),
  },
  { title: 'ResourceDeletion' },
)

export const previewDeletion = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/deletion',
  operationId: 'previewDeletion',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Preview the deletion of a Resource',
  description: 'Changes nothing.',
  replies: { 200: Deletion },
  async handle({ caller, service, found: resource }) {
    const { appointments, people } = await bookedPeople(service.db, resource.id)
    const shown = caller.readsPeople ? people.slice(0, 50) : []
    const first = shown.map(({ name, start }) => ({ name, start: toUtcText(start) }))
    return { appointments, people: first, peopleCount: people.length }
  },
})

export const removeResource = consoleRoute({
  method: 'DELETE',
  path: '/console/api/resources/:uuid',
  operationId: 'removeResource',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Delete a Resource',
  description: 'Cannot be undone. Cancels upcoming Appointments, with an email to every participant.',
  query: {
    sendMails: Type.Boolean({ default: true, description: 'If false, no emails are sent.' }),
    message: Type.Optional(Type.String({ maxLength: 1000, description: 'Included in the emails.' })),
  },
  replies: { 204: null },
  handle: ({ query, found: resource, context }) =>
    deleteResource(context, resource.reference, true, {
      sendMails: query.sendMails,
      message: query.message || null,
    }),
})

const recordOf = (provider: ProviderRow) => (resource: Row) => resourceRecord(provider, resource)
