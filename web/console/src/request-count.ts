import { useEffect } from 'preact/hooks'
import { api } from './api.ts'
import { useLoad } from './load.ts'
import { useSession } from './session.ts'

/** Number of open requests, for the rail. Refreshed every 30 seconds and after each answer. */
export function useRequestCount(): number {
  const { provider } = useSession()
  const { data, reload } = useLoad(provider && `requests-count-${provider.uuid}`, signal =>
    api.get(`/providers/${provider!.uuid}/requests/count`, { signal }),
  )
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), 30_000)
    addEventListener('holdfast-requests', reload)
    return () => {
      clearInterval(timer)
      removeEventListener('holdfast-requests', reload)
    }
  }, [reload])
  return data?.count ?? 0
}

/** Call after answering a request, so that the rail updates its count. */
export const requestsChanged = () => dispatchEvent(new Event('holdfast-requests'))
