import { useSearchParams } from 'wouter-preact'

/** Filters are part of the address, so that reloads and links show the same. Changes add no history entry. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const change = (name: string, value: string | null) =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const clear = () => setParams(new URLSearchParams(), { replace: true })
  return { params, change, clear }
}
