import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useProvider } from '../../session.ts'

/** The Provider's Products, Resources and contacts, shared by several pages. */
export function useProducts() {
  const { uuid } = useProvider()
  return useLoad(`products-${uuid}`, signal => api.get(`/providers/${uuid}/products`, { signal }))
}

export function useResources() {
  const { uuid } = useProvider()
  return useLoad(`resources-${uuid}`, signal => api.get(`/providers/${uuid}/resources`, { signal }))
}

export function useContacts() {
  const { uuid } = useProvider()
  return useLoad(`contacts-${uuid}`, signal => api.get(`/providers/${uuid}/contacts`, { signal }))
}

/** The opening hours of all Resources, to copy them or to change several at once. */
export function useTeamHours() {
  const { uuid } = useProvider()
  const resources = useResources().data?.resources ?? []
  const { data, reload } = useLoad(`hours-${uuid}`, signal => api.get(`/providers/${uuid}/hours`, { signal }))
  const nameOf = (uuid: string) => resources.find(one => one.uuid === uuid)?.internalName ?? ''
  const isOpen = (uuid: string) => resources.some(one => one.uuid === uuid && !one.archived)
  const all = (data?.resources ?? [])
    .filter(one => isOpen(one.resourceUuid))
    .map(({ resourceUuid, etag, ...hours }) => ({
      uuid: resourceUuid,
      etag,
      name: nameOf(resourceUuid),
      hours,
    }))
  return { reload, nameOf, all, others: (own: string) => all.filter(one => one.uuid !== own) }
}
