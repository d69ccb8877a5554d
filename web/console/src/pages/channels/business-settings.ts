import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useProvider } from '../../session.ts'

/** Those that channels and services follow. */
export function useBusinessSettings() {
  const { uuid } = useProvider()
  return useLoad(`booking-${uuid}`, signal => api.get(`/providers/${uuid}/booking`, { signal }))
}
