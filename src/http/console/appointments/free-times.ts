import Type from 'typebox'
import { resourcesOffering } from '../../../db/scheduling/calendar.ts'
import { FreeTimes, searchText, searchTimes, wishQuery } from '../../scheduling/free-times.ts'
import { recordAt } from '../../wire/callers/permit.ts'
import { Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { productInPath, providerInPath, resourceInPath } from '../subjects.ts'

export const getFreeTimes = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/free-times',
  operationId: 'getFreeTimes',
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  isLarge: true,
  summary: 'Find free times for staff to book',
  description: searchText,
  query: {
    productUuid: Type.String({ ...Uuid, description: 'Product to book.' }),
    resourceUuid: Type.Optional(
      Type.String({
        ...Uuid,
        description: 'Only this Resource. Default: every Resource that offers the Product.',
      }),
    ),
    resourceUuids: Type.Array(Uuid, {
      maxItems: 100,
      description: 'Only these Resources, in order of preference.',
    }),
    appointmentUuid: Type.Optional(
      Type.String({ ...Uuid, description: 'Appointment to be moved. Its own time counts as free.' }),
    ),
    ...wishQuery,
  },
  replies: { 200: FreeTimes },
  errors: ['missing-field'],
  async handle({ query, service, found: provider, only }) {
    const product = await recordAt(service.db, productInPath, provider.id, query.productUuid)
    const { resourceUuid, appointmentUuid: moving = null } = query
    const named = [...(resourceUuid ? [resourceUuid] : []), ...query.resourceUuids]
    const places = []
    for (const uuid of new Set(named)) {
      const { id, internalName, ...one } = await recordAt(service.db, resourceInPath, provider.id, uuid, only)
      places.push({ id, uuid: one.uuid, name: internalName })
    }
    if (named.length === 0)
      for (const place of await resourcesOffering(service.db, provider.id, product.id))
        if (!only || only.includes(place.uuid)) places.push(place)
    return searchTimes(service, provider, { product, moving, places }, query)
  },
})
