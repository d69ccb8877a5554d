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
