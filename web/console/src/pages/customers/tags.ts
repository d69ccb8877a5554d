import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useProvider } from '../../session.ts'

/** The tags in use, the most frequent ones first. */
export function useTags(): string[] {
  const { uuid } = useProvider()
  const loaded = useLoad(`customer-tags-${uuid}`, signal =>
    api.get(`/providers/${uuid}/customer-tags`, { signal }),
  )
  return loaded.data?.tags ?? []
}
