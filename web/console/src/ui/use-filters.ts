import { useSearchParams } from 'wouter-preact'

/** Filters stand in the address, so that a reload and a link show the same; changing one makes no step back. */
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
  /** None of them any more. */
  const clear = () => setParams(new URLSearchParams(), { replace: true })
  return { params, change, clear }
}
