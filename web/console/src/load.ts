import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from './api.ts'

export type Loaded<T> = {
  data: T | null
  problem: Problem | null
  /** True until the first answer; a refresh keeps showing the old data. */
  isLoading: boolean
  reload: () => Promise<void>
  /** Shows a change at once, before the service has answered. */
  set: (change: (data: T) => T) => void
}

const cache = new Map<string, unknown>()
const shown = new Map<() => Promise<void>, string>()

/** Makes every component that shows this key load it again, for example after an undo. */
export function refresh(key: string) {
  for (const [reload, one] of shown) if (one === key) void reload()
}

/** Loads once per key, caches the result for Back, and reloads on request. */
export function useLoad<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data: T | null; problem: Problem | null }>({
    key,
    data: key === null ? null : ((cache.get(key) as T) ?? null),
    problem: null,
  })
  const latest = useRef({ key, read })
  latest.current = { key, read }
  const running = useRef<AbortController | null>(null)

  const reload = useCallback(async () => {
    const { key, read } = latest.current
    if (key === null) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    try {
      const data = await read(controller.signal)
      if (controller.signal.aborted) return
      cache.set(key, data)
      setState({ key, data, problem: null })
    } catch (error) {
      if (controller.signal.aborted) return
      setState(before => ({ key, data: before.key === key ? before.data : null, problem: error as Problem }))
    }
  }, [])

  useEffect(() => {
    if (key === null) return
    setState(before =>
      before.key === key ? before : { key, data: (cache.get(key) as T) ?? null, problem: null },
    )
    void reload()
    shown.set(reload, key)
    // Retries as soon as the network is back.
    addEventListener('online', reload)
    return () => {
      removeEventListener('online', reload)
      shown.delete(reload)
      running.current?.abort()
    }
  }, [key, reload])

  const set = useCallback((change: (data: T) => T) => {
    setState(before => (before.data === null ? before : { ...before, data: change(before.data) }))
  }, [])

  const current = state.key === key ? state : { data: null, problem: null }
  return {
    data: current.data,
    problem: current.problem,
    isLoading: current.data === null && current.problem === null,
    reload,
    set,
  }
}

/** Clears the cache, so that another user never sees the previous user's data. */
export const clearLoaded = () => cache.clear()
